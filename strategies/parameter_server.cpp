// A parameter server in s parts (Dive into Deep Learning, "Parameter Servers"; Li et al., OSDI
// 2014): each server owns a shard of the data; workers push their gradients' shards, servers add
// up, workers pull the sums. With m workers of bandwidth W and servers of bandwidth B each:
//   one after the other (chunks=1)   2 max(M/W, m M/(s B)): O(m) with one server, O(m/s) with s
//   overlapped, k chunks             (1 + 1/k) max(M/W, m M/(s B))
//   servers on the m workers         2 (m-1)/m M/B, as a ring
// Servers are CPUs or GPUs, of the workers' machines or of others. A GPU that is a rank adds to its
// own data.

#include <algorithm>
#include <limits>

#include "sim/base/quote.h"
#include "sim/topology/boxes.h"
#include "strategies/server_choice.h"
#include "strategies/servers.h"
#include "strategies/strategies.h"

namespace syncsim::strategy {
namespace {

std::vector<NodeId> joined(std::vector<NodeId> nodes, std::span<const NodeId> more) {
  nodes.insert(nodes.end(), more.begin(), more.end());
  return nodes;
}

std::vector<NodeId> server_nodes(const StrategyInput& input) {
  const AddingCpus cpus = adding_cpus(input.topology, input.ranks);
  const std::vector<NodeId> firsts = joined(cpus.spare, cpus.own);
  const std::vector<NodeId>& near = cpus.spare.empty() ? cpus.own : cpus.spare;
  const std::vector<NodeId> gpus(input.ranks.begin(), input.ranks.end());
  return chosen_servers(input, {.parameter = "servers",
                                .automatic = near.empty() ? gpus : near,
                                .pool = joined(joined(firsts, cpus.others), gpus)});
}

// Of one push or pull, in bytes/s; 0: none.
double maximum_rate(const StrategyInput& input, std::int64_t largest_shard) {
  constexpr auto kMostTime = static_cast<double>(std::numeric_limits<std::int64_t>::max());  // ps
  return input.parameters.read("max_rate", [&](const std::string& text) {
    if (text == "0") throw InputError("0 lets nothing pass", "write \"none\" for no limit");
    const double rate = text == "none" ? 0 : parse_bandwidth(text).bytes_per_second;
    if (static_cast<double>(largest_shard) * 1e12 / kMostTime > rate && text != "none")
      throw InputError(in_quotes(text) + " takes more than 106 days for a shard of " +
                           to_string(Bytes{largest_shard}),
                       "write a higher rate");
    return rate;
  });
}

std::int64_t largest_shard(const std::vector<int>& weights, ScheduleBuilder& builder) {
  std::int64_t largest = 0;
  for (const Slice& shard : builder.split(builder.data(), weights))
    largest = std::max(largest, shard.size());
  return largest;
}

}  // namespace

void emit_parameter_server(const StrategyInput& input, ScheduleBuilder& builder) {
  const std::vector<NodeId> nodes = server_nodes(input);
  const std::vector<int> weights = shard_weights(input, "weights", nodes.size());
  builder.note("servers: " + words_for(nodes, input));
  std::vector<Server> servers;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    servers.push_back({participant_on(nodes[i], input, builder), weights[i]});
  const double rate = maximum_rate(input, largest_shard(weights, builder));
  for (const std::uint16_t channel : {Server::kPush, Server::kPull})
    builder.channel(channel, {.maximum_rate = rate});
  emit_through_servers(chosen_workers(input, "workers"), servers,
                       piece_count(input, servers, builder), builder);
}

}  // namespace syncsim::strategy
