#pragma once
// A machine as NCCL topology XML (NCCL_TOPO_FILE), RCCL's elements where it has xGMI. What
// import/nccl_xml.h makes of an import is written so that it is read back as the same machine.
// The format knows: PCIe as a tree below each cpu, at a generation and a width; socket links
// between all cpus of a host; NVLink and xGMI by count and compute capability; NVSwitches, as one;
// C2C; nics with the speed of their ports. Bus ids are invented. What else a machine says is left
// out, or written as what is nearest, with a warning each.
// Throws InputError for a machine without gpus, for PCIe links that are no tree, and for several
// boxes of gpus around network switches that pass data on.

#include "sim/topology/export/exporter.h"
#include "sim/topology/import/link_rates.h"
#include "sim/topology/topology.h"

namespace syncsim {

// A warning reads "gpu0-plx0: latency is left out".
Exported nccl_xml(const Topology& topology, const LinkRates& rates);

}  // namespace syncsim
