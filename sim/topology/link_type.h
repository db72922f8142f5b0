#pragma once
// A link type is a link without ends, with the figures of one cable:
//   {"kind": "pcie", "bandwidth": "16 GB/s", "usable": "12 GB/s", "latency": "0 us",
//    "overhead": "0 us", "duplex": "full", "spread": "per_channel", "lanes": 16, "generation": 3}
// Required: kind and bandwidth. Defaults: usable = bandwidth, no latency, no overhead, full duplex,
// `stripe` for nvlink (NVSwitch planes interleave addresses) and `per_channel` for all others.
// `lanes` and `generation` are of kind pcie: they let edits speak of "width=x8" and "gen=4".

#include "sim/base/json_reader.h"
#include "sim/topology/topology.h"

namespace syncsim {

Link read_link_type(const JsonReader& json);

// `count` cables of this type as one link.
Link bundle_of(Link cable, int count);

// `count` lanes of a PCIe type as one link, of the same generation. It knows no lanes where no PCIe
// link is so wide.
Link lanes_of(Link lane, int count);

// Appends both directions of a cable, or of a bundle of `link.count` cables; returns the first.
LinkId add_cable(Topology::Parts& parts, NodeId from, NodeId to, Link link);

}  // namespace syncsim
