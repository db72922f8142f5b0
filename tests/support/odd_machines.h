#pragma once
// Machines at random: gpus joined directly and over switches, cables of uneven rates in each
// direction; every gpu reaches every other.

#include <random>

#include "tests/support/machines.h"

namespace syncsim::testing {

class OddMachines {
 public:
  explicit OddMachines(std::uint32_t seed) : random_(seed) {}

  Topology next(int gpus, int switches, int cables) {
    Topology::Parts parts;
    parts.name = "odd";
    add_gpus(parts, gpus);
    for (int i = 0; i < switches; ++i)
      add_node(parts, "switch" + std::to_string(i), NodeKind::switch_);
    for (NodeId node = 1; node < parts.nodes.size(); ++node)
      join(parts, node, static_cast<NodeId>(below(static_cast<int>(node))));
    for (int i = 0; i < cables; ++i) {
      const auto a = static_cast<NodeId>(below(gpus + switches));
      const auto b = static_cast<NodeId>(below(gpus + switches));
      if (a != b) join(parts, a, b);
    }
    return Topology(std::move(parts));
  }

  int below(int bound) { return static_cast<int>(random_() % static_cast<std::uint32_t>(bound)); }

 private:
  void join(Topology::Parts& parts, NodeId a, NodeId b) {
    for (const Link& link : parts.links)
      if (link.from == a && link.to == b) return;
    add_cable(parts, a, b, link_of(LinkKind::nvlink, gigabytes(1 + below(9))));
    Link& back = parts.links.back();
    back.bandwidth = back.usable = gigabytes(1 + below(9));
  }

  std::mt19937 random_;
};

}  // namespace syncsim::testing
