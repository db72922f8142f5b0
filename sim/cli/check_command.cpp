// syncsim check: claims in, verdicts out.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "sim/cli/command.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/options.h"
#include "sim/cli/output.h"
#include "sim/cli/run_points.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/verdicts/verdicts.h"

namespace syncsim::cli {
namespace {

namespace fs = std::filesystem;

struct CheckOptions {
  std::vector<std::string> paths;
  std::string format = "text";
  std::optional<std::string> junit;
  bool audit = false;
  LongRunOptions long_run;
};

// What lies below scenarios/ without being a claim.
bool passed_over(const fs::path& directory) {
  const std::string name = directory.filename().string();
  return name == "models" || name == "measured" || name == "plans" || name == "schema";
}

void add_files(const fs::path& directory, std::vector<std::string>& files) {
  for (const auto& entry : fs::directory_iterator(directory)) {
    const bool is_link = entry.is_symlink();  // to a directory: not followed, it may lead back here
    if (entry.is_directory() && !is_link && !passed_over(entry.path()))
      add_files(entry.path(), files);
    if (entry.is_regular_file() && entry.path().extension() == ".json")
      files.push_back(entry.path().string());
  }
}

std::vector<std::string> claim_files(const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    if (!fs::is_directory(path)) {
      files.push_back(path);
      continue;
    }
    std::vector<std::string> found;
    add_files(path, found);
    if (found.empty()) throw InputError("holds no .json files", "name a directory of claims", path);
    std::sort(found.begin(), found.end());
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

Scenario read_claims(const std::string& file) {
  const JsonReader json = JsonFile::load(file).root();
  Scenario scenario = read_scenario(json);
  if (scenario.expectations.empty()) throw json.error("claims nothing", "add \"expect\": [...]");
  return scenario;
}

ClaimContext context_of(const Scenario& scenario) {
  return {scenario.file, scenario.name, scenario.source, scenario.note};
}

std::vector<Claim> check_file(const std::string& file, const RunSettings& settings,
                              Supervisor& supervisor) {
  const Scenario scenario = read_claims(file);
  const PointRuns runs = run_points(scenario.points, settings, supervisor);
  if (runs.unfinished) return not_run(context_of(scenario), scenario.expectations);
  return judge(context_of(scenario), scenario.expectations, scenario.points, runs.reports);
}

// Once interrupted: what else was to be checked, as far as it can be read.
std::vector<Claim> claims_not_run(const std::string& file) {
  try {
    const Scenario scenario = read_claims(file);
    return not_run(context_of(scenario), scenario.expectations);
  } catch (const InputError&) {
    return {};
  }
}

// For the bar alone: a file that is wrong is told when its turn comes.
std::size_t points_in(const std::vector<std::string>& files) {
  std::size_t points = 0;
  for (const std::string& file : files) {
    try {
      points += read_claims(file).points.size();
    } catch (const InputError&) {
      ++points;
    }
  }
  return points;
}

// `whole`: every file was come to.
int exit_code_of(const std::vector<Claim>& claims, bool whole) {
  const auto decided =
      std::count_if(claims.begin(), claims.end(), [](const Claim& c) { return c.decided; });
  if (!whole || static_cast<std::size_t>(decided) < claims.size()) {
    std::cerr << fmt::format("syncsim: interrupted; {} of {} claims are decided\n", decided,
                             claims.size());
    return interrupted_exit_code();
  }
  const bool good =
      std::all_of(claims.begin(), claims.end(), [](const Claim& c) { return c.passed; });
  return good ? kGood : kClaimFailed;
}

int check(const CheckOptions& options) {
  const VerdictFormat& format =
      *from_option("--format", [&] { return &verdict_formats().at(options.format); });
  std::optional<Output> junit;
  if (options.junit) junit.emplace("--junit", options.junit);
  RunSettings settings{find_data().topologies, true, options.audit};
  settings.memory = memory_limit(options.long_run);
  Supervisor supervisor(options.long_run, {Stage::emitting, Stage::checking, Stage::simulating});
  const std::vector<std::string> files = claim_files(options.paths);
  if (supervisor.draws()) supervisor.expect_points(points_in(files));
  std::vector<Claim> claims;
  bool whole = true;
  for (const std::string& file : files) {
    whole = whole && interrupting_signal() == 0;
    const std::vector<Claim> found =
        whole ? check_file(file, settings, supervisor) : claims_not_run(file);
    claims.insert(claims.end(), found.begin(), found.end());
  }
  supervisor.finish();
  if (junit) {
    junit->stream() << claims_junit(claims);
    junit->finish();
  }
  std::cout << format.write(claims) << std::flush;
  return exit_code_of(claims, whole);
}

}  // namespace

std::function<int()> declare_check(CLI::App& app) {
  const auto options = std::make_shared<CheckOptions>();
  app.add_option("PATH", options->paths, "claim files, or directories of them")->required();
  app.add_option("--format", options->format, "text, json, junit or github")->capture_default_str();
  app.add_option("--junit", options->junit, "also writes JUnit XML to this file");
  app.add_flag("--audit", options->audit, "check capacities and fairness after every event")
      ->disable_flag_override();
  declare_long_run(app, options->long_run);
  return [options] { return check(*options); };
}

}  // namespace syncsim::cli
