// syncsim topology export: a machine in other words.

#include <fmt/format.h>

#include <memory>
#include <optional>

#include "sim/cli/options.h"
#include "sim/cli/output.h"
#include "sim/cli/topology/commands.h"
#include "sim/topology/export/exporter.h"

namespace syncsim::cli {
namespace {

struct ExportOptions {
  MachineOptions machine;
  std::string format = "json";
  std::optional<std::string> out;
};

// A changed machine says so.
Topology marked(const Topology& machine, const std::vector<std::string>& edits) {
  if (edits.empty()) return machine;
  Topology::Parts parts = machine.parts();
  parts.description +=
      fmt::format("{}edited: {}", parts.description.empty() ? "" : "; ", fmt::join(edits, "; "));
  return Topology(std::move(parts));
}

int export_machine(const ExportOptions& options) {
  const Exporter& exporter =
      from_option("--format", [&]() -> const Exporter& { return exporters().at(options.format); });
  Output out("-o", options.out);
  const Topology machine = marked(load_machine(options.machine), options.machine.edits);
  const Exported exported = exporter.write(machine, shipped_rates());
  warn(exported.warnings);
  out.stream() << exported.text;
  out.finish();
  return kGood;
}

}  // namespace

std::function<int()> declare_topology_export(CLI::App& app) {
  const auto options = std::make_shared<ExportOptions>();
  declare_machine(app, options->machine);
  app.add_option("--format", options->format,
                 fmt::format("one of {}", fmt::join(exporters().names(), ", ")))
      ->capture_default_str();
  app.add_option("-o,--out", options->out, "file to write; otherwise standard output");
  return [options] { return export_machine(*options); };
}

}  // namespace syncsim::cli
