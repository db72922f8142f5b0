#pragma once
// The PCI tree that NCCL's format needs: each device below one switch or cpu.

#include <optional>
#include <vector>

#include "sim/topology/topology.h"

namespace syncsim {

struct PciTree {
  struct Place {
    std::optional<NodeId> above;  // none: directly below its cpu, by no link of its own
    LinkId link = 0;              // up, where there is one
    std::size_t root = 0;         // in `cpus`
  };
  std::vector<NodeId> cpus;                // in order of nodes; may be empty
  std::vector<std::optional<Place>> of;    // by node; none: no part of the tree
  std::vector<std::vector<NodeId>> below;  // by node, in order of nodes
  std::vector<NodeId> loose;               // directly below the first cpu, by no link
};

// Throws InputError where PCIe links make a loop or lead on through a gpu or nic.
PciTree pci_tree(const Topology& topology);

// Network switches that pass data on make a cluster of several boxes. Throws InputError for one.
void refuse_cluster(const Topology& topology);

}  // namespace syncsim
