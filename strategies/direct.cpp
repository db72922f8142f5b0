#include "strategies/direct.h"

#include <algorithm>
#include <vector>

#include "strategies/turns.h"

namespace syncsim::strategy {
namespace {

// What one rank has for another.
class Messages {
 public:
  explicit Messages(const ScheduleBuilder& builder)
      : builder_(builder),
        kind_(builder.collective().kind),
        goes_to_owner_(row(kind_).holders == Who::owner) {
    if (is_pairwise(kind_) || !has_blocks(kind_)) return;
    for (int rank = 0; rank < builder.ranks(); ++rank) parts_.push_back(builder.part(rank));
  }
  Slice of(int from, int to) const {
    if (!parts_.empty()) return parts_[static_cast<std::size_t>(goes_to_owner_ ? to : from)];
    return is_pairwise(kind_) ? builder_.block(from, to) : builder_.data();
  }

 private:
  const ScheduleBuilder& builder_;
  CollectiveKind kind_;
  bool goes_to_owner_;
  std::vector<Slice> parts_;
};

// Calls send(from, to) for every two ranks of which one has something for the other: step by step,
// or rank by rank, which is twice as fast to write down.
template <class Send>
void each_pair(const Collective& collective, bool by_step, Send&& send) {
  const CollectiveRow& facts = row(collective.kind);
  const int ranks = collective.ranks;
  const int steps = collective.kind == CollectiveKind::send_recv ? std::min(ranks, 2) : ranks;
  const auto each = [](int first, int end, auto&& act) {
    for (int i = first; i < end; ++i) act(i);
  };
  const auto after = [&](int rank, int step) { send(rank, (rank + step) % ranks); };
  if (facts.contributors == Who::root)
    each(1, ranks, [&](int step) { after(collective.root, step); });
  else if (facts.holders == Who::root)
    each(1, ranks, [&](int step) { after((collective.root + ranks - step) % ranks, step); });
  else if (by_step)
    each(1, steps, [&](int step) { each(0, ranks, [&](int rank) { after(rank, step); }); });
  else
    each(0, ranks, [&](int rank) { each(1, steps, [&](int step) { after(rank, step); }); });
}

}  // namespace

void emit_directly(ScheduleBuilder& builder, const Directly& how) {
  const bool adds = row(builder.collective().kind).contributors == Who::all;
  const Messages messages(builder);
  Turns sending(builder, how.one_at_a_time);
  Turns receiving = sending;
  each_pair(builder.collective(), how.one_at_a_time, [&](int rank, int peer) {
    const auto from = static_cast<ParticipantId>(rank);
    const auto to = static_cast<ParticipantId>(peer);
    const Slice sent = messages.of(rank, peer);
    const OpId op = adds ? builder.reduce(from, sent, to, how.sums.value_or(sent))
                         : builder.copy(from, to, sent);
    sending.take(from, op);
    receiving.take(to, op);
  });
}

std::uint64_t direct_transfers(const Collective& collective) {
  const CollectiveRow& facts = row(collective.kind);
  const auto ranks = static_cast<std::uint64_t>(collective.ranks);
  if (facts.contributors == Who::root || facts.holders == Who::root) return ranks - 1;
  const std::uint64_t others = collective.kind == CollectiveKind::send_recv ? 1 : ranks - 1;
  return ranks * std::min(others, ranks - 1);
}

}  // namespace syncsim::strategy
