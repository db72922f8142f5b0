#pragma once
// Strategies emitted and simulated on machines: what a run does, without a scenario.

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/exec/executor.h"
#include "sim/schedule/strategy.h"
#include "sim/topology/topology_json.h"
#include "tests/support/machines.h"

namespace syncsim::testing {

inline Topology shelf_machine(const std::string& name) {
  return load_topology(name, SYNCSIM_SHELF);
}

inline Topology written_machine(std::string_view json) {
  return read_topology(JsonFile::parse(json, "m.json").root());
}

// `kind`: mesh or torus; `link` is a bandwidth.
inline Topology grid(const std::string& kind, const std::string& lengths,
                     const std::string& link = "1 GB/s") {
  return written_machine(R"({"kind": ")" + kind + R"(", "dimensions": [)" + lengths +
                         R"(], "link": {"kind": "xgmi", "bandwidth": ")" + link + R"("}})");
}

struct Task {
  std::string strategy;
  Collective collective;
  std::map<std::string, std::string> parameters = {};
};

inline Schedule emitted(const Topology& machine, std::span<const NodeId> ranks, const Task& task,
                        const RunTerms& terms = {}) {
  const Strategy& strategy = strategies().at(task.strategy);
  const Parameters parameters(strategy.name, strategy.parameters, task.parameters);
  return emit(strategy, machine, ranks, task.collective, parameters, {}, terms);
}

// On all ranks of the machine.
inline Schedule emitted(const Topology& machine, const Task& task) {
  return emitted(machine, machine.ranks(), task);
}

inline Schedule staged(const Topology& machine, const Task& task) {
  return emitted(machine, machine.ranks(), task, {Reduction::staged});
}

// Whether the machine has what the strategy needs beside these ranks: a CPU, switches that add up.
inline bool applies(const Strategy& strategy, const Topology& machine,
                    std::span<const NodeId> ranks) {
  const Collective least{strategy.collectives.front(), static_cast<int>(ranks.size()), {1}, "int8"};
  try {
    emitted(machine, ranks, {std::string(strategy.name), least});
  } catch (const InputError&) {
    return false;
  }
  return true;
}
inline bool applies(const Strategy& strategy, const Topology& machine) {
  return applies(strategy, machine, machine.ranks());
}

// All switches reduce and multicast.
inline Topology with_abilities(Topology::Parts parts) {
  for (Node& node : parts.nodes)
    if (node.kind == NodeKind::switch_) node.abilities = {true, true};
  return Topology(std::move(parts));
}

// With the engine's audit on.
inline Timeline simulated(const Schedule& schedule, const Topology& machine,
                          ExecutionOptions options = {}) {
  options.audit = true;
  return execute_simulated(schedule, machine, options);
}

inline std::int64_t picoseconds(const Topology& machine, const Task& task,
                                const ExecutionOptions& options = {}) {
  return simulated(emitted(machine, task), machine, options).finish.ps;
}

// A star whose every link has these figures; a route between two gpus has twice the latency.
inline Topology slow_star(int gpus, Bandwidth bandwidth, Time latency, Time overhead) {
  Topology::Parts parts = star(gpus, bandwidth);
  for (Link& link : parts.links) {
    link.latency = latency;
    link.overhead = overhead;
  }
  return Topology(parts);
}

// star() with a CPU on the switch, by a link like the others.
inline Topology star_with_cpu(int gpus, Bandwidth bandwidth) {
  Topology::Parts parts = star(gpus, bandwidth);
  const NodeId cpu = add_node(parts, "cpu0", NodeKind::cpu);
  add_cable(parts, static_cast<NodeId>(gpus), cpu, link_of(LinkKind::pcie, bandwidth));
  return Topology(parts);
}

// Ops on the longest chain of edges. The builder's edges lead forward only.
inline std::int64_t depth(const Schedule& schedule) {
  std::vector<std::int64_t> before(schedule.ops.size(), 1);
  std::map<std::array<std::uint32_t, 3>, std::int64_t> lanes;  // the last op's
  for (OpId id = 0; id < schedule.ops.size(); ++id) {
    const Op& op = schedule.ops[id];
    if (op.kind != OpKind::join) {
      std::int64_t& last = lanes[{op.source, op.destination, op.channel}];
      last = before[id] = std::max(before[id], last + 1);
    }
    for (const OpId next : schedule.successors(id))
      before[next] = std::max(before[next], before[id] + 1);
  }
  return before.empty() ? 0 : *std::max_element(before.begin(), before.end());
}

}  // namespace syncsim::testing
