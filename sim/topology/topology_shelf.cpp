#include "sim/base/shelf.h"
#include "sim/topology/topology_json.h"

namespace syncsim {
namespace {

Shelf shelf_in(const std::string& directory) {
  return {directory, "topology", "topologies", "machine"};
}

}  // namespace

std::vector<std::string> shelf_names(const std::string& shelf_directory) {
  return names_on(shelf_in(shelf_directory));
}

std::string topology_path(const std::string& reference, const std::string& shelf_directory,
                          const std::string& beside) {
  return path_on(shelf_in(shelf_directory), reference, beside);
}

Topology load_topology(const std::string& reference, const std::string& shelf_directory,
                       const MemoryLimit& memory) {
  const std::string path = topology_path(reference, shelf_directory);
  return read_topology(JsonFile::load(path).root(), memory, shelf_directory);
}

}  // namespace syncsim
