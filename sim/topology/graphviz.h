#pragma once
// A machine as a picture, in Graphviz's DOT text. Places are worked out here and written down
// (layout=nop2), so that every version of Graphviz draws the same and none of them searches long.
//
// 1. Up to 24 GPUs that are in no identical boxes: every node, CPUs on top with the PCIe tree below
//    them (a frame a socket and a box), NVSwitches and networks below the GPUs, meshes as arcs.
// 2. Otherwise each box (what shares an id up to its last '/') is one figure; beyond 8 of them
//    figures of one role with links to the same kinds of figures are drawn as one, with a count:
//    what differs, such as the box with a slow link, stands apart.
// 3. Parallel switches are always one figure. A mesh, torus, ring or hypercube of up to 256 GPUs or
//    boxes and nothing else is drawn as such. Never more than 256 figures.
// Lines: coloured by kind, or by utilization where `heat` is given (of several links as one line,
// the busiest one's; the label has the mean too); their width is the logarithm of the bandwidth. "2
// x 25 GB/s": cables and the rate of each, per direction. Up to 160 labels, kept apart.

#include <optional>
#include <string>
#include <vector>

#include "sim/topology/topology.h"

namespace syncsim {

// Utilization from 0 to 1.
struct Heat {
  std::vector<double> links;    // by LinkId, of each direction
  std::vector<double> transit;  // by NodeId, of what passes through; 0 where that has no limit
  std::string title;            // what ran: "allreduce by ring, 160 MB in 15.0000 ms"
};

enum class Folding : std::uint8_t { automatic, never };  // never: rule 1 for all machines

struct DrawingOptions {
  Rates rates = Rates::line;
  Folding folding = Folding::automatic;
  std::vector<std::string> edits = {};  // those in force, to be named
  std::optional<Heat> heat = {};
};

// Throws InputError without a place for a machine that would be too large unfolded.
std::string graphviz(const Topology& topology, const DrawingOptions& options);

}  // namespace syncsim
