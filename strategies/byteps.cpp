// BytePS (Jiang et al., OSDI 2020): of n machines with GPUs and k without, every one adds up a
// shard of the data, of the size at which all of their NICs are busy all of the time (Theorem 1):
//   on each machine without GPUs   2 (n-1) M / (n^2 + k n - 2 k)
//   on each machine with GPUs      (n-k) M / (n^2 + k n - 2 k)
//   time                           2 n (n-1) M / ((n^2 + k n - 2 k) B), and once more a chunk of it
// k = 0 moves what a ring moves, k = n what a parameter server does. Beyond k = n, where the GPUs'
// NICs bind, machines without GPUs share the data: M / k each. Transfers get of a port what their
// bytes are of it; so all shards of a chunk are done together. GPUs of one machine add up among
// themselves first. A machine alone has all shards.

#include <fmt/format.h>

#include <numeric>

#include "strategies/server_choice.h"
#include "strategies/servers.h"
#include "strategies/strategies.h"

namespace syncsim::strategy {
namespace {

// Of the shards of machines with GPUs, and without.
struct Weights {
  std::int64_t with_gpus;
  std::int64_t without;
};
Weights optimal(std::int64_t n, std::int64_t k) {
  if (n == 1) return {1, 0};
  if (k >= n) return {0, 1};
  return {n - k, 2 * (n - 1)};
}

std::string share_of(std::int64_t weight, std::int64_t total, const std::vector<NodeId>& nodes,
                     const StrategyInput& input) {
  const std::int64_t common = std::gcd(weight, total);
  return fmt::format("{}/{} each on {}", weight / common, total / common, words_for(nodes, input));
}

// On machines without GPUs, and with; each kind on channels of its own, as strong as its shards are
// large.
std::vector<Server> servers_of(const std::vector<Worker>& machines, const StrategyInput& input,
                               ScheduleBuilder& builder) {
  const std::vector<NodeId> cpus = chosen_spare_cpus(input, "cpus");
  const std::vector<NodeId> own = own_adding_nodes(input, machines);
  const auto n = static_cast<std::int64_t>(machines.size());
  const auto k = static_cast<std::int64_t>(cpus.size());
  const Weights weights = optimal(n, k);
  const std::int64_t total = n * weights.with_gpus + k * weights.without;
  std::vector<Server> servers;
  std::string note;
  const auto add = [&](const std::vector<NodeId>& nodes, std::int64_t weight,
                       std::uint16_t channel) {
    if (weight == 0 || nodes.empty()) return;
    for (const NodeId node : nodes)
      servers.push_back({participant_on(node, input, builder), static_cast<int>(weight), channel});
    for (const int each : {0, 1})
      builder.channel(static_cast<std::uint16_t>(channel + each),
                      {.weight = static_cast<double>(weight)});
    note += (note.empty() ? "shards of the data: " : "; ") + share_of(weight, total, nodes, input);
  };
  add(cpus, weights.without, Server::kPush + 2);
  add(own, weights.with_gpus, Server::kPush);
  builder.note(note);
  return servers;
}

}  // namespace

void emit_byteps(const StrategyInput& input, ScheduleBuilder& builder) {
  const std::vector<Worker> machines = ranks_by_machine(input);
  const std::vector<Server> servers = servers_of(machines, input, builder);
  emit_through_servers(machines, servers, piece_count(input, servers, builder), builder);
}

}  // namespace syncsim::strategy
