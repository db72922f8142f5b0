#pragma once
// A schedule and, behind its ops, background traffic, on one network: two jobs that share the
// links. The run ends when the schedule's ops are done.

#include <cstdint>
#include <span>

#include "sim/exec/flow_work.h"
#include "sim/exec/transfer_work.h"

namespace syncsim {

// Models engine::run's Work. Keeps references to both.
class BackgroundWork {
 public:
  BackgroundWork(const TransferWork& schedule, const FlowWork& background);

  const engine::Network& network() const { return network_; }
  std::uint32_t essential() const { return own_ops_; }

  std::uint32_t size() const { return own_ops_ + background_.size(); }
  std::span<const std::uint32_t> successors(std::uint32_t op) const {
    return own(op) ? schedule_.successors(op) : std::span<const std::uint32_t>();
  }
  std::uint32_t lane_count() const { return own_lanes_ + background_.lane_count(); }
  const engine::Lane& lane(std::uint32_t lane) const {
    return lane < own_lanes_ ? schedule_.lane(lane) : background_.lane(lane - own_lanes_);
  }
  std::uint32_t lane_of(std::uint32_t op) const {
    return own(op) ? schedule_.lane_of(op) : own_lanes_ + background_.lane_of(op - own_ops_);
  }
  engine::RouteIndex route_of(std::uint32_t op) const {
    return own(op) ? schedule_.route_of(op) : own_routes_ + background_.route_of(op - own_ops_);
  }
  std::int64_t bytes_of(std::uint32_t op) const {
    return own(op) ? schedule_.bytes_of(op) : background_.bytes_of(op - own_ops_);
  }
  std::int64_t duration_of(std::uint32_t op) const {
    return own(op) ? schedule_.duration_of(op) : 0;
  }
  std::int64_t release_of(std::uint32_t op) const {
    return own(op) ? schedule_.release_of(op) : background_.release_of(op - own_ops_);
  }

 private:
  bool own(std::uint32_t op) const { return op < own_ops_; }

  const TransferWork& schedule_;
  const FlowWork& background_;
  engine::Network network_;  // the schedule's routes, then the background's
  std::uint32_t own_ops_;
  std::uint32_t own_lanes_;
  std::uint32_t own_routes_;
};

}  // namespace syncsim
