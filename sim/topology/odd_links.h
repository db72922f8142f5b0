#pragma once
// What a machine says of a link in two ways that cannot both be: its PCIe lanes and generation
// stand for a line rate, and its bandwidth is another, by more than a factor of two either way.
// Less is common: what a virtual machine gets, or a rate that somebody rounded. It is no error, as
// edits may say so ("what if this link were slow?"), so it is for warnings.

#include <string>
#include <vector>

#include "sim/topology/topology.h"

namespace syncsim {

// One line for all such links: "gpu0-plx0 and 3 more: ...". Empty when there are none.
std::vector<std::string> odd_links(const Topology& machine);

}  // namespace syncsim
