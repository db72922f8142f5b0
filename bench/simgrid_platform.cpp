#include "bench/simgrid_platform.h"

#include <simgrid/s4u/Link.hpp>
#include <string>

namespace syncsim::bench {
namespace {

namespace s4u = simgrid::s4u;

// SimGrid takes its options as main does, and tells every setting on stderr unless asked not to.
struct Arguments {
  std::string words[2] = {"simgrid_peer", "--log=root.thres:error"};
  char* pointers[3] = {words[0].data(), words[1].data(), nullptr};
  int count = 2;
};

Arguments& arguments() {
  static Arguments result;
  return result;
}

void configure() {
  for (const char* setting :
       {"network/model:CM02", "network/TCP-gamma:0", "network/crosstraffic:0", "network/weight-S:0",
        "network/latency-factor:1", "network/bandwidth-factor:1"})
    s4u::Engine::set_config(setting);
}

}  // namespace

SimgridPlatform::SimgridPlatform(const Fabric& fabric)
    : engine_(&arguments().count, arguments().pointers) {
  configure();
  zone_ = fabric.is_star() ? s4u::create_star_zone("fabric") : s4u::create_full_zone("fabric");
  add_links(fabric);
  add_hosts(fabric);
  if (fabric.is_star()) {
    route_star(fabric);
  } else {
    route_pairs(fabric);
  }
  zone_->seal();
  engine_.seal_platform();
}

void SimgridPlatform::add_links(const Fabric& fabric) {
  for (std::uint32_t i = 0; i < fabric.links(); ++i) {
    const bool of_host = i < 2 * fabric.hosts();
    links_.push_back(zone_->create_link("link" + std::to_string(i), kBandwidth)
                         ->set_latency(of_host ? static_cast<double>(kHostLatency) * 1e-12 : 0)
                         ->seal());
  }
}

void SimgridPlatform::add_hosts(const Fabric& fabric) {
  for (std::uint32_t i = 0; i < fabric.hosts(); ++i) {
    hosts_.push_back(zone_->create_host("host" + std::to_string(i), 1e9));
    hosts_.back()->seal();
  }
}

void SimgridPlatform::route_star(const Fabric& fabric) {
  for (std::uint32_t i = 0; i < fabric.hosts(); ++i) {
    auto* const host = hosts_[i]->get_netpoint();
    zone_->add_route(host, nullptr, nullptr, nullptr, {s4u::LinkInRoute(links_[2 * i])}, false);
    zone_->add_route(nullptr, host, nullptr, nullptr, {s4u::LinkInRoute(links_[2 * i + 1])}, false);
  }
}

void SimgridPlatform::route_pairs(const Fabric& fabric) {
  for (std::uint32_t from = 0; from < fabric.hosts(); ++from)
    for (std::uint32_t to = 0; to < fabric.hosts(); ++to)
      if (from != to) add_route(from, to, fabric.path(from, to));
}

void SimgridPlatform::add_route(std::uint32_t from, std::uint32_t to,
                                const std::vector<std::uint32_t>& path) {
  std::vector<s4u::LinkInRoute> links;
  for (const std::uint32_t link : path) links.emplace_back(links_[link]);
  zone_->add_route(hosts_[from]->get_netpoint(), hosts_[to]->get_netpoint(), nullptr, nullptr,
                   links, false);
}

}  // namespace syncsim::bench
