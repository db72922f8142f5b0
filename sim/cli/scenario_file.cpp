#include "sim/cli/scenario_file.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "sim/base/named_table.h"
#include "sim/base/quote.h"
#include "sim/cli/command.h"

namespace syncsim::cli {
namespace {

namespace fs = std::filesystem;

// Paths of .json files but schemas, sorted; what cannot be listed has none.
template <class Directory>
std::vector<fs::path> scenarios_in(const fs::path& directory) {
  std::vector<fs::path> files;
  std::error_code failure;
  for (Directory at(directory, failure), end; !failure && at != end; at.increment(failure))
    if (at->path().extension() == ".json" && !at->path().stem().has_extension() &&
        fs::exists(at->path()))
      files.push_back(at->path());
  std::sort(files.begin(), files.end());
  return files;
}

// The one whose name is closest to the path's; "" when none is close.
std::string close_to(const fs::path& path, const std::vector<fs::path>& files) {
  std::vector<std::string> names;
  for (const fs::path& file : files) names.push_back(file.stem().string());
  const std::string stem = path.stem().string();
  const bool is_there = std::find(names.begin(), names.end(), stem) != names.end();
  const std::string name = is_there ? stem : closest(stem, names);
  for (const fs::path& file : files)
    if (!name.empty() && file.stem() == name) return file.string();
  return "";
}

std::string meant_by(const fs::path& path) {
  const fs::path directory = path.has_parent_path() ? path.parent_path() : fs::path(".");
  const std::string beside = close_to(path, scenarios_in<fs::directory_iterator>(directory));
  if (!beside.empty())
    return path.has_parent_path() ? beside : fs::path(beside).filename().string();
  return close_to(path, scenarios_in<fs::recursive_directory_iterator>(find_data().scenarios));
}

}  // namespace

JsonReader load_scenario_file(const std::string& path) {
  if (!path.empty() && !fs::exists(path)) {
    const std::string meant = meant_by(path);
    throw InputError(
        "there is no such file",
        meant.empty() ? "check the path" : "did you mean \"" + printable(meant) + "\"?", path);
  }
  return JsonFile::load(path).root();
}

}  // namespace syncsim::cli
