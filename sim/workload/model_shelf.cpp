#include "sim/workload/model_shelf.h"

#include "sim/base/shelf.h"

namespace syncsim {
namespace {

Shelf shelf_in(const std::string& directory) { return {directory, "model", "models", "model"}; }

}  // namespace

std::vector<std::string> model_names(const std::string& shelf_directory) {
  return names_on(shelf_in(shelf_directory));
}

Model load_model(const std::string& reference, const std::string& shelf_directory,
                 const std::string& beside) {
  return read_model(JsonFile::load(path_on(shelf_in(shelf_directory), reference, beside)).root());
}

}  // namespace syncsim
