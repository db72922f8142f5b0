#include "strategies/packing/rank_graph.h"

#include <algorithm>

namespace syncsim::strategy {

RankGraph::RankGraph(const Topology& topology, std::span<const NodeId> ranks, Plane plane)
    : ranks_(ranks.begin(), ranks.end()),
      resources_(topology, Rates::line),
      router_(topology, resources_, 0, plane) {}

bool RankGraph::is_connected() {
  return std::all_of(ranks_.begin(), ranks_.end(),
                     [&](NodeId rank) { return router_.reachable(ranks_.front(), rank); });
}

const Route& RankGraph::route(int from, int to, int channel) {
  const auto turn = static_cast<std::size_t>(channel);
  if (routes_.size() <= turn) routes_.resize(turn + 1);
  if (routes_[turn].empty()) routes_[turn].resize(ranks_.size() * ranks_.size(), nullptr);
  const auto source = static_cast<std::size_t>(from);
  const auto sink = static_cast<std::size_t>(to);
  const Route*& known = routes_[turn][source * ranks_.size() + sink];
  if (known == nullptr)
    known = &router_.route(ranks_[source], ranks_[sink], static_cast<std::uint32_t>(channel));
  return *known;
}

std::vector<RankGraph::Direct> RankGraph::direct_links() {
  std::vector<Direct> links;
  for (int a = 0; a < ranks(); ++a)
    for (int b = a + 1; b < ranks(); ++b) {
      const Route& there = route(a, b, 0);
      const Route& back = route(b, a, 0);
      if (there.hops == 1 && back.hops == 1)
        links.push_back({{a, b}, std::min(there.bottleneck, back.bottleneck)});
    }
  return links;
}

}  // namespace syncsim::strategy
