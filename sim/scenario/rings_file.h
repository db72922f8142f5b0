#pragma once
// Rings that a file gives to a run: `rings` of a point, or --rings. The file is
//   a log of NCCL or RCCL, or one of their graph files   sim/topology/import/nccl_rings.h
//   text such as "0,3,2,1 x2; 0,1,3,2"                   what `syncsim topology rings` writes
// They become the strategy's parameter `rings`; its ranks are those of the run.

#include <map>
#include <span>
#include <string>

#include "sim/scenario/point.h"
#include "sim/topology/topology.h"

namespace syncsim {

struct GivenParameters {
  std::map<std::string, std::string> values;
  std::map<std::string, std::string> places;
};

// The point's parameters, with what its file of rings says on these ranks. Throws InputError when
// both give rings, or the file names a nic that the machine has not.
GivenParameters given_parameters(const Point& point, const Topology& machine,
                                 std::span<const NodeId> ranks);

// The parameter's text.
std::string load_rings(const std::string& path, const Topology& machine,
                       std::span<const NodeId> ranks);

}  // namespace syncsim
