#include "sim/schedule/dependency_tracker.h"

namespace syncsim {

void DependencyTracker::set_chunks(std::uint8_t buffer, std::uint32_t chunks) {
  if (buffers_.size() <= buffer) buffers_.resize(buffer + std::size_t{1});
  buffers_[buffer].chunks = chunks;
}

void DependencyTracker::add_cells(BufferCells& buffer, ParticipantId participant) {
  if (buffer.of_participant.size() <= participant)
    buffer.of_participant.resize(participant + std::size_t{1});
  buffer.of_participant[participant] = std::make_unique<Cell[]>(buffer.chunks);
}

void DependencyTracker::wait_for_many(OpSet set, ParticipantId holder, std::vector<OpId>& waits) {
  const OpId join = join_of(set, holder);
  if (join != kNone)
    waits.push_back(join);
  else
    sets_.append_to(waits, set);
}

// The join that stands for a set of two or more in one more use; kNone when plain edges are fewer.
OpId DependencyTracker::join_of(OpSet set, ParticipantId holder) {
  OpSets::Fan& fan = sets_.fan(set);
  const std::uint64_t uses = ++fan.uses;
  if (fan.join != kNone || fan.ops * uses <= fan.ops + uses) return fan.join;
  members_.clear();
  sets_.append_to(members_, set);
  return fan.join = log_.append_join(holder, members_);
}

}  // namespace syncsim
