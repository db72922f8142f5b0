#include <algorithm>
#include <filesystem>
#include <system_error>

#include "sim/base/named_table.h"
#include "sim/base/quote.h"
#include "sim/topology/topology_json.h"

namespace syncsim {
namespace {

bool is_path(const std::string& reference) {
  return reference.find('/') != std::string::npos || reference.ends_with(".json");
}

}  // namespace

std::vector<std::string> shelf_names(const std::string& shelf_directory) {
  std::error_code error;
  std::filesystem::directory_iterator files(shelf_directory, error);
  if (error)
    throw InputError("the topologies cannot be listed: " + error.message(),
                     "name a directory of topology files", shelf_directory);
  std::vector<std::string> names;
  for (const auto& file : files) {
    const std::string name = file.path().stem().string();
    if (file.path().extension() == ".json" && name.find('.') == std::string::npos)
      names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string topology_path(const std::string& reference, const std::string& shelf_directory,
                          const std::string& beside) {
  if (is_path(reference)) {
    const std::string path = (std::filesystem::path(beside) / reference).string();
    if (std::filesystem::exists(path)) return path;
    const std::string shelved = shelf_directory + "/" + reference;
    const bool may_be_shelved = !shelf_directory.empty() && reference.find('/') == reference.npos;
    if (may_be_shelved && std::filesystem::exists(shelved)) return shelved;
    throw InputError("there is no file " + in_quotes(path),
                     "name a topology file, or a shipped machine without \".json\"");
  }
  if (shelf_directory.empty())
    throw InputError("there is no shelf to find " + in_quotes(reference) + " on",
                     "write the path of a topology file");
  const std::vector<std::string> names = shelf_names(shelf_directory);
  if (!std::binary_search(names.begin(), names.end(), reference))
    throw unknown_name("topology", reference, names);
  return shelf_directory + "/" + reference + ".json";
}

Topology load_topology(const std::string& reference, const std::string& shelf_directory,
                       const MemoryLimit& memory) {
  const std::string path = topology_path(reference, shelf_directory);
  return read_topology(JsonFile::load(path).root(), memory, shelf_directory);
}

}  // namespace syncsim
