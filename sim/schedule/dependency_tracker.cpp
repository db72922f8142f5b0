#include "sim/schedule/dependency_tracker.h"

namespace syncsim {
namespace {

// Neighbouring chunks mostly have the same history: their sets grow to the same new set.
class Grower {
 public:
  Grower(OpSets& sets, OpId op) : sets_(sets), op_(op), after_(sets.with(kNoOps, op)) {}

  OpSet grown(OpSet set) {
    if (set == before_) return after_;
    before_ = set;
    return after_ = sets_.with(set, op_);
  }

 private:
  OpSets& sets_;
  OpId op_;
  OpSet before_ = kNoOps;
  OpSet after_;
};

}  // namespace

void DependencyTracker::set_chunks(std::uint8_t buffer, std::uint32_t chunks) {
  if (buffers_.size() <= buffer) buffers_.resize(buffer + std::size_t{1});
  buffers_[buffer].chunks = chunks;
}

void DependencyTracker::before_read(const Access& access, std::vector<OpId>& waits) {
  collect(
      access, [](const Cell& cell) { return cell.writers; }, waits);
}

void DependencyTracker::before_copy(const Access& access, std::vector<OpId>& waits) {
  collect(
      access, [](const Cell& cell) { return cell.overwritten(); }, waits);
}

void DependencyTracker::before_reduce(const Access& access, std::vector<OpId>& waits) {
  collect(
      access, [](const Cell& cell) { return cell.open() ? cell.base : cell.overwritten(); }, waits);
}

void DependencyTracker::after_read(const Access& access, OpId op) {
  Grower readers(sets_, op);
  for (Cell& cell : cells(access)) cell.readers = readers.grown(cell.readers);
}

void DependencyTracker::after_copy(const Access& access, OpId op) {
  for (Cell& cell : cells(access)) cell = {op, kNoOps, kClosed};
}

void DependencyTracker::after_reduce(const Access& access, OpId op) {
  Grower writers(sets_, op);
  for (Cell& cell : cells(access)) {
    if (cell.open())
      cell.writers = writers.grown(cell.writers);
    else
      cell = {op, kNoOps, cell.overwritten()};
  }
}

std::span<DependencyTracker::Cell> DependencyTracker::cells(const Access& access) {
  BufferCells& buffer = buffers_[access.buffer];
  if (buffer.of_participant.size() <= access.participant)
    buffer.of_participant.resize(access.participant + std::size_t{1});
  std::vector<Cell>& all = buffer.of_participant[access.participant];
  if (all.empty()) all.resize(buffer.chunks);
  return std::span(all).subspan(access.chunks.first, access.chunks.count);
}

template <class Choose>
void DependencyTracker::collect(const Access& access, Choose choose, std::vector<OpId>& waits) {
  OpSet last = kNoOps;
  for (const Cell& cell : cells(access)) {
    const OpSet set = choose(cell);
    if (set == last) continue;
    last = set;
    wait_for(set, access.participant, waits);
  }
}

void DependencyTracker::wait_for(OpSet set, ParticipantId holder, std::vector<OpId>& waits) {
  if (set == kNoOps) return;
  if (OpSets::is_single(set)) {
    waits.push_back(set);
    return;
  }
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
