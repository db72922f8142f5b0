#pragma once
// Follows the rates at which resources carry, through a run of the engine: each resource's steps,
// in order of time, the first from 0, the last back to 0 where the run ends. The steps' integral is
// what the resource carried (to the roundings of the sums).
//
// Cost: an instant takes O(active flows), and of each resource that may carry at another rate than
// before O(flows on it). Memory: 25 bytes a lane, 13 a resource.

#include <cstdint>
#include <vector>

#include "sim/base/units.h"
#include "sim/engine/fair_share.h"
#include "sim/engine/network.h"
#include "sim/schedule/timeline.h"

namespace syncsim {

// Is told, as the run goes on, when a resource (an index as in Timeline::resources) carries at
// another rate than before, in bytes/s.
class RateWatch {
 public:
  virtual ~RateWatch() = default;
  virtual void carries(std::uint32_t resource, double rate, Time from) = 0;
};

// Keeps each resource's highest rate, and passes on what it is told.
class PeakRates : public RateWatch {
 public:
  explicit PeakRates(RateWatch* next = nullptr) : next_(next) {}

  void carries(std::uint32_t resource, double rate, Time from) override;
  void put_into(Timeline& timeline) const;

 private:
  RateWatch* next_;
  std::vector<double> peaks_;
};

class RateFollower {
 public:
  // Keeps references.
  RateFollower(const engine::Network& network, std::uint32_t lanes, RateWatch& watch);

  void solved(const engine::FairShare& flows, std::int64_t now);

 private:
  using Slot = engine::FairShare::Slot;
  struct Flow {
    Slot slot = 0;
    engine::RouteIndex route = 0;
    double rate = 0;
  };

  bool has_changed(const engine::FairShare& flows, Flow& flow);
  void mark(engine::RouteIndex route);

  const engine::Network& network_;
  RateWatch& watch_;
  std::vector<Flow> flows_;          // the active ones
  std::vector<std::uint8_t> known_;  // lanes in flows_
  std::vector<engine::ResourceIndex> marked_;
  std::vector<std::uint8_t> is_marked_;
  std::vector<double> rates_;  // of resources
};

}  // namespace syncsim
