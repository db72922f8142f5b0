// The visible list of importers: one row each.

#include "sim/topology/import/importer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace syncsim {

const NamedTable<Importer>& importers() {
  static const NamedTable<Importer> table("import format", {});
  return table;
}

const Importer& importer_for(std::string_view text, const std::string& format) {
  if (!format.empty()) return importers().at(format);
  for (const Importer& importer : importers().rows())
    if (importer.recognises(text)) return importer;
  throw InputError(
      "is in no format that can be imported",
      fmt::format("say which with --format: {}", fmt::join(importers().names(), ", ")));
}

}  // namespace syncsim
