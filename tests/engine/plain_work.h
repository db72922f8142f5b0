#pragma once
// A Work for run() that tests write down op by op, and a recorder that keeps what came of it.

#include <cstdint>
#include <span>
#include <vector>

#include "sim/engine/fluid_network.h"

namespace syncsim::engine {

class PlainWork {
 public:
  std::uint32_t add_lane(Lane lane = {}) {
    lanes_.push_back(lane);
    return static_cast<std::uint32_t>(lanes_.size() - 1);
  }
  std::uint32_t transfer(std::uint32_t lane, RouteIndex route, std::int64_t bytes) {
    return add({lane, route, bytes, 0, 0, {}});
  }
  std::uint32_t compute(std::uint32_t lane, std::int64_t duration) {
    return add({lane, 0, 0, duration, 0, {}});
  }
  std::uint32_t signal(std::uint32_t lane) { return compute(lane, 0); }
  std::uint32_t join() { return signal(kNoLane); }
  void edge(std::uint32_t from, std::uint32_t to) { ops_[from].successors.push_back(to); }
  void release(std::uint32_t op, std::int64_t time) { ops_[op].release = time; }

  std::uint32_t size() const { return static_cast<std::uint32_t>(ops_.size()); }
  std::span<const std::uint32_t> successors(std::uint32_t op) const { return ops_[op].successors; }
  std::uint32_t lane_count() const { return static_cast<std::uint32_t>(lanes_.size()); }
  const Lane& lane(std::uint32_t lane) const { return lanes_[lane]; }
  std::uint32_t lane_of(std::uint32_t op) const { return ops_[op].lane; }
  RouteIndex route_of(std::uint32_t op) const { return ops_[op].route; }
  std::int64_t bytes_of(std::uint32_t op) const { return ops_[op].bytes; }
  std::int64_t duration_of(std::uint32_t op) const { return ops_[op].duration; }
  std::int64_t release_of(std::uint32_t op) const { return ops_[op].release; }

 private:
  struct Op {
    std::uint32_t lane = 0;
    RouteIndex route = 0;
    std::int64_t bytes = 0;
    std::int64_t duration = 0;
    std::int64_t release = 0;
    std::vector<std::uint32_t> successors;
  };
  std::uint32_t add(Op op) {
    ops_.push_back(std::move(op));
    return size() - 1;
  }

  std::vector<Op> ops_;
  std::vector<Lane> lanes_;
};

struct OpRecord {
  std::int64_t ready = -1;
  std::int64_t start = -1;
  std::int64_t finish = -1;
  friend bool operator==(const OpRecord&, const OpRecord&) = default;
};

struct Timetable {
  explicit Timetable(const PlainWork& work) : ops(work.size()) { order.reserve(work.size()); }
  void record(std::uint32_t op, std::int64_t ready, std::int64_t start, std::int64_t finish) {
    ops[op] = {ready, start, finish};
    order.push_back(op);
  }
  std::vector<OpRecord> ops;
  std::vector<std::uint32_t> order;  // of finish
};

struct Result {
  Timetable table;
  Totals totals;
  std::int64_t finish(std::uint32_t op) const { return table.ops[op].finish; }
  std::int64_t start(std::uint32_t op) const { return table.ops[op].start; }
};

inline Result simulate(const Network& network, const PlainWork& work, Audit audit = Audit::on,
                       std::span<const CapacityChange> changes = {}) {
  Timetable table(work);
  Totals totals = run(network, work, table, audit, changes);
  return {std::move(table), std::move(totals)};
}

inline Result simulate(const Network& network, const PlainWork& work,
                       std::span<const CapacityChange> changes) {
  return simulate(network, work, Audit::on, changes);
}

inline constexpr std::int64_t kMicrosecond = 1'000'000;
inline constexpr std::int64_t kMillisecond = 1'000'000'000;

}  // namespace syncsim::engine
