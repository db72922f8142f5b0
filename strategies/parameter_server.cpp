// A parameter server in s parts (Dive into Deep Learning, "Parameter Servers"; Li et al., OSDI
// 2014): each server owns a shard of the data; workers push their gradients' shards, servers add
// up, workers pull the sums. With m workers of bandwidth W and servers of bandwidth B each:
//   one after the other (chunks=1)   2 max(M/W, m M/(s B)): O(m) with one server, O(m/s) with s
//   overlapped, k chunks             (1 + 1/k) max(M/W, m M/(s B))
//   servers on the m workers         2 (m-1)/m M/B, as a ring
// Servers are CPUs or GPUs, of the workers' machines or of others. A GPU that is a rank adds to its
// own data. The textbook's seven steps across machines are inside=one, via=cpu: gradients (1) are
// added up on one GPU of a machine (2), go to its CPU (3) and to the servers (4), which update and
// send back (5), to one GPU (6) and to all (7).

#include <algorithm>
#include <limits>

#include "sim/base/quote.h"
#include "sim/topology/boxes.h"
#include "sim/topology/delay.h"
#include "strategies/server_choice.h"
#include "strategies/servers.h"
#include "strategies/strategies.h"

namespace syncsim::strategy {
namespace {

std::vector<NodeId> with_more(std::vector<NodeId> nodes, std::span<const NodeId> more) {
  nodes.insert(nodes.end(), more.begin(), more.end());
  return nodes;
}

std::vector<NodeId> server_nodes(const StrategyInput& input) {
  const AddingCpus cpus = adding_cpus(input.topology, input.ranks);
  const std::vector<NodeId> firsts = with_more(cpus.spare, cpus.own);
  const std::vector<NodeId>& near = cpus.spare.empty() ? cpus.own : cpus.spare;
  const std::vector<NodeId> gpus(input.ranks.begin(), input.ranks.end());
  return chosen_servers(input, {.parameter = "servers",
                                .automatic = near.empty() ? gpus : near,
                                .pool = with_more(with_more(firsts, cpus.others), gpus)});
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

// Of each machine the first CPU.
std::vector<ParticipantId> cpus_of(const std::vector<Worker>& machines, const StrategyInput& input,
                                   ScheduleBuilder& builder) {
  std::vector<ParticipantId> cpus;
  for (const NodeId node : own_adding_nodes(input, machines)) {
    const Node& facts = input.topology.nodes()[node];
    if (facts.kind != NodeKind::cpu)
      throw input.parameters.error(
          "via", in_quotes("cpu") + ": the machine of " + in_quotes(facts.id) + " has none",
          "write gpus, or add a node of kind \"cpu\"");
    cpus.push_back(participant_on(node, input, builder));
  }
  return cpus;
}

// Whom a CPU speaks for is a machine, also where there is only one.
std::vector<Worker> workers_by(bool via_cpu, const StrategyInput& input) {
  std::vector<Worker> workers = chosen_workers(input, "workers");
  if (!via_cpu) return workers;
  if (input.parameters.text("workers") == "ranks")
    throw input.parameters.error("via", in_quotes("cpu") + " is of machines, not of ranks",
                                 "leave out one of via and workers");
  return ranks_by_machine(input);
}

Time update_time(const StrategyInput& input) {
  return input.parameters.read("update", [](const std::string& text) {
    return text == "none" ? Time{} : parse_delay(text);
  });
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
  const bool via_cpu = input.parameters.choice("via", {"gpus", "cpu"}) == "cpu";
  const std::vector<Worker> workers = workers_by(via_cpu, input);
  const ServerSteps steps{
      .on_one = input.parameters.choice("inside", {"spread", "one"}) == "one",
      .cpus = via_cpu ? cpus_of(workers, input, builder) : std::vector<ParticipantId>{},
      .update = update_time(input)};
  emit_through_servers(workers, servers, piece_count(input, servers, builder), builder, steps);
}

}  // namespace syncsim::strategy
