#pragma once
// `syncsim topology`: looks at machines, checks and converts them. A subcommand is one file beside
// this one and one row in commands.cpp.

#include <functional>
#include <string>
#include <vector>

#include "sim/cli/command.h"
#include "sim/cli/supervisor.h"
#include "sim/topology/import/link_rates.h"
#include "sim/topology/topology.h"

namespace syncsim::cli {

// A machine as the command line names it.
struct MachineOptions {
  std::string machine;  // a shipped name or a file
  std::vector<std::string> edits;
  LongRunOptions limits;  // of memory
};
void declare_machine(CLI::App& app, MachineOptions& options);
Topology load_machine(const MachineOptions& options);

// The link rates that came with the program.
LinkRates shipped_rates();
// On standard error, a line each; the first hundred.
void warn(const std::vector<std::string>& warnings);

std::function<int()> declare_topology_draw(CLI::App& app);
std::function<int()> declare_topology_export(CLI::App& app);
std::function<int()> declare_topology_import(CLI::App& app);
std::function<int()> declare_topology_rings(CLI::App& app);
std::function<int()> declare_topology_show(CLI::App& app);
std::function<int()> declare_topology_validate(CLI::App& app);

const NamedTable<Command>& topology_commands();

}  // namespace syncsim::cli
