// Aggregation spread over all GPUs (Dive into Deep Learning, "Parameter Servers"; also called
// sharded or two-shot direct): partition i is added up on GPU i, and sent from there to all. 2
// (n-1)/n M / B where every GPU has a port of its own. What is not summed goes straight to its
// holder.

#include <algorithm>

#include "strategies/strategies.h"

namespace syncsim::strategy {
namespace {

// Calls send(rank, owner) for every pair of different ranks, each rank's owners starting after it,
// so that no owner is everybody's first.
template <class Send>
void each_pair(int ranks, Send&& send) {
  for (int rank = 0; rank < ranks; ++rank)
    for (int step = 1; step < ranks; ++step)
      send(static_cast<ParticipantId>(rank), static_cast<ParticipantId>((rank + step) % ranks));
}

class Partitions {
 public:
  explicit Partitions(ScheduleBuilder& builder)
      : builder_(builder), parts_(builder.split(builder.data(), builder.ranks())) {}

  void reduce_scatter() {
    builder_.phase("reduce");
    each_pair(builder_.ranks(), [&](ParticipantId rank, ParticipantId owner) {
      builder_.reduce(rank, owner, parts_[owner]);
    });
  }
  void all_gather() {
    builder_.phase("broadcast");
    each_pair(builder_.ranks(), [&](ParticipantId owner, ParticipantId rank) {
      builder_.copy(owner, rank, parts_[owner]);
    });
  }
  void scatter(ParticipantId root) {
    builder_.phase("scatter");
    each_owner_but(root, [&](ParticipantId owner) { builder_.copy(root, owner, parts_[owner]); });
  }
  void gather(ParticipantId root) {
    builder_.phase("gather");
    each_owner_but(root, [&](ParticipantId owner) { builder_.copy(owner, root, parts_[owner]); });
  }

  std::size_t count() const { return parts_.size(); }

 private:
  template <class Send>
  void each_owner_but(ParticipantId root, Send&& send) {
    for (std::size_t owner = 0; owner < parts_.size(); ++owner)
      if (owner != root) send(static_cast<ParticipantId>(owner));
  }

  ScheduleBuilder& builder_;
  std::vector<Slice> parts_;
};

// What every rank has for another goes there, all at once.
void exchange(ScheduleBuilder& builder) {
  const int ranks = builder.ranks();
  const bool next_only = builder.collective().kind == CollectiveKind::send_recv;
  const auto others = static_cast<std::uint64_t>(next_only ? std::min(ranks - 1, 1) : ranks - 1);
  const std::uint64_t ops = static_cast<std::uint64_t>(ranks) * others;
  builder.expect({.ops = ops, .lanes = ops});
  builder.phase("exchange");
  each_pair(ranks, [&](ParticipantId from, ParticipantId to) {
    if (next_only && to != (from + 1) % static_cast<ParticipantId>(ranks)) return;
    builder.copy(from, to, builder.block(static_cast<int>(from), static_cast<int>(to)));
  });
}

}  // namespace

void emit_distributed(const StrategyInput&, ScheduleBuilder& builder) {
  const CollectiveKind kind = builder.collective().kind;
  if (is_pairwise(kind)) return exchange(builder);
  Partitions partitions(builder);
  const auto root = static_cast<ParticipantId>(builder.collective().root);
  const std::size_t others = partitions.count() - 1;
  const std::size_t pairs = partitions.count() * others;
  switch (kind) {
    case CollectiveKind::allreduce:
    case CollectiveKind::barrier:
      builder.expect({.ops = 2 * pairs, .lanes = pairs});
      partitions.reduce_scatter();
      partitions.all_gather();
      return;
    case CollectiveKind::reduce:
      builder.expect({.ops = pairs + others, .lanes = pairs});
      partitions.reduce_scatter();
      partitions.gather(root);
      return;
    case CollectiveKind::broadcast:
      builder.expect({.ops = pairs + others, .lanes = pairs});
      partitions.scatter(root);
      partitions.all_gather();
      return;
    case CollectiveKind::reduce_scatter:
      builder.expect({.ops = pairs, .lanes = pairs});
      return partitions.reduce_scatter();
    case CollectiveKind::all_gather:
      builder.expect({.ops = pairs, .lanes = pairs});
      return partitions.all_gather();
    case CollectiveKind::gather:
      builder.expect({.ops = others, .lanes = others});
      return partitions.gather(root);
    case CollectiveKind::scatter:
      builder.expect({.ops = others, .lanes = others});
      return partitions.scatter(root);
    case CollectiveKind::all_to_all:
    case CollectiveKind::send_recv:
      return;
  }
}

}  // namespace syncsim::strategy
