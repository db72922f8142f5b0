#pragma once
// Models from what other tools measured. An importer is one file beside this one and one row in
// model_importers.cpp.

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/named_table.h"
#include "sim/workload/model.h"

namespace syncsim {

inline constexpr std::int64_t kMostModelText = std::int64_t{256} << 20;  // bytes

struct ModelImporter {
  std::string_view name;
  std::string_view description;
  // `file` is for places, and for the name of where times and sizes come from. The model's own name
  // and batch are left to the caller. Throws InputError with its place.
  Model (*read)(const std::string& text, const std::string& file);
};

const NamedTable<ModelImporter>& model_importers();

}  // namespace syncsim
