#pragma once
// What there is to say of a machine without running anything on it: its nodes, boxes and cables,
// what its ranks can send, what joins its halves, how it routes; and one route in detail. Written
// by formats/machine_text.cpp and machine_json.cpp. Node ids are compressed ("gpu[0-7]",
// id_pattern.h).

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/topology/routing.h"
#include "sim/topology/topology.h"

namespace syncsim {

using IdTexts = std::vector<std::string>;

struct MachineCounts {
  std::int64_t ranks = 0;
  std::int64_t nodes = 0;
  std::int64_t cables = 0;  // those of a bundle too
};
MachineCounts counts_of(const Topology& topology);
std::string to_string(const MachineCounts& counts);  // "8 ranks, 18 nodes, 41 cables"

// Cables with the same figures, which are those of one of them. The back's differ from the there's
// in few machines.
struct CableGroup {
  Link there;
  Link back;
  std::int64_t cables = 0;
};

// Ranks that send the same over their own links, by kind.
struct Injection {
  struct Part {
    double rate = 0;  // bytes per second
    std::int64_t cables = 0;
    friend bool operator==(const Part&, const Part&) = default;
  };
  IdTexts ranks;
  std::map<LinkKind, Part> parts;
};

// The nics together, at their ports.
struct NetworkPorts {
  std::int64_t nics = 0;
  double rate = 0;  // bytes per second
};

// See sim/topology/bisection.h.
struct Halves {
  std::string over;
  double rate = 0;
  IdTexts senders;
  IdTexts receivers;
  bool is_least = false;
};

// Nodes with the same ability or limit: "transit 24 GB/s".
struct NodeNote {
  std::string note;
  IdTexts nodes;
};

struct RouteReport {
  // A resource that a flow uses `coefficient` times its rate of.
  struct Step {
    std::string name;
    std::string kind;  // of the link, or "transit"
    double capacity = 0;
    double coefficient = 1;
    Time latency;
  };
  std::string from;
  std::string to;
  std::uint32_t channel = 0;
  IdTexts path;  // nodes in order; those that a spread flow passes at once are one text
  std::vector<Step> steps;
  int hops = 0;
  int route_class = 0;
  Time latency;
  Time overhead;
  double rate = 0;                 // bytes per second: of a flow alone
  std::string bottleneck;          // the step that sets it; empty for a route of no steps
  std::vector<std::string> notes;  // staging_note.h
};

struct MachineReport {
  std::string topology;
  std::string description;
  std::string source;
  std::vector<std::string> edits;
  Rates rates = Rates::line;
  MachineCounts counts;
  std::map<NodeKind, std::int64_t> nodes;
  std::int64_t boxes = 0;  // with ranks in them
  IdTexts rank_nodes;
  std::vector<NodeNote> notes;
  std::vector<CableGroup> links;
  std::vector<Injection> injection;
  NetworkPorts network;
  std::vector<Halves> bisection;
  RoutingPolicy routing;
  std::vector<std::string> nics;  // "gpu0 uses nic1"
  std::optional<RouteReport> route;
};

MachineReport machine_report(const Topology& topology, Rates rates);
RouteReport route_report(const Topology& topology, Rates rates, NodeId from, NodeId to,
                         std::uint32_t channel);

std::string machine_text(const MachineReport& report);
std::string machine_json(const MachineReport& report);  // one object

}  // namespace syncsim
