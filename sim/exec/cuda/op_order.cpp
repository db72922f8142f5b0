#include "sim/exec/cuda/op_order.h"

#include <unordered_map>

#include "sim/exec/real/op_waits.h"
#include "sim/exec/real/run_data.h"
#include "sim/schedule/op_ends.h"

namespace syncsim {
namespace {

// Predecessors by edges and lanes, by op.
class Predecessors {
 public:
  explicit Predecessors(const Schedule& schedule) {
    const OpWaits waits(schedule);
    begins_.push_back(0);
    for (const std::uint32_t count : waits.count) begins_.push_back(begins_.back() + count);
    ops_.resize(begins_.back());
    std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
    for (OpId op = 0; op < schedule.ops.size(); ++op) {
      for (const OpId to : schedule.successors(op)) ops_[next[to]++] = op;
      if (const OpId to = waits.next_in_lane[op]; to != kNone) ops_[next[to]++] = op;
    }
  }
  std::span<const OpId> of(OpId op) const {
    return std::span(ops_).subspan(begins_[op], begins_[op + std::size_t{1}] - begins_[op]);
  }

 private:
  std::vector<std::size_t> begins_;
  std::vector<OpId> ops_;
};

// The last op, so far, into whose run no other may reach at each chunk.
class Turns {
 public:
  explicit Turns(const Schedule& schedule) : schedule_(schedule), ids_(schedule) {}

  void take(OpId id, std::vector<OpId>& before) {
    const Op& op = schedule_.ops[id];
    if (!schedule_.moves_data(op)) return;
    const bool adds = op.kind == OpKind::reduce;
    if (adds || is_relaxed(op.destination_buffer))
      take(id, op.destination, op.destination_buffer, op.destination_chunk, before);
    if (is_relaxed(op.source_buffer))
      take(id, op.source, op.source_buffer, op.source_chunk, before);
  }

 private:
  bool is_relaxed(std::uint8_t buffer) const { return schedule_.buffers[buffer].relaxed; }

  void take(OpId id, ParticipantId at, std::uint8_t buffer, std::uint32_t chunk,
            std::vector<OpId>& before) {
    for (const ParticipantId member : members(schedule_.groups, at))
      for (std::uint32_t i = 0; i < schedule_.ops[id].chunk_count; ++i) {
        const std::uint64_t cell =
            std::uint64_t{member} * ids_.count() + ids_.id(buffer, chunk + i);
        const auto [last, is_new] = last_.try_emplace(cell, id);
        if (!is_new && last->second != id) before.push_back(last->second);
        last->second = id;
      }
  }

  const Schedule& schedule_;
  checking::ChunkIds ids_;
  std::unordered_map<std::uint64_t, OpId> last_;
};

}  // namespace

OpOrder::OpOrder(const Schedule& schedule) : order_(schedule) {
  if (!order_.complete()) throw InternalError("the schedule cannot run: " + order_.cycle().message);
  const Predecessors predecessors(schedule);
  Turns turns(schedule);
  begins_.push_back(0);
  for (std::uint32_t position = 0; position < schedule.ops.size(); ++position) {
    const OpId op = order_.at(position);
    const auto waits = predecessors.of(op);
    before_.insert(before_.end(), waits.begin(), waits.end());
    turns.take(op, before_);
    begins_.push_back(before_.size());
  }
}

}  // namespace syncsim
