#include "sim/analysis/relaying.h"

#include <algorithm>

namespace syncsim {
namespace {

class Follower {
 public:
  explicit Follower(const Schedule& schedule)
      : schedule_(schedule), relays_(schedule.participants.size(), true) {
    std::fill_n(relays_.begin(), schedule.ranks, false);
    first_.push_back(0);
    for (const Buffer& buffer : schedule.buffers) first_.push_back(first_.back() + buffer.chunks());
    fresh_.resize(relays_.size());
    for (std::size_t helper = 0; helper < relays_.size(); ++helper)
      if (relays_[helper]) fresh_[helper].resize(first_.back(), false);
  }

  std::vector<bool> run() {
    for (const Op& op : schedule_.ops) {
      if (relays_[op.source]) hand_on(op);
      if (relays_[op.destination]) take(op);
    }
    return std::move(relays_);
  }

 private:
  void hand_on(const Op& op) {
    if (op.kind == OpKind::join) return;
    if (op.kind == OpKind::compute) {
      relays_[op.source] = false;
      return;
    }
    for (std::uint32_t chunk = 0; chunk < op.chunk_count; ++chunk) {
      auto fresh = fresh_[op.source][first_[op.source_buffer] + op.source_chunk + chunk];
      if (!fresh) relays_[op.source] = false;
      fresh = false;
    }
  }

  void take(const Op& op) {
    if (op.kind == OpKind::reduce) relays_[op.destination] = false;
    if (op.kind != OpKind::copy) return;
    for (std::uint32_t chunk = 0; chunk < op.chunk_count; ++chunk)
      fresh_[op.destination][first_[op.destination_buffer] + op.destination_chunk + chunk] = true;
  }

  const Schedule& schedule_;
  std::vector<bool> relays_;              // by participant
  std::vector<std::size_t> first_;        // chunk of every buffer, of all
  std::vector<std::vector<bool>> fresh_;  // by helper and chunk: not handed on yet
};

}  // namespace

std::vector<bool> only_relaying(const Schedule& schedule) {
  const bool relaxed = std::any_of(schedule.buffers.begin(), schedule.buffers.end(),
                                   [](const Buffer& buffer) { return buffer.relaxed; });
  if (relaxed || !schedule.groups.empty()) return std::vector<bool>(schedule.participants.size());
  return Follower(schedule).run();
}

}  // namespace syncsim
