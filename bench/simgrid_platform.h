#pragma once
// A fabric as a SimGrid platform, set up to share links plainly max-min fairly: model CM02,
// TCP-gamma 0 (no window bound), no cross traffic, factors 1, weight-S 0.

#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/Host.hpp>
#include <simgrid/s4u/NetZone.hpp>
#include <vector>

#include "bench/fabric.h"

namespace syncsim::bench {

class SimgridPlatform {
 public:
  explicit SimgridPlatform(const Fabric& fabric);

  simgrid::s4u::Engine& engine() { return engine_; }
  simgrid::s4u::NetZone& zone() { return *zone_; }
  simgrid::s4u::Host* host(std::uint32_t host) const { return hosts_[host]; }

 private:
  void add_links(const Fabric& fabric);
  void add_hosts(const Fabric& fabric);
  void route_star(const Fabric& fabric);
  void route_pairs(const Fabric& fabric);
  void add_route(std::uint32_t from, std::uint32_t to, const std::vector<std::uint32_t>& path);

  simgrid::s4u::Engine engine_;
  simgrid::s4u::NetZone* zone_;
  std::vector<const simgrid::s4u::Link*> links_;
  std::vector<simgrid::s4u::Host*> hosts_;
};

}  // namespace syncsim::bench
