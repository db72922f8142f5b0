#include "sim/base/shelf.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "sim/base/named_table.h"
#include "sim/base/quote.h"

namespace syncsim {
namespace {

bool is_path(const std::string& reference) {
  return reference.find('/') != std::string::npos || reference.ends_with(".json");
}

}  // namespace

std::vector<std::string> names_on(const Shelf& shelf) {
  std::error_code error;
  std::filesystem::directory_iterator files(shelf.directory, error);
  if (error)
    throw InputError(fmt::format("the {} cannot be listed: {}", shelf.plural, error.message()),
                     fmt::format("name a directory of {} files", shelf.what), shelf.directory);
  std::vector<std::string> names;
  for (const auto& file : files) {
    const std::string name = file.path().stem().string();
    if (file.path().extension() == ".json" && name.find('.') == std::string::npos)
      names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::string path_on(const Shelf& shelf, const std::string& reference, const std::string& beside) {
  if (is_path(reference)) {
    const std::string path = (std::filesystem::path(beside) / reference).string();
    if (std::filesystem::exists(path)) return path;
    const std::string shelved = shelf.directory + "/" + reference;
    const bool may_be_shelved = !shelf.directory.empty() && reference.find('/') == reference.npos;
    if (may_be_shelved && std::filesystem::exists(shelved)) return shelved;
    throw InputError("there is no file " + in_quotes(path),
                     fmt::format("name a {} file, or a shipped {} without \".json\"", shelf.what,
                                 shelf.shipped));
  }
  if (shelf.directory.empty())
    throw InputError("there is no shelf to find " + in_quotes(reference) + " on",
                     fmt::format("write the path of a {} file", shelf.what));
  const std::vector<std::string> names = names_on(shelf);
  if (!std::binary_search(names.begin(), names.end(), reference))
    throw unknown_name(shelf.what, reference, names);
  return shelf.directory + "/" + reference + ".json";
}

}  // namespace syncsim
