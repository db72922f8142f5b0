#include "sim/cli/check/claim_files.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>
#include <utility>

#include "sim/cli/scenario_file.h"

namespace syncsim::cli {
namespace {

namespace fs = std::filesystem;

// Known to hold no claims: what formats.md names is passed over without a word.
bool is_told_of(const std::string& name) { return name == "plans" || name == "schema"; }
bool is_model(const std::string& name) { return name == "models" || name == "measured"; }

// Not somebody else's JSON, a machine's, a plan's, a measured table's.
bool is_scenario(const JsonReader& json) {
  if (!json.is_object() || json.has("rows")) return false;
  const std::vector<std::string> keys = json.keys();
  return std::any_of(keys.begin(), keys.end(), [](const std::string& key) {
    return key == "expect" || key == "topology" || key == "points" || key == "sweep";
  });
}

// A pipe would be waited for; a link that leads nowhere is told of.
bool may_be_claims(const fs::path& path) {
  std::error_code ignored;
  const fs::file_type type = fs::status(path, ignored).type();
  return path.extension() == ".json" &&
         (type == fs::file_type::regular || type == fs::file_type::not_found ||
          type == fs::file_type::none);
}

Scenario scenario_of(const JsonReader& json) {
  Scenario scenario = read_scenario(json);
  if (scenario.expectations.empty()) throw json.error("claims nothing", "add \"expect\": [...]");
  return scenario;
}

class Finder {
 public:
  void add(const std::string& path) {
    try {
      const bool is_directory = fs::is_directory(path);
      if (!is_new(path)) return;
      if (is_directory)
        add_directory(path);
      else
        result_.files.push_back({path, scenario_of(load_scenario_file(path))});
    } catch (...) {
      refuse(path);
    }
  }

  ClaimFiles result() {
    std::sort(result_.passed_over.begin(), result_.passed_over.end());
    return std::move(result_);
  }

 private:
  void refuse(const std::string& path) {
    result_.files.push_back({path, std::nullopt, current_failure()});
  }

  bool is_new(const fs::path& path) {
    std::error_code failure;
    const fs::path whole = fs::weakly_canonical(path, failure);
    if (failure || seen_.insert(whole.string()).second) return true;
    ++repeated_;
    return false;
  }

  void add_directory(const std::string& directory) {
    const std::size_t files_before = result_.files.size();
    const std::size_t repeated_before = repeated_;
    std::vector<std::string> found;
    list(directory, found);
    std::sort(found.begin(), found.end());
    if (found.empty() && repeated_ == repeated_before)
      throw InputError("holds no .json files", "name a directory of claims", directory);
    for (const std::string& path : found) add_found(path);
    if (result_.files.size() == files_before && repeated_ == repeated_before)
      throw InputError("holds no claims", "name a directory of claims", directory);
  }

  void add_found(const std::string& path) {
    try {
      const JsonReader json = JsonFile::load(path).root();
      if (is_scenario(json))
        result_.files.push_back({path, scenario_of(json)});
      else
        result_.passed_over.push_back(path);
    } catch (...) {
      refuse(path);
    }
  }

  void list(const fs::path& directory, std::vector<std::string>& found) {
    try {
      std::vector<fs::path> paths;
      for (const fs::directory_entry& entry : fs::directory_iterator(directory))
        paths.push_back(entry.path());
      std::sort(paths.begin(), paths.end());  // of several links to one file the first counts
      for (const fs::path& path : paths) {
        std::error_code ignored;
        if (fs::is_directory(path, ignored))
          list_below(path, found);
        else if (may_be_claims(path) && is_new(path))
          found.push_back(path.string());
      }
    } catch (const fs::filesystem_error&) {
      refuse(directory.string());
    }
  }

  void list_below(const fs::path& directory, std::vector<std::string>& found) {
    const std::string name = directory.filename().string();
    if (is_told_of(name))
      result_.passed_over.push_back(directory.string());
    else if (!is_model(name) && is_new(directory))
      list(directory, found);
  }

  ClaimFiles result_;
  std::set<std::string> seen_;  // canonical paths
  std::size_t repeated_ = 0;    // paths that were seen before
};

}  // namespace

ClaimFiles read_claim_files(const std::vector<std::string>& paths) {
  Finder finder;
  for (const std::string& path : paths) finder.add(path);
  return finder.result();
}

}  // namespace syncsim::cli
