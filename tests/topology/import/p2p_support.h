#pragma once
// Sections of p2pBandwidthLatencyTest, and machines that they are fitted onto.

#include <doctest/doctest.h>
#include "sim/topology/routing.h"
#include "tests/topology/import/matrix_support.h"

namespace syncsim::testing::p2p {

using testing::import_matrix;
using Lines = std::vector<std::string>;

inline const std::string kConnectivity = "P2P Connectivity Matrix\n";
inline const std::string kOneWayOff = "Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)\n";
inline const std::string kOneWayOn =
    "Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)\n";
inline const std::string kReads =
    "Unidirectional P2P=Enabled Bandwidth (P2P Reads) Matrix (GB/s)\n";
inline const std::string kBothWaysOff = "Bidirectional P2P=Disabled Bandwidth Matrix (GB/s)\n";
inline const std::string kBothWaysOn = "Bidirectional P2P=Enabled Bandwidth Matrix (GB/s)\n";
inline const std::string kLatencyOff = "P2P=Disabled Latency Matrix (us)\n";
inline const std::string kLatencyOn = "P2P=Enabled Latency (P2P Writes) Matrix (us)\n";

// gpu0 and gpu1 joined by two NVLinks, gpu2 reached over PCIe only.
inline const char* const kMachine = R"({
  "name": "m", "link_types": {
    "nvlink": {"kind": "nvlink", "bandwidth": "25 GB/s", "latency": "9 us"},
    "pcie": {"kind": "pcie", "bandwidth": "16 GB/s", "usable": "10 GB/s"}},
  "nodes": [{"id": "gpu[0-2]", "kind": "gpu"}, {"id": "plx0", "kind": "switch"},
            {"id": "cpu0", "kind": "cpu"}],
  "links": [{"between": ["gpu0", "gpu1"], "type": "nvlink", "count": 2},
            {"between": ["gpu[0-2]", "plx0"], "type": "pcie"},
            {"between": ["plx0", "cpu0"], "type": "pcie"}]})";

inline const char* const kPair = R"({
  "name": "pair", "source": "s",
  "link_types": {"pcie": {"kind": "pcie", "bandwidth": "16 GB/s", "usable": "12 GB/s"}},
  "nodes": [{"id": "gpu[0-1]", "kind": "gpu"}, {"id": "plx0", "kind": "switch"},
            {"id": "cpu0", "kind": "cpu"}],
  "links": [{"between": ["gpu[0-1]", "plx0"], "type": "pcie"},
            {"between": ["plx0", "cpu0"], "type": "pcie"}]})";

inline testing::MatrixMachine fit(const std::string& text, std::string_view machine = kMachine) {
  return import_matrix("p2p", text, "", testing::read_machine(machine));
}

inline std::string refusal(const std::string& text, std::string_view machine = kMachine) {
  return testing::refusal_of([&] { fit(text, machine); });
}

inline const Link& link(const Topology& machine, std::string_view name) {
  for (const Link& link : machine.links())
    if (link.name == name) return link;
  throw InternalError("no such link");
}

inline double usable(const Topology& machine, std::string_view name) {
  return link(machine, name).usable.bytes_per_second;
}

inline double route_rate(const Topology& machine, std::string_view from, std::string_view to) {
  const Resources resources(machine, Rates::usable);
  return Router(machine, resources).find(machine.node(from), machine.node(to)).bottleneck;
}

inline const std::string kRates =
    "   D\\D     0      1      2\n"
    "     0 500.00  46.50  11.00\n"
    "     1  47.25 501.00  12.50\n"
    "     2  11.50  12.25 502.00\n";

}  // namespace syncsim::testing::p2p
