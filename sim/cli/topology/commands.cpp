// The visible list of `syncsim topology` subcommands: one row each.

#include "sim/cli/topology/commands.h"

#include <fmt/format.h>

#include <iostream>

#include "sim/base/quote.h"
#include "sim/cli/options.h"
#include "sim/topology/topology_json.h"

namespace syncsim::cli {

void declare_machine(CLI::App& app, MachineOptions& options) {
  app.add_option("MACHINE", options.machine, "a shipped name or a .json file")->required();
  app.add_option("--edit", options.edits, kEditHelp)->allow_extra_args(false);
  declare_memory(app, options.limits);
}

Topology load_machine(const MachineOptions& options) {
  const std::vector<Edit> edits = edits_of(options.edits);
  return apply_edits(
      load_topology(options.machine, find_data().topologies, memory_limit(options.limits)), edits);
}

LinkRates shipped_rates() { return LinkRates::load(find_data().topologies + "/rates"); }

void warn(const std::vector<std::string>& warnings) {
  constexpr std::size_t kMost = 100;
  for (std::size_t i = 0; i < warnings.size() && i < kMost; ++i)
    std::cerr << "syncsim: warning: " << one_line(warnings[i]) << "\n";
  if (warnings.size() > kMost)
    std::cerr << fmt::format("syncsim: warning: and {} more\n", warnings.size() - kMost);
}

const NamedTable<Command>& topology_commands() {
  static const NamedTable<Command> table(
      "topology command",
      {{"show", "says what a machine consists of, and how it routes",
        "syncsim topology show dgx1v --route gpu0 gpu5", declare_topology_show},
       {"validate", "says of topology files whether they are good; exit code 2 when one is not",
        "syncsim topology validate topologies/dgx1v.json topologies/dgx2.json",
        declare_topology_validate},
       {"import", "makes a topology file of what other tools say of a machine",
        "syncsim topology import topo.xml -o my_server.json", declare_topology_import},
       {"rings", "writes the rings that the ring strategy would use, for people or for NCCL",
        "syncsim topology rings dgx1v --format nccl", declare_topology_rings},
       {"export", "writes a machine in another format, or a changed one as a topology file",
        "syncsim topology export dgx1v --edit \"remove kind:nvlink\"", declare_topology_export},
       {"draw", "draws a machine, with a run's utilization of its links where that is asked for",
        "syncsim topology draw dgx1v -o dgx1v.svg --run --strategy ring --bytes \"160 MB\"",
        declare_topology_draw}});
  return table;
}

}  // namespace syncsim::cli
