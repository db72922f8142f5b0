#pragma once
// A machine: nodes, directed links and ranks. A value; immutable once built, edits return copies.
//
// Invariants (the constructor checks them and throws InputError with the thing's name):
// 1. Node ids are unique, not empty, and hold no '-', '>', '@' or blanks; '/' joins prefixes.
// 2. A link joins two different existing nodes. Every cable is two links, one a direction, next to
//    each other: links 2c and 2c+1 are cable c, from -> to and back.
// 3. Link names are unique: cable "a-b" ("a-b@nvlink" where a and b share several kinds of cable,
//    which must then differ in kind), direction "a>b" ("a>b@nvlink"). A cable may be given either
//    name, for both of its directions.
// 4. Ranks are distinct nodes, at least one.
// 5. Bandwidths are finite and above zero, usable <= line; latencies and overheads are 0 to 1 s
//    (delay.h); peer costs are finite, at least 1; only PCIe links have lanes and a generation,
//    only gpus an architecture.
// 6. The routing policy gives nics to gpus, each gpu at most one.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/base/units.h"
#include "sim/topology/architecture.h"
#include "sim/topology/routing_policy.h"

namespace syncsim {

using NodeId = std::uint32_t;  // index into Topology::nodes()
using LinkId = std::uint32_t;  // index into Topology::links()

enum class NodeKind : std::uint8_t { gpu, cpu, switch_, nic };
// In the order in which routes prefer them: see sim/topology/routing.h for the classes.
enum class LinkKind : std::uint8_t { nvlink, xgmi, c2c, pcie, host, socket, network };
// How parallel ways are used by one flow: `stripe` spreads it over all of them (NVSwitch planes
// interleave addresses); `per_channel` gives each channel one of them.
enum class Spread : std::uint8_t { stripe, per_channel };
// Which of a link's two figures a run uses.
enum class Rates : std::uint8_t { line, usable };

std::string_view to_string(NodeKind kind);  // "gpu", "cpu", "switch", "nic"
std::string_view to_string(LinkKind kind);
std::string_view to_string(Rates rates);
NodeKind parse_node_kind(std::string_view text);  // throw InputError with did-you-mean
LinkKind parse_link_kind(std::string_view text);
Rates parse_rates(std::string_view text);

// What a switch can do with data that passes: add up (NVLink SHARP, InfiniBand SHARP), multiply.
struct Abilities {
  bool reduce = false;
  bool multicast = false;
  friend bool operator==(const Abilities&, const Abilities&) = default;
};

struct Node {
  std::string id;
  NodeKind kind = NodeKind::gpu;
  bool forwards = true;                        // false for gpus unless the file says so
  std::optional<Bandwidth> transit_bandwidth;  // shared by all flows that pass through
  std::optional<Bandwidth> reduce_bandwidth;   // bytes/s of incoming data it can add up
  // What a byte of peer traffic through this host bridge costs on the PCIe links beside it: 1.2
  // for Intel's, which cut packets to 64 bytes (NCCL, topo.h).
  double peer_cost = 1;
  Abilities abilities;
  Architecture architecture;  // of gpus
};

// One direction of a cable. Figures are for all `count` parallel cables together.
struct Link {
  NodeId from = 0;
  NodeId to = 0;
  std::string name;  // "gpu0>switch0"
  LinkKind kind = LinkKind::pcie;
  Bandwidth bandwidth;  // line rate
  Bandwidth usable;     // what a kernel gets of it; equal to `bandwidth` when not stated
  Time latency;
  Time overhead;  // fixed cost of launching one transfer over it
  int count = 1;  // parallel cables
  Spread spread = Spread::per_channel;
  bool half_duplex = false;  // both directions share one capacity
  // Of PCIe links that say so; 0: unknown. They do not enter into the bandwidth; edits of them do.
  std::uint8_t lanes = 0;
  std::uint8_t generation = 0;

  Bandwidth rate(Rates rates) const { return rates == Rates::line ? bandwidth : usable; }
};

class Topology {
 public:
  struct Parts {
    std::string name;
    std::string description;
    std::string source;
    std::vector<Node> nodes;
    std::vector<Link> links;  // names may be empty: the constructor names them by rule 3
    std::vector<NodeId> ranks;
    RoutingPolicy routing;
  };
  explicit Topology(Parts parts);

  const std::string& name() const { return parts_.name; }
  const std::string& description() const { return parts_.description; }
  const std::string& source() const { return parts_.source; }
  const std::vector<Node>& nodes() const { return parts_.nodes; }
  const std::vector<Link>& links() const { return parts_.links; }
  const std::vector<NodeId>& ranks() const { return parts_.ranks; }
  const RoutingPolicy& routing() const { return parts_.routing; }
  const Parts& parts() const { return parts_; }

  std::optional<NodeId> find_node(std::string_view id) const;
  NodeId node(std::string_view id) const;                  // throws InputError with did-you-mean
  std::vector<NodeId> nodes_of_kind(NodeKind kind) const;  // in file order

  // The cable's name, direction-free: "gpu0-switch0".
  std::string cable_name(LinkId link) const;

 private:
  Parts parts_;
  std::unordered_map<std::string, NodeId> index_;
};

}  // namespace syncsim
