#include "bench/flow_work.h"

#include <cstddef>

namespace syncsim::bench {
namespace {

// The engine's routes, added as pairs of hosts are met.
class RouteMaker {
 public:
  RouteMaker(engine::Network& network, const Fabric& fabric)
      : network_(network),
        fabric_(fabric),
        known_(std::size_t{fabric.hosts()} * fabric.hosts(), kUnknown) {}

  engine::RouteIndex route(std::uint32_t from, std::uint32_t to) {
    engine::RouteIndex& known = known_[std::size_t{from} * fabric_.hosts() + to];
    if (known == kUnknown) known = add(from, to);
    return known;
  }

 private:
  static constexpr engine::RouteIndex kUnknown = 0xffffffffu;

  engine::RouteIndex add(std::uint32_t from, std::uint32_t to) {
    std::vector<engine::Use> uses;
    for (const std::uint32_t link : fabric_.path(from, to)) uses.push_back({link, 1});
    return network_.add_route(uses);
  }

  engine::Network& network_;
  const Fabric& fabric_;
  std::vector<engine::RouteIndex> known_;  // by pair
};

}  // namespace

FlowWork::FlowWork(const FlowGraph& graph)
    : graph_(graph), network_(std::vector<double>(graph.fabric().links(), kBandwidth)) {
  RouteMaker maker(network_, graph.fabric());
  for (std::uint32_t op = 0; op < graph.size(); ++op) {
    const Flow& flow = graph[op];
    const bool transfer = flow.bytes > 0;
    routes_.push_back(transfer ? maker.route(flow.source, flow.destination) : 0);
    if (!transfer && flow.duration == 0) {
      lane_of_.push_back(engine::kNoLane);
      continue;
    }
    lane_of_.push_back(lane_count());
    lanes_.push_back({{transfer ? 2 * kHostLatency : 0}, {}, 1, 0});
  }
}

}  // namespace syncsim::bench
