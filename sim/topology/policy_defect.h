#pragma once
// Whether a machine can do what its routing policy asks for (routing_policy.h), found without
// routing its pairs:
// 1. A nic that is given to a gpu is one that it reaches without the network.
// 2. P2P at LOC: a rank that shares its machine (what links other than the network join) with other
//    gpus has a cpu near it, and that cpu reaches them all without the network.
// 3. P2P at NVL, or ACS: a gpu rank that has no cpu near it has NVLink to all gpu ranks of its
//    machine, unless gpus relay.
// 4. Without GPUDirect, or ACS: a gpu rank that shares its machine with nics, but not with all
//    other ranks, has a cpu near it.
// What is left (P2P at PIX or PXB where no cpu is) shows when such a pair is routed.

#include <optional>

#include "sim/base/error.h"
#include "sim/topology/topology.h"

namespace syncsim {

// The first defect, as an error without a place. O(nodes + links), but for machines of rule 2 whose
// cpus do not forward and of rule 3 without cpus: there for each such cpu or gpu.
std::optional<InputError> policy_defect(const Topology& topology);

// That the policy needs a cpu near a device, and there is none.
InputError no_cpu_near(const Node& device);

}  // namespace syncsim
