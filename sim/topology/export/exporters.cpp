// The visible list of exporters: one row each.

#include "sim/topology/export/exporter.h"

#include "sim/topology/export/nccl_xml.h"
#include "sim/topology/graphviz.h"
#include "sim/topology/topology_writer.h"

namespace syncsim {

const NamedTable<Exporter>& exporters() {
  static const NamedTable<Exporter> table(
      "export format",
      {{"dot", "a drawing for Graphviz",
        [](const Topology& topology, const LinkRates&) {
          return Exported{graphviz(topology, {}), {}};
        }},
       {"json", "a topology file, which reads back as the same machine",
        [](const Topology& topology, const LinkRates&) {
          return Exported{topology_json(topology), {}};
        }},
       {"nccl_xml", "topology XML for NCCL_TOPO_FILE", nccl_xml}});
  return table;
}

}  // namespace syncsim
