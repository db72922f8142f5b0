#include "sim/scenario/store_servers.h"

#include <algorithm>

namespace syncsim {
namespace {

// By server the next one that differs; empty where all are the same.
template <class Server>
std::vector<Server> backups_of(const std::vector<Server>& servers) {
  std::vector<Server> backups;
  for (std::size_t i = 0; i < servers.size(); ++i)
    for (std::size_t ahead = 1; ahead < servers.size(); ++ahead) {
      const Server& next = servers[(i + ahead) % servers.size()];
      if (next == servers[i]) continue;
      backups.push_back(next);
      break;
    }
  return backups;
}

}  // namespace

StoreOptions store_options(const Training& training, const Topology& machine,
                           std::span<const NodeId> ranks) {
  const FaultField& faults = training.faults;
  StoreOptions options = store_on(*training.store, machine);
  if (!faults.servers_left.empty()) options.servers.clear();
  for (const std::string& name : faults.servers_left) options.servers.push_back(machine.node(name));
  if (faults.recovery != Recovery::replicate) return options;
  if (options.type != StoreType::dist)
    throw InputError("only servers of the store \"dist\" are replicated", "name that type");
  if (options.staleness != 0)
    throw InputError("servers of workers that run apart are not replicated",
                     "leave out one of staleness and \"replicate\"");
  options.servers = store_nodes(machine, ranks, options);
  options.backups = backups_of(options.servers);
  if (options.backups.empty() && faults.servers_left.empty())
    throw InputError("a single server has no other to replicate to", "name two servers or more");
  return options;
}

void require_servers(const Training& training) {
  if (!has_servers(training))
    throw InputError("no store has servers that fail", "add \"store\", or name other parts");
}

std::vector<std::string> server_names(const Training& training, const Topology& machine,
                                      std::span<const NodeId> ranks) {
  std::vector<std::string> names;
  for (const NodeId node : store_nodes(machine, ranks, store_options(training, machine, ranks)))
    names.push_back(machine.nodes()[node].id);
  return names;
}

std::vector<std::string> without_server(const std::vector<std::string>& servers,
                                        const std::string& lost, Recovery recovery) {
  if (recovery != Recovery::replicate) {
    std::vector<std::string> left = servers;
    left.erase(std::remove(left.begin(), left.end(), lost), left.end());
    return left;
  }
  const std::vector<std::string> backups = backups_of(servers);
  if (backups.empty()) return {};
  std::vector<std::string> left = servers;
  for (std::size_t i = 0; i < left.size(); ++i)
    if (left[i] == lost) left[i] = backups[i];
  return left;
}

}  // namespace syncsim
