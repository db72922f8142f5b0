// syncsim check: claims in, verdicts out.

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "sim/cli/command.h"
#include "sim/scenario/run.h"
#include "sim/scenario/scenario.h"

namespace syncsim::cli {
namespace {

namespace fs = std::filesystem;

struct CheckOptions {
  std::vector<std::string> paths;
  std::string format = "text";
  bool audit = false;
};

// What lies below scenarios/ without being a claim.
bool passed_over(const fs::path& directory) {
  return directory.filename() == "models" || directory.filename() == "measured";
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

std::vector<Claim> check_file(const std::string& file, const RunSettings& settings) {
  const JsonReader json = JsonFile::load(file).root();
  const Scenario scenario = read_scenario(json);
  if (scenario.expectations.empty()) throw json.error("claims nothing", "add \"expect\": [...]");
  std::vector<Report> reports;
  for (const Point& point : scenario.points) reports.push_back(run_point(point, settings));
  return judge({scenario.file, scenario.name, scenario.source, scenario.note},
               scenario.expectations, scenario.points, reports);
}

int check(const CheckOptions& options) {
  const bool json = wants_json(options.format);
  const RunSettings settings{find_data().topologies, true, options.audit};
  std::vector<Claim> claims;
  for (const std::string& file : claim_files(options.paths)) {
    const std::vector<Claim> found = check_file(file, settings);
    claims.insert(claims.end(), found.begin(), found.end());
  }
  std::cout << (json ? claims_json(claims) : claims_text(claims)) << std::flush;
  const bool good =
      std::all_of(claims.begin(), claims.end(), [](const Claim& c) { return c.passed; });
  return good ? kGood : kClaimFailed;
}

}  // namespace

std::function<int()> declare_check(CLI::App& app) {
  const auto options = std::make_shared<CheckOptions>();
  app.add_option("PATH", options->paths, "claim files, or directories of them")->required();
  app.add_option("--format", options->format, "text or json")->capture_default_str();
  app.add_flag("--audit", options->audit, "check capacities and fairness after every event")
      ->disable_flag_override();
  return [options] { return check(*options); };
}

}  // namespace syncsim::cli
