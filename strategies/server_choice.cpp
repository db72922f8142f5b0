#include "strategies/server_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "sim/base/quote.h"
#include "sim/base/text.h"
#include "sim/schedule/participant_on.h"
#include "sim/topology/boxes.h"
#include "sim/topology/edits/nodes.h"
#include "sim/topology/id_pattern.h"

namespace syncsim::strategy {
namespace {

const std::string& id_of(NodeId node, const StrategyInput& input) {
  return input.topology.nodes()[node].id;
}

bool is_number(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

std::vector<NodeId> named(const StrategyInput& input, const std::string& text) {
  std::vector<NodeId> nodes;
  std::set<NodeId> seen;
  for (const std::string_view name : separated(text, ','))
    for (const NodeId node : selected_nodes(std::string(name), input.topology)) {
      const NodeKind kind = input.topology.nodes()[node].kind;
      const std::string& id = id_of(node, input);
      if (kind != NodeKind::cpu && kind != NodeKind::gpu)
        throw InputError(
            fmt::format("{} is a {}, which adds up nothing", in_quotes(id), to_string(kind)),
            "name CPUs or GPUs");
      if (!seen.insert(node).second)
        throw InputError(in_quotes(id) + " is named twice", "name it once");
      nodes.push_back(node);
    }
  return nodes;
}

}  // namespace

std::vector<NodeId> chosen_servers(const StrategyInput& input, const ServerChoice& choice) {
  const std::string& text = input.parameters.text(choice.parameter);
  if (text == "auto") return choice.automatic;
  if (is_number(text)) {
    const auto most = static_cast<std::int64_t>(choice.pool.size());
    const auto count = input.parameters.integer(choice.parameter, choice.least, most);
    return {choice.pool.begin(), choice.pool.begin() + count};
  }
  return input.parameters.read(choice.parameter,
                               [&](const std::string& names) { return named(input, names); });
}

std::vector<std::vector<ParticipantId>> ranks_by_machine(const StrategyInput& input) {
  const std::vector<Place> places = places_of(input.topology);
  return ranks_by<ParticipantId>(input.ranks, [&](NodeId node) { return places[node].box; });
}

std::vector<NodeId> own_adding_nodes(const StrategyInput& input,
                                     const std::vector<std::vector<ParticipantId>>& machines) {
  const std::vector<Place> places = places_of(input.topology);
  std::map<std::uint32_t, NodeId> cpus;  // by box
  for (const NodeId cpu : adding_cpus(input.topology, input.ranks).own)
    cpus.emplace(places[cpu].box, cpu);
  std::vector<NodeId> result;
  for (const auto& machine : machines) {
    const NodeId rank = input.ranks[machine.front()];
    const auto cpu = cpus.find(places[rank].box);
    result.push_back(cpu == cpus.end() ? rank : cpu->second);
  }
  return result;
}

std::string words_for(const std::vector<NodeId>& nodes, const StrategyInput& input) {
  std::vector<std::string_view> ids;
  for (const NodeId node : nodes) ids.push_back(id_of(node, input));
  return fmt::format("{}", fmt::join(compressed(ids), ", "));
}

ParticipantId participant_on(NodeId node, const StrategyInput& input, ScheduleBuilder& builder) {
  return syncsim::participant_on(node, input.topology, input.ranks, builder);
}

std::vector<NodeId> chosen_spare_cpus(const StrategyInput& input, std::string_view parameter) {
  const std::vector<NodeId> spare = adding_cpus(input.topology, input.ranks).spare;
  const std::vector<NodeId> chosen = chosen_servers(
      input, {.parameter = parameter, .automatic = spare, .pool = spare, .least = 0});
  for (const NodeId cpu : chosen)
    if (std::find(spare.begin(), spare.end(), cpu) == spare.end())
      throw input.parameters.error(
          parameter,
          in_quotes(input.topology.nodes()[cpu].id) +
              " is not the first CPU of a machine without ranks",
          fmt::format("name such CPUs, or write how many of the {} that there are", spare.size()));
  return chosen;
}

std::vector<int> shard_weights(const StrategyInput& input, std::string_view parameter,
                               std::size_t servers) {
  return input.parameters.read(parameter, [&](const std::string& text) {
    if (text == "equal") return std::vector<int>(servers, 1);
    constexpr std::int64_t kMost = 1'000'000;
    std::vector<int> weights;
    for (const std::string_view weight : separated(text, ','))
      weights.push_back(static_cast<int>(parse_integer(weight, 0, kMost)));
    if (weights.size() != servers || *std::max_element(weights.begin(), weights.end()) == 0)
      throw InputError(fmt::format("{} for {}", in_quotes(text), counted(servers, "server")),
                       "write a whole number for each, not all 0, or equal");
    return weights;
  });
}

std::vector<std::vector<ParticipantId>> chosen_workers(const StrategyInput& input,
                                                       std::string_view parameter) {
  const std::string_view chosen = input.parameters.choice(parameter, {"auto", "ranks", "machines"});
  std::vector<std::vector<ParticipantId>> machines = ranks_by_machine(input);
  if (chosen == "machines" || (chosen == "auto" && machines.size() > 1)) return machines;
  std::vector<std::vector<ParticipantId>> ranks;
  for (ParticipantId rank = 0; rank < input.ranks.size(); ++rank) ranks.push_back({rank});
  return ranks;
}

}  // namespace syncsim::strategy
