#pragma once
// What a machine says and NCCL's format has no word for, one line each, however often it occurs.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sim/topology/export/nccl_tree.h"
#include "sim/topology/topology.h"

namespace syncsim {

class NcclLosses {
 public:
  // "gpu0-plx0: latency is left out"; `thing` may be empty.
  void add(std::string_view thing, std::string what);
  // In order of the first of each: "gpu0-plx0 and 7 more: latency is left out".
  std::vector<std::string> lines() const;

 private:
  struct Entry {
    std::string first;
    std::string what;
    int more;
  };
  std::vector<Entry> entries_;
  std::unordered_map<std::string, std::size_t> known_;  // what -> its entry
};

// What is lost whatever is written.
void find_nccl_losses(const Topology& topology, const PciTree& tree, bool several_hosts,
                      NcclLosses& losses);

}  // namespace syncsim
