#pragma once
// The fast cables of gpus as NCCL's format says them: by the generation of the gpu and a count.

#include <string>
#include <string_view>
#include <vector>

#include "sim/topology/export/nccl_losses.h"
#include "sim/topology/export/nccl_tree.h"
#include "sim/topology/import/link_rates.h"
#include "sim/topology/topology.h"

namespace syncsim {

struct NcclCableText {
  std::string_view element;  // "nvlink", "xgmi" or "c2c"
  NodeId target = 0;
  int count = 1;
  Bandwidth each;  // of c2c
};

struct NcclGpuText {
  std::string generation;  // R"( sm="80")", R"( sm="104" gcn="910")"; empty: not said
  std::vector<NcclCableText> cables;
};

// By node, empty for all but gpus. Adds what is lost to `losses`.
std::vector<NcclGpuText> nccl_gpu_texts(const Topology& topology, const LinkRates& rates,
                                        const PciTree& tree, NcclLosses& losses);

}  // namespace syncsim
