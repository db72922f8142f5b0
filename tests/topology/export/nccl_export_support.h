#pragma once
// Small machines for tests of NCCL's XML as it is written.

#include <doctest/doctest.h>

#include "sim/topology/export/nccl_xml.h"
#include "tests/topology/import/nccl_support.h"

namespace syncsim::testing {

inline Exported exported(const Topology& topology) { return nccl_xml(topology, shipped_rates()); }

// A machine of our own format: nodes and links in its short form, link types by name.
inline Topology machine(std::string_view nodes, std::string_view links,
                        std::string_view more = "") {
  return read_machine(fmt::format(
      R"({{"name": "m", "link_types": {{
        "x16": {{"kind": "pcie", "bandwidth": "15.75 GB/s", "usable": "12 GB/s"}},
        "odd": {{"kind": "pcie", "bandwidth": "16 GB/s", "usable": "12 GB/s"}},
        "nvlink": {{"kind": "nvlink", "bandwidth": "25 GB/s", "usable": "20 GB/s"}},
        "sum": {{"kind": "nvlink", "bandwidth": "300 GB/s", "usable": "240 GB/s"}},
        "odd_nvlink": {{"kind": "nvlink", "bandwidth": "24 GB/s", "usable": "20 GB/s"}},
        "xgmi": {{"kind": "xgmi", "bandwidth": "50 GB/s", "usable": "36 GB/s"}},
        "socket": {{"kind": "socket", "bandwidth": "16 GB/s"}},
        "qpi": {{"kind": "socket", "bandwidth": "19.2 GB/s", "usable": "6 GB/s"}},
        "slow": {{"kind": "socket", "bandwidth": "15 GB/s"}},
        "c2c": {{"kind": "c2c", "bandwidth": "450 GB/s"}},
        "host": {{"kind": "host", "bandwidth": "20 GB/s"}},
        "net": {{"kind": "network", "bandwidth": "12.5 GB/s", "usable": "12 GB/s"}},
        "late": {{"kind": "pcie", "bandwidth": "15.75 GB/s", "usable": "12 GB/s",
                  "latency": "1 us"}},
        "half": {{"kind": "pcie", "bandwidth": "15.75 GB/s", "usable": "12 GB/s",
                  "duplex": "half"}}
      }}, "nodes": [{}], "links": [{}] {}}})",
      nodes, links, more));
}

inline constexpr std::string_view kTwoGpus = R"({"id": "gpu[0-1]", "kind": "gpu"},
                                         {"id": "cpu0", "kind": "cpu"},
                                         {"id": "plx0", "kind": "switch"})";
inline constexpr std::string_view kBelowSwitch =
    R"({"between": ["gpu[0-1]", "plx0"], "type": "x16"},
                                             {"between": ["plx0", "cpu0"], "type": "x16"})";

inline Topology two_gpus(std::string_view nodes, std::string_view links,
                         std::string_view more = "") {
  return machine(fmt::format("{}{}", kTwoGpus, nodes), fmt::format("{}{}", kBelowSwitch, links),
                 more);
}

inline Lines losses(const Topology& topology) { return exported(topology).warnings; }

}  // namespace syncsim::testing
