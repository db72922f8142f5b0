// syncsim topology import: what other tools say of a machine in, a topology file out.

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "sim/base/quote.h"
#include "sim/cli/input.h"
#include "sim/cli/options.h"
#include "sim/cli/output.h"
#include "sim/cli/topology/commands.h"
#include "sim/exec/cuda/cuda_machine.h"
#include "sim/exec/host/host_machine.h"
#include "sim/topology/connected.h"
#include "sim/topology/import/hwloc.h"
#include "sim/topology/import/importer.h"
#include "sim/topology/import/unsaid.h"
#include "sim/topology/machine_size.h"
#include "sim/topology/policy_defect.h"
#include "sim/topology/topology_json.h"
#include "sim/topology/topology_writer.h"

namespace syncsim::cli {
namespace {

constexpr int kMostHostRanks = 4'096;

struct ImportCommand {
  std::string file;
  std::string format;
  std::string profile;
  std::optional<std::string> onto;
  std::optional<std::string> name;
  std::optional<std::string> out;
  std::optional<std::string> ranks;
  LongRunOptions limits;
};

ImportOptions import_options(const ImportCommand& command, const LinkRates& rates) {
  if (!command.profile.empty()) from_option("--profile", [&] { rates.profile(command.profile); });
  ImportOptions options{rates, command.profile, std::nullopt};
  if (command.onto)
    options.onto = from_option("--onto", [&] {
      return load_topology(*command.onto, find_data().topologies, memory_limit(command.limits));
    });
  return options;
}

const Importer& importer_of(const ImportCommand& command, const Input& input) {
  from_option(input.name, [&] { refuse_unreadable(input.text); });
  return from_option(command.format.empty() ? input.name : "--format",
                     [&]() -> const Importer& { return importer_for(input.text, command.format); });
}

std::string stem_of(const std::string& path) {
  const std::string stem = std::filesystem::path(path).stem().string();
  return stem.empty() || path == "-" ? "imported" : stem;
}

std::string name_of(const ImportCommand& command) {
  if (!command.name) return stem_of(command.out.value_or(command.file));
  if (command.name->empty()) throw InputError("the name is empty", "name the machine", "--name");
  return *command.name;
}

// `first; second`, or the one that is not empty.
std::string joined(const std::string& first, const std::string& second) {
  return first.empty() || second.empty() ? first + second : first + "; " + second;
}

Topology machine_of(Topology::Parts parts, const std::string& place) {
  Topology machine = from_option(place, [&] { return Topology(std::move(parts)); });
  if (const auto pair = first_cut_off_pair(machine))
    throw InputError(fmt::format("no route from {} to {}", machine.nodes()[pair->first].id,
                                 machine.nodes()[pair->second].id),
                     "give a text that says how they are joined", place);
  if (const auto defect = policy_defect(machine))
    throw InputError(defect->wrong(), defect->right(), place);
  return machine;
}

// `hwloc` is this host, unless a file is called so.
Input input_of(const ImportCommand& command) {
  if (command.file == "hwloc" && !std::filesystem::exists(command.file))
    return {"this host", host_hwloc_xml()};
  return read_input(command.file, kMostImportBytes, "a text to import");
}

void warn_of_unsaid(const Topology& machine, const std::string& name) {
  for (const std::string& line : unsaid_figures(machine)) warn({name + ": " + line});
}

// As `hwloc`, unless a file is called so.
bool measures_host(const ImportCommand& command) {
  return command.file == "host" && !std::filesystem::exists(command.file);
}

int measure_host(const ImportCommand& command) {
  if (!command.format.empty() || !command.profile.empty() || command.onto)
    throw InputError("\"host\" is measured, not read", "leave --format, --profile and --onto away",
                     "host");
  Output out("-o", command.out);
  const RealOptions options{.memory = memory_limit(command.limits)};
  const std::int64_t ranks =
      command.ranks ? integer_of("--ranks", *command.ranks, kMostHostRanks) : host_threads(options);
  if (ranks == 0) throw InputError("a machine has ranks", "write at least 1", "--ranks");
  Topology::Parts parts =
      from_option("host", [&] { return measured_host(static_cast<int>(ranks), options); });
  parts.name = name_of(command);
  out.stream() << topology_json(Topology(std::move(parts)));
  out.finish();
  return kGood;
}

// As `hwloc`, unless a file is called so.
bool asks_cuda(const ImportCommand& command) {
  return command.file == "cuda" && !std::filesystem::exists(command.file);
}

int import_cuda(const ImportCommand& command) {
  if (!command.format.empty() || command.onto)
    throw InputError("\"cuda\" is asked, not read", "leave --format and --onto away", "cuda");
  Output out("-o", command.out);
  const LinkRates rates = shipped_rates();
  import_options(command, rates);
  const std::int64_t ranks =
      command.ranks ? integer_of("--ranks", *command.ranks, kMostHostRanks) : 0;
  if (command.ranks && ranks == 0)
    throw InputError("a machine has ranks", "write at least 1", "--ranks");
  CudaMachine found = from_option("cuda", [&] {
    return cuda_machine(cuda_facts(), rates, command.profile, static_cast<int>(ranks));
  });
  warn(found.warnings);
  found.parts.name = name_of(command);
  const Topology machine = machine_of(std::move(found.parts), "cuda");
  warn_of_unsaid(machine, "cuda");
  out.stream() << topology_json(machine);
  out.finish();
  return kGood;
}

int import_machine(const ImportCommand& command) {
  if (measures_host(command)) return measure_host(command);
  if (asks_cuda(command)) return import_cuda(command);
  if (command.ranks)
    throw InputError("what is read says its own ranks", "leave --ranks away", "--ranks");
  Output out("-o", command.out);
  const std::string name = name_of(command);
  const LinkRates rates = shipped_rates();
  const ImportOptions options = import_options(command, rates);
  const Input input = input_of(command);
  const Importer& importer = importer_of(command, input);
  if (command.onto && !importer.fits)
    throw InputError(fmt::format("{} describes a machine of its own", importer.name),
                     "leave --onto away", "--onto");
  Imported imported = importer.read(input.text, input.name, options);
  const MachineSize size{imported.parts.nodes.size(), imported.parts.links.size()};
  from_option(input.name, [&] { require_room_to_build(memory_limit(command.limits), size); });
  warn(imported.warnings);
  imported.parts.name = name;
  imported.parts.description =
      joined(imported.parts.description, fmt::format("imported from {}", importer.name));
  std::string source = input.name;
  if (!command.profile.empty()) source += ", rates of profile " + command.profile;
  if (command.onto) source += ", onto " + *command.onto;
  imported.parts.source = joined(source, imported.parts.source);
  const Topology machine = machine_of(std::move(imported.parts), input.name);
  warn_of_unsaid(machine, input.name);
  out.stream() << topology_json(machine);
  out.finish();
  return kGood;
}

}  // namespace

std::function<int()> declare_topology_import(CLI::App& app) {
  const auto command = std::make_shared<ImportCommand>();
  app.add_option("FILE", command->file,
                 "what to import; - for standard input, hwloc for this host, host for its memory "
                 "as ranks share it, measured, cuda for its GPUs")
      ->required();
  app.add_option("--ranks", command->ranks,
                 "of host, otherwise one a core; of cuda, otherwise one a GPU");
  app.add_option("--format", command->format, "of the text; otherwise by what it looks like");
  app.add_option("--profile", command->profile,
                 "generation whose link rates are taken where the text says none (list profiles)");
  app.add_option("--onto", command->onto, "machine whose links get the figures of a measurement");
  app.add_option("--name", command->name, "of the machine; otherwise that of the file");
  app.add_option("-o,--out", command->out, "topology file to write; otherwise standard output");
  declare_memory(app, command->limits);
  return [command] { return import_machine(*command); };
}

}  // namespace syncsim::cli
