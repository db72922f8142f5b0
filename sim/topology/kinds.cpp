#include "sim/topology/kinds.h"

#include <utility>

#include "sim/topology/kinds/generators.h"
#include "sim/topology/node_index.h"
#include "sim/topology/node_json.h"

namespace syncsim {

const NamedTable<TopologyKind>& topology_kinds() {
  static const NamedTable<TopologyKind> kTable(
      "topology kind",
      {
          {"ring", R"("gpus" gpus in a circle, each joined to the next by "link")", generate_ring},
          {"star", R"("gpus" gpus around one switch, each joined to it by "link")", generate_star},
      });
  return kTable;
}

Topology::Parts generate_machine(const JsonReader& json, MachineSource& source) {
  const JsonReader kind = json.required("kind");
  const TopologyKind row = kind.located([&] { return topology_kinds().at(kind.string()); });
  Topology::Parts parts = row.generate(json, source);
  if (const auto name = json.optional("name")) parts.name = name->string();
  if (const auto routing = json.optional("routing")) {
    NodeIndex index(parts.nodes);
    index.add_new(json, "give every node its own id");
    parts.routing = read_routing_policy(
        *routing, [&](const std::string& id) { return index.find(id); }, std::move(parts.routing));
  }
  return parts;
}

}  // namespace syncsim
