// A parameter server in s parts (Dive into Deep Learning, "Parameter Servers"; Li et al., OSDI
// 2014): each server owns a shard of the data; workers push their gradients' shards, servers add
// up, workers pull the sums. With m workers of bandwidth W and servers of bandwidth B each:
//   one after the other (chunks=1)   2 max(M/W, m M/(s B)): O(m) with one server, O(m/s) with s
//   overlapped, k chunks             (1 + 1/k) max(M/W, m M/(s B))
//   servers on the m workers         2 (m-1)/m M/B, as a ring
// Servers are CPUs or GPUs, of the workers' machines or of others. A GPU that is a rank adds to its
// own data.

#include <fmt/format.h>

#include <algorithm>

#include "sim/base/quote.h"
#include "sim/base/text.h"
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
  const AddingNodes cpus = adding_nodes(input);
  const std::vector<NodeId> firsts = joined(cpus.spare, cpus.own);
  const std::vector<NodeId>& near = cpus.spare.empty() ? cpus.own : cpus.spare;
  const std::vector<NodeId> gpus(input.ranks.begin(), input.ranks.end());
  return chosen_servers(input, {.parameter = "servers",
                                .automatic = near.empty() ? gpus : near,
                                .pool = joined(joined(firsts, cpus.others), gpus)});
}

// Of the shards.
std::vector<int> weights_of(const StrategyInput& input, std::size_t servers) {
  return input.parameters.read("weights", [&](const std::string& text) {
    if (text == "equal") return std::vector<int>(servers, 1);
    constexpr std::int64_t kMost = 1'000'000;
    std::vector<int> weights;
    for (const std::string_view weight : separated(text, ','))
      weights.push_back(static_cast<int>(parse_integer(weight, 0, kMost)));
    if (weights.size() != servers || *std::max_element(weights.begin(), weights.end()) == 0)
      throw InputError(fmt::format("{} for {} servers", in_quotes(text), servers),
                       "write a whole number for each, not all 0, or equal");
    return weights;
  });
}

// Who pushes: every rank its own gradient, or every machine the sum of its ranks'.
std::vector<Worker> workers_of(const StrategyInput& input) {
  const std::string_view chosen = input.parameters.choice("workers", {"auto", "ranks", "machines"});
  std::vector<Worker> machines = ranks_by_machine(input);
  if (chosen == "machines" || (chosen == "auto" && machines.size() > 1)) return machines;
  std::vector<Worker> ranks;
  for (ParticipantId rank = 0; rank < input.ranks.size(); ++rank) ranks.push_back({rank});
  return ranks;
}

// Of one push or pull, in bytes/s; 0: none.
double maximum_rate(const StrategyInput& input) {
  return input.parameters.read("max_rate", [](const std::string& text) {
    return text == "none" ? 0 : parse_bandwidth(text).bytes_per_second;
  });
}

}  // namespace

void emit_parameter_server(const StrategyInput& input, ScheduleBuilder& builder) {
  const std::vector<NodeId> nodes = server_nodes(input);
  const std::vector<int> weights = weights_of(input, nodes.size());
  builder.note("servers: " + words_for(nodes, input));
  std::vector<Server> servers;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    servers.push_back({participant_on(nodes[i], input, builder), weights[i]});
  for (const std::uint16_t channel : {Server::kPush, Server::kPull})
    builder.channel(channel, {.maximum_rate = maximum_rate(input)});
  emit_through_servers(workers_of(input), servers, piece_count(input, builder), builder);
}

}  // namespace syncsim::strategy
