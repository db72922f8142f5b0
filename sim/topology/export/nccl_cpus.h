#pragma once
// Cpus as NCCL's format says them: by model, from which a reader takes the links between sockets.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/topology/export/nccl_losses.h"
#include "sim/topology/export/nccl_tree.h"
#include "sim/topology/import/link_rates.h"
#include "sim/topology/import/nccl_names.h"
#include "sim/topology/topology.h"

namespace syncsim {

struct NcclCpuText {
  std::int64_t numa = 0;
  std::size_t host = 0;  // cpus of one machine have the same: joined by sockets, or by their gpus
  std::optional<CpuModel> model;
};

// One a cpu. Adds what is lost to `losses`.
std::vector<NcclCpuText> nccl_cpu_texts(const Topology& topology, const LinkRates& rates,
                                        const PciTree& tree, NcclLosses& losses);

}  // namespace syncsim
