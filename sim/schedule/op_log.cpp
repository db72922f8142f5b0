#include "sim/schedule/op_log.h"

#include <algorithm>
#include <numeric>

#include "sim/base/error.h"

namespace syncsim {
namespace {

// At least by half, so that many small reserves cost no more than growing by itself does.
template <class Item>
void reserve(LargeVector<Item>& items, std::size_t needed) {
  if (needed > items.capacity()) items.reserve(std::max(needed, items.capacity() * 3 / 2));
}

}  // namespace

// Mostly an op waits for one that wrote what it reads and one that used what it overwrites.
void OpLog::expect(std::size_t ops) {
  const std::size_t added = std::min<std::size_t>(ops, kMostOps);
  reserve(ops_, ops_.size() + added);
  reserve(waits_, waits_.size() + 2 * added);
}

void OpLog::on_pause(std::function<void(std::size_t)> act) {
  on_pause_ = std::move(act);
  next_pause_ = 0;
}

void OpLog::pause(std::size_t waits) {
  constexpr std::size_t kOps = 4'096;
  if (ops_.size() >= kMostOps || waits > kMostEdges - waits_.size()) refuse();
  on_pause_(ops_.size());
  next_pause_ = std::min<std::size_t>(ops_.size() + kOps, kMostOps);
}

void OpLog::refuse() const {
  require(ops_.size() < kMostOps, "a schedule of more than 2147483647 ops");
  throw InternalError("a schedule of more than 4294967295 edges");
}

OpId OpLog::append_join(ParticipantId holder, std::span<const OpId> waits) {
  OpId latest = 0;
  for (const OpId wait : waits) latest = std::max(latest, anchor(wait));
  const OpId id = size();
  append(holder, holder, waits).kind = OpKind::join;
  anchors_.emplace_back(id, latest);
  return id;
}

OpId OpLog::append_relay(OpId after, ParticipantId from, ParticipantId to, std::uint16_t channel) {
  const OpId id = size();
  append(from, to, std::span(&after, 1)).channel = channel;
  anchors_.emplace_back(id, anchor(after));
  return id;
}

OpId OpLog::anchor(OpId op) const {
  if (anchors_.empty() || op < anchors_.front().first) return op;
  const auto found = std::lower_bound(anchors_.begin(), anchors_.end(), std::pair(op, OpId{0}));
  return found == anchors_.end() || found->first != op ? op : found->second;
}

// Counting sort by the earlier op: where each op's successors begin, and the end.
LargeVector<OpId> OpLog::successor_begins() const {
  LargeVector<OpId> begins(ops_.size() + 1, 0);
  for (const OpId before : waits_) ++begins[before + 1];
  for (const auto& [before, after] : late_edges_) ++begins[before + 1];
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  return begins;
}

void OpLog::finish(Schedule& schedule) {
  if (waits_.size() + late_edges_.size() > kMostEdges) refuse();
  LargeVector<OpId> next = successor_begins();
  schedule.edges.resize(waits_.size() + late_edges_.size());
  std::size_t wait = 0;
  for (OpId op = 0; op < size(); ++op) {
    const std::size_t end = op + 1 < size() ? ops_[op + 1].successors : waits_.size();
    ops_[op].successors = next[op];  // none of them is placed yet: they come later
    for (; wait < end; ++wait) schedule.edges[next[waits_[wait]]++] = op;
  }
  for (const auto& [before, after] : late_edges_) schedule.edges[next[before]++] = after;
  schedule.ops = std::move(ops_);
  if (!late_edges_.empty()) remove_repeated(schedule);
}

// Late edges lie out of order and may repeat derived ones.
void OpLog::remove_repeated(Schedule& schedule) const {
  LargeVector<OpId> kept;
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
