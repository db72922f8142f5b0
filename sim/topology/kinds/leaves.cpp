#include "sim/topology/kinds/leaves.h"

#include <fmt/format.h>

#include "sim/topology/id_range.h"
#include "sim/topology/instances.h"
#include "sim/topology/kinds/generators.h"
#include "sim/topology/node_index.h"

namespace syncsim {
namespace {

std::vector<NodeId> nodes_of_kind(const Topology::Parts& machine, NodeKind kind) {
  std::vector<NodeId> nodes;
  for (NodeId node = 0; node < machine.nodes.size(); ++node)
    if (machine.nodes[node].kind == kind) nodes.push_back(node);
  return nodes;
}

std::vector<NodeId> ports_of(const JsonReader& json, const Topology::Parts& machine) {
  if (const auto named = json.optional("ports")) {
    NodeIndex index(machine.nodes);
    index.add_new(*named, "give every node its own id");
    return index.find(Ids(*named));
  }
  std::vector<NodeId> ports = nodes_of_kind(machine, NodeKind::nic);
  if (ports.empty()) ports = nodes_of_kind(machine, NodeKind::gpu);
  if (ports.empty())
    throw json.required("machine").error("the machine has neither nics nor gpus to be joined by",
                                         R"(name its "ports", as in "ports": "switch[0-3]")");
  return ports;
}

}  // namespace

MachineSize Leaves::size() const {
  if (!machine) return {count, 0};
  return {capped_product(count, machine->nodes.size()),
          capped_product(count, machine->links.size())};
}

std::string Leaves::text() const {
  return fmt::format("{} {}", count, machine ? machine->name : "gpus");
}

std::string Leaves::name() const { return machine ? text() : std::to_string(count); }

Leaves read_leaves_of(const JsonReader& json, const JsonReader& at, std::uint64_t count,
                      MachineSource& source) {
  Leaves leaves{at, count, nullptr, {0}};
  if (const auto machine = json.optional("machine")) {
    leaves.machine = source.part(*machine);
    leaves.ports = ports_of(json, *leaves.machine);
  } else if (const auto ports = json.optional("ports")) {
    throw ports->error("gpus have no ports", R"(add a "machine", or remove this)");
  }
  MachineSize joined = leaves.size();
  joined.links += 2 * leaves.all_ports();  // a cable a port, at least
  source.require_room(at, joined);
  return leaves;
}

Leaves read_leaves(const JsonReader& json, MachineSource& source) {
  const auto gpus = json.optional("gpus");
  const bool of_machines = json.has("machines") || json.has("machine");
  if (gpus && of_machines)
    throw gpus->error(R"("gpus" and "machines" exclude each other)",
                      R"(write "gpus": 8, or "machines": 8 and "machine": "dgx1v")");
  if (of_machines) return read_machines(json, source);
  const JsonReader field = json.required("gpus", "8");
  return read_leaves_of(json, field, read_count(field), source);
}

Leaves read_machines(const JsonReader& json, MachineSource& source) {
  const JsonReader field = json.required("machines", "8");
  json.required("machine", R"("dgx1v")");
  return read_leaves_of(json, field, read_count(field), source);
}

std::vector<NodeId> add_leaves(Topology::Parts& parts, const Leaves& leaves, GpuForwards forwards) {
  const std::string last = std::to_string(leaves.count - 1);
  if (leaves.machine) {
    parts.routing = leaves.machine->routing;
    parts.routing.nics.clear();
    add_copies(parts, *leaves.machine, expand_range("node[0-" + last + "]/"));
  } else {
    Topology::Parts gpu;
    gpu.nodes.resize(1);  // without an id: the prefix is all of it
    gpu.nodes[0].forwards = forwards == GpuForwards::yes;
    gpu.ranks = {0};
    add_copies(parts, gpu, expand_range("gpu[0-" + last + "]"));
  }
  const std::size_t nodes_each = parts.nodes.size() / leaves.count;
  std::vector<NodeId> ports;
  ports.reserve(leaves.all_ports());
  for (std::size_t leaf = 0; leaf < leaves.count; ++leaf)
    for (const NodeId port : leaves.ports)
      ports.push_back(static_cast<NodeId>(leaf * nodes_each) + port);
  return ports;
}

}  // namespace syncsim
