// syncsim topology validate: all the files, whatever is wrong with one of them.

#include <fmt/format.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/base/quote.h"
#include "sim/cli/colour.h"
#include "sim/cli/topology/commands.h"
#include "sim/report/machine_report.h"
#include "sim/topology/odd_links.h"
#include "sim/topology/topology_json.h"

namespace syncsim::cli {
namespace {

using Json = nlohmann::ordered_json;

struct MachineFiles {
  std::vector<std::string> files;
  std::string format = "text";
  LongRunOptions limits;
};

struct Verdict {
  std::string file;
  MachineCounts counts;  // when it is good
  std::string error;     // when it is not
  std::vector<std::string> warnings = {};
};

Topology load(const std::string& file, const MemoryLimit& memory) {
  if (std::filesystem::is_regular_file(file))
    return read_topology(JsonFile::load(file).root(), memory, find_data().topologies);
  return load_topology(file, find_data().topologies, memory);
}

Verdict judge(const std::string& file, const MemoryLimit& memory) {
  try {
    const Topology machine = load(file, memory);
    return {file, counts_of(machine), "", odd_links(machine)};
  } catch (const InputError& error) {
    return {file, {}, one_line(error.what())};
  }
}

Json as_json(const Verdict& verdict) {
  if (!verdict.error.empty())
    return {{"file", verdict.file}, {"good", false}, {"error", verdict.error}};
  return {{"file", verdict.file},
          {"good", true},
          {"ranks", verdict.counts.ranks},
          {"nodes", verdict.counts.nodes},
          {"cables", verdict.counts.cables}};
}

int validate_files(const MachineFiles& options) {
  const bool json = wants_json(options.format);
  const MemoryLimit memory = memory_limit(options.limits);
  Json list = Json::array();
  int bad = 0;
  for (const std::string& file : options.files) {
    const Verdict verdict = judge(file, memory);
    list.push_back(as_json(verdict));
    if (!verdict.error.empty()) {
      ++bad;
      std::cerr << error_prefix() << verdict.error << "\n";
      continue;
    }
    for (const std::string& line : verdict.warnings) warn({verdict.file + ": " + line});
    if (!json) std::cout << verdict.file << ": good: " << to_string(verdict.counts) << std::endl;
  }
  if (json)
    std::cout << Json{{"files", std::move(list)}, {"bad", bad}}.dump(2, ' ', false,
                                                                     Json::error_handler_t::replace)
              << std::endl;
  return bad == 0 ? kGood : kBadInput;
}

}  // namespace

std::function<int()> declare_topology_validate(CLI::App& app) {
  const auto options = std::make_shared<MachineFiles>();
  app.add_option("FILE", options->files, "topology files, or shipped names")->required();
  app.add_option("--format", options->format, "text or json")->capture_default_str();
  declare_memory(app, options->limits);
  return [options] { return validate_files(*options); };
}

}  // namespace syncsim::cli
