#include "sim/topology/kinds.h"

#include "sim/topology/kinds/generators.h"

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

}  // namespace syncsim
