#include "sim/schedule/op_log.h"

#include <algorithm>
#include <limits>

#include "sim/base/error.h"

namespace syncsim {
namespace {

constexpr std::size_t kMostEdges = std::numeric_limits<std::uint32_t>::max();

}  // namespace

OpId OpLog::append(const Op& op, std::span<const OpId> waits) {
  require(ops_.size() < kMostOps, "a schedule of more than 2147483647 ops");
  require(waits_.size() + waits.size() <= kMostEdges, "a schedule of more than 4294967295 edges");
  const OpId id = size();
  Op& added = ops_.emplace_back(op);
  added.successors = static_cast<std::uint32_t>(waits_.size());
  added.phase = phase_;
  waits_.insert(waits_.end(), waits.begin(), waits.end());
  return id;
}

OpId OpLog::append_join(ParticipantId holder, std::span<const OpId> waits) {
  std::vector<OpId> ascending(waits.begin(), waits.end());
  std::sort(ascending.begin(), ascending.end());
  Op join;
  join.kind = OpKind::join;
  join.source = join.destination = holder;
  OpId latest = 0;
  for (const OpId wait : ascending) latest = std::max(latest, anchor(wait));
  const OpId id = append(join, ascending);
  anchors_.emplace(id, latest);
  return id;
}

OpId OpLog::append_relay(OpId after, ParticipantId from, ParticipantId to, std::uint16_t channel) {
  Op signal;
  signal.source = from;
  signal.destination = to;
  signal.channel = channel;
  const OpId id = append(signal, std::span(&after, 1));
  anchors_.emplace(id, anchor(after));
  return id;
}

OpId OpLog::anchor(OpId op) const {
  const auto found = anchors_.find(op);
  return found == anchors_.end() ? op : found->second;
}

std::span<const OpId> OpLog::waits_of(OpId op) const {
  const std::size_t end = op + 1 < size() ? ops_[op + 1].successors : waits_.size();
  return std::span(waits_).subspan(ops_[op].successors, end - ops_[op].successors);
}

// Counting sort by the earlier op: where each op's successors begin, and the end.
std::vector<OpId> OpLog::successor_begins() const {
  std::vector<OpId> begins(ops_.size() + 1, 0);
  for (const OpId before : waits_) ++begins[before + 1];
  for (const auto& [before, after] : late_edges_) ++begins[before + 1];
  for (std::size_t op = 1; op < begins.size(); ++op) begins[op] += begins[op - 1];
  return begins;
}

void OpLog::finish(Schedule& schedule) {
  require(waits_.size() + late_edges_.size() <= kMostEdges,
          "a schedule of more than 4294967295 edges");
  std::vector<OpId> next = successor_begins();
  schedule.edges.resize(waits_.size() + late_edges_.size());
  for (OpId op = 0; op < size(); ++op)
    for (const OpId before : waits_of(op)) schedule.edges[next[before]++] = op;
  for (const auto& [before, after] : late_edges_) schedule.edges[next[before]++] = after;
  for (OpId op = 0; op < size(); ++op) ops_[op].successors = op == 0 ? 0 : next[op - 1];
  schedule.ops = std::move(ops_);
  if (!late_edges_.empty()) remove_repeated(schedule);
}

// Late edges lie out of order and may repeat derived ones.
void OpLog::remove_repeated(Schedule& schedule) const {
  std::vector<OpId> kept;
  kept.reserve(schedule.edges.size());
  std::vector<OpId> successors;
  for (OpId op = 0; op < schedule.ops.size(); ++op) {
    const auto old = schedule.successors(op);
    successors.assign(old.begin(), old.end());
    std::sort(successors.begin(), successors.end());
    successors.erase(std::unique(successors.begin(), successors.end()), successors.end());
    schedule.ops[op].successors = static_cast<std::uint32_t>(kept.size());
    kept.insert(kept.end(), successors.begin(), successors.end());
  }
  schedule.edges = std::move(kept);
}

}  // namespace syncsim
