#include "strategies/rounds.h"

#include <utility>

namespace syncsim::strategy {

Rounds::Rounds(ScheduleBuilder& builder)
    : builder_(&builder), of_rank_(static_cast<std::size_t>(builder.ranks())) {}

void Rounds::copy(ParticipantId from, ParticipantId to, const Slice& slice, std::uint16_t channel) {
  order(builder_->copy(from, to, slice, channel), from, to);
}

void Rounds::copy(ParticipantId from, const Slice& source, ParticipantId to,
                  const Slice& destination) {
  order(builder_->copy(from, source, to, destination), from, to);
}

void Rounds::reduce(ParticipantId from, ParticipantId to, const Slice& slice,
                    std::uint16_t channel) {
  order(builder_->reduce(from, to, slice, channel), from, to);
}

void Rounds::reduce(ParticipantId from, const Slice& source, ParticipantId to,
                    const Slice& destination, std::uint16_t channel) {
  order(builder_->reduce(from, source, to, destination, channel), from, to);
}

void Rounds::order(OpId op, ParticipantId from, ParticipantId to) {
  for (const ParticipantId rank : {from, to}) {
    for (const OpId before : of_rank_[rank].before) builder_->edge(before, op);
    of_rank_[rank].now.push_back(op);
  }
}

void Rounds::next() {
  for (Ops& ops : of_rank_) {
    if (ops.now.empty()) continue;
    ops.before = std::move(ops.now);
    ops.now.clear();
  }
}

}  // namespace syncsim::strategy
