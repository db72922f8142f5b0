#pragma once
// Generated machines, and what the tests count in them.

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "sim/topology/routing.h"
#include "tests/support/machines.h"
#include "tests/topology/json_support.h"

namespace syncsim::testing {

using Names = std::vector<std::string>;

inline constexpr const char* kLink = R"("link": {"kind": "network", "bandwidth": "10 GB/s",
                                                 "latency": "2 us"})";

// Two gpus and two nics on a switch.
inline constexpr const char* kBox = R"({"name": "box",
  "link_types": {"x16": {"kind": "pcie", "bandwidth": "16 GB/s"}},
  "nodes": [{"id": "gpu[0-1]", "kind": "gpu"}, {"id": "plx0", "kind": "switch"},
            {"id": "nic[0-1]", "kind": "nic"}],
  "links": [{"between": ["gpu[0-1]", "plx0"], "type": "x16"},
            {"between": ["nic[0-1]", "plx0"], "type": "x16"}]})";

// {"kind": `kind`, `fields`, "link": ...}
inline std::string kind_text(const std::string& kind, const std::string& fields) {
  return R"({"kind": ")" + kind + R"(", )" + fields + ", " + kLink + "}";
}

inline Topology generated(const std::string& kind, const std::string& fields) {
  return read_machine(kind_text(kind, fields));
}

inline std::string kind_refusal(const std::string& kind, const std::string& fields) {
  return refusal_of([&] { generated(kind, fields); });
}

// "machines": n, "machine": a box
inline std::string boxes(int count) {
  return R"("machines": )" + std::to_string(count) + R"(, "machine": )" + kBox;
}

inline std::size_t count_cables(const Topology& topology) { return topology.links().size() / 2; }

// Ids that begin so.
inline std::size_t count_nodes(const Topology& topology, const std::string& prefix) {
  return static_cast<std::size_t>(
      std::count_if(topology.nodes().begin(), topology.nodes().end(),
                    [&](const Node& node) { return node.id.starts_with(prefix); }));
}

// Single cables at each node whose id begins so; -1 where nodes differ.
inline int degree(const Topology& topology, const std::string& prefix) {
  std::vector<int> degrees(topology.nodes().size());
  for (const Link& link : topology.links()) degrees[link.from] += link.count;
  int common = -1;
  for (NodeId node = 0; node < degrees.size(); ++node) {
    if (!topology.nodes()[node].id.starts_with(prefix)) continue;
    if (common != -1 && common != degrees[node]) return -1;
    common = degrees[node];
  }
  return common;
}

// Single cables between the nodes for which `is_left` holds and the others.
template <class IsLeft>
int cut(const Topology& topology, const IsLeft& is_left) {
  int count = 0;
  for (const Link& link : topology.links())
    if (is_left(link.from) && !is_left(link.to)) count += link.count;
  return count;
}

// Hops between all pairs of ranks.
inline std::vector<std::vector<int>> distances(const Topology& topology) {
  const Resources resources(topology, Rates::line);
  Router router(topology, resources);
  std::vector<std::vector<int>> hops;
  for (const NodeId from : topology.ranks()) {
    hops.emplace_back();
    for (const NodeId to : topology.ranks()) hops.back().push_back(router.find(from, to).hops);
  }
  return hops;
}

inline int diameter(const Topology& topology) {
  int most = 0;
  for (const std::vector<int>& row : distances(topology))
    most = std::max(most, *std::max_element(row.begin(), row.end()));
  return most;
}

}  // namespace syncsim::testing
