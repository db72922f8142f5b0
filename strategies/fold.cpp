#include "strategies/fold.h"

#include <bit>

#include "sim/schedule/proportion.h"

namespace syncsim::strategy {

Fold::Fold(ScheduleBuilder& builder)
    : Fold(builder, static_cast<int>(std::bit_floor(static_cast<unsigned>(builder.ranks())))) {}

Fold::Fold(ScheduleBuilder& builder, int members)
    : builder_(builder), members_(members), root_(builder.collective().root) {}

int Fold::rounds() const {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(members_))) - 1;
}

ParticipantId Fold::rank(int member) const {
  const bool second = has_extra(member) && root_ == first(member) + 1;
  return static_cast<ParticipantId>(first(member) + (second ? 1 : 0));
}

int Fold::member(int rank) const {
  const std::int64_t ranks = builder_.ranks();
  return static_cast<int>(((rank + std::int64_t{1}) * members_ - 1) / ranks);
}

int Fold::first(int member) const {
  return static_cast<int>(share(builder_.ranks(), member, members_));
}

std::vector<Slice> Fold::parts() const {
  std::vector<Slice> result;
  for (int member = 0; member < members_; ++member) {
    result.push_back(joined(builder_.part(first(member)), builder_.part(first(member + 1) - 1)));
  }
  return result;
}

// Calls act(extra, member, the extra's part).
template <class Act>
void Fold::each_extra(Act&& act) const {
  const bool blocks = has_blocks(builder_.collective().kind);
  for (int member = 0; member < members_; ++member) {
    if (!has_extra(member)) continue;
    const auto pair = static_cast<ParticipantId>(2 * first(member) + 1);  // sum of the two ranks
    const ParticipantId extra = pair - rank(member);
    act(extra, rank(member), blocks ? builder_.part(static_cast<int>(extra)) : builder_.data());
  }
}

void Fold::fold(Rounds& rounds) const {
  builder_.phase("fold");
  const Who contributors = row(builder_.collective().kind).contributors;
  each_extra([&](ParticipantId extra, ParticipantId member, const Slice& part) {
    if (contributors == Who::all) rounds.reduce(extra, member, builder_.data());
    if (contributors == Who::owner) rounds.copy(extra, member, part);
  });
  rounds.next();
}

void Fold::unfold(Rounds& rounds) const {
  builder_.phase("unfold");
  const Who holders = row(builder_.collective().kind).holders;
  each_extra([&](ParticipantId extra, ParticipantId member, const Slice& part) {
    if (holders == Who::all) rounds.copy(member, extra, builder_.data());
    if (holders == Who::owner) rounds.copy(member, extra, part);
  });
}

}  // namespace syncsim::strategy
