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
          {"fully_connected", R"("gpus" gpus, every two joined by "link")",
           generate_fully_connected},
          {"mesh", R"(gpus in a grid of "dimensions" [4, 4], neighbours joined by "link")",
           generate_mesh},
          {"torus",
           R"(a mesh of "dimensions" [4, 4, 4] that closes, or where "wrap" [true, ...] says so)",
           generate_torus},
          {"hypercube", R"(2 to the "dimension" gpus, joined by "link" where one bit differs)",
           generate_hypercube},
          {"fat_tree",
           R"("gpus" on leaves of "leaf_ports" by "link", below "spines" by "uplink" at an )"
           R"("oversubscription"; with "levels" 3 in pods of "pod_leaves", below "cores" by )"
           R"("core_link")",
           generate_fat_tree},
          {"rail_optimized",
           R"("machines" copies of "machine", nic i on rail i by "link"; "rails", "leaf_ports" )"
           R"(and "spines" above by "uplink" at an "oversubscription")",
           generate_rail_optimized},
          {"dragonfly",
           R"("groups" of "routers" with "gpus" each by "link"; all of a group joined by )"
           R"("local", every two groups by one "global")",
           generate_dragonfly},
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
    parts.routing = read_routing_policy(*routing, index, std::move(parts.routing));
  }
  return parts;
}

}  // namespace syncsim
