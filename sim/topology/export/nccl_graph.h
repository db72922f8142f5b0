#pragma once
// Rings as a graph file for NCCL_GRAPH_FILE: one graph of pattern 4; NCCL searches the others (its
// trees) itself. import/nccl_ring_graph.h says how it is read, here and by NCCL.
// 1. A ring of multiplicity m is m channels; NCCL has room for 32 before it doubles them.
// 2. speedintra and speedinter: what a channel gets in GB/s of usable rates when all run at once,
//    on the hops inside of a box and between boxes; typeintra, typeinter: their worst path, from
//    GPU to GPU and from GPU to NIC (LOC NVL NVB PIX PXB PXN PHB SYS).
// 3. dev: a GPU's number in its box of the machine, a NIC's the same. In one box each GPU also has
//    its `rank`, which newer versions take, so that any order of ranks comes back.
// 4. NCCL reads the file on every node, and joins the nodes in order. So rings through several
//    boxes can be written only if box i holds the ranks i k to i k + k-1, on GPUs with the same
//    numbers, and if each ring passes the boxes in order, each in the same way; or, which is
//    crossnic 2, odd ones as the ring beside (c xor 1) passes even ones. NICs are those by which
//    the first box is left and entered.
// Throws InputError without a place for other rings.

#include <span>
#include <string>

#include "sim/topology/embedding.h"
#include "sim/topology/topology.h"

namespace syncsim {

std::string nccl_graph_xml(const Topology& topology, std::span<const NodeId> ranks,
                           std::span<const Ring> rings);

}  // namespace syncsim
