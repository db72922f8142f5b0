#pragma once
// What a library's times depend on beside the machine and the collective: which library, how its
// processes were started, what carries data between nodes, and what the environment pinned.

#include <cstdint>
#include <optional>
#include <string>

#include "sim/exec/nccl/nccl_formula.h"

namespace syncsim {

// How the ranks were started: it adds to every time.
enum class Launch : std::uint8_t { unknown, one_process, process_per_gpu, graph };
// What carries what goes from node to node.
enum class Network : std::uint8_t { none, infiniband, roce, slingshot, efa, tcpxo, tcp };

struct LibraryTerms {
  std::string library;  // "nccl", "rccl", "none"; empty: by the maker of the gpus
  std::string version;  // "2.19.3"; empty: not said, taken as a present one
  Launch launch = Launch::unknown;
  std::optional<Network> network;  // none given: InfiniBand where the machine has several nodes
  NcclPins pins;
  std::string algorithm;  // "ring", "tree", "nvls", "nvls_tree", "pat" (NCCL_ALGO), or a strategy
                          // that ran in place of the library's own choice; empty: that choice
  std::string costs;      // a file in place of topologies/rates/library_costs.json; empty: that one
};

}  // namespace syncsim
