#pragma once
// The servers of a training step's store on its machine, with who backs up whom, and what is left
// of them when some are lost.

#include <span>
#include <string>
#include <vector>

#include "sim/scenario/training.h"

namespace syncsim {

// The store's options: its servers, less those that are lost, and where they are replicated the
// next one on another node as each one's backup. Throws InputError without a place where there is
// none.
StoreOptions store_options(const Training& training, const Topology& machine,
                           std::span<const NodeId> ranks);

// Whether the step has a store that lives on servers.
inline bool has_servers(const Training& training) {
  return training.store && sums_itself(*training.store);
}
// Throws InputError without a place where it has none.
void require_servers(const Training& training);
// The nodes of the store's servers.
std::vector<std::string> server_names(const Training& training, const Topology& machine,
                                      std::span<const NodeId> ranks);

// Without one: with replicas its backup serves in its place, else the others share its keys. Empty
// where nobody is left.
std::vector<std::string> without_server(const std::vector<std::string>& servers,
                                        const std::string& lost, Recovery recovery);

}  // namespace syncsim
