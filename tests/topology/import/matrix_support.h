#pragma once
// Running an importer on a text.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/topology/import/importer.h"
#include "tests/topology/json_support.h"

namespace syncsim::testing {

inline const LinkRates& matrix_rates() {
  static const LinkRates rates = LinkRates::load(SYNCSIM_SHELF "/rates");
  return rates;
}

struct MatrixMachine {
  Topology machine;
  std::vector<std::string> warnings;
};

inline MatrixMachine import_matrix(std::string_view format, std::string_view text,
                                   const std::string& profile = "",
                                   std::optional<Topology> onto = std::nullopt) {
  Imported imported =
      importers().at(format).read(text, "t.txt", {matrix_rates(), profile, std::move(onto)});
  return {Topology(std::move(imported.parts)), std::move(imported.warnings)};
}

// "gpu0-gpu1 nvlink x2", one line a cable, in the machine's order.
inline std::vector<std::string> typed_cables(const Topology& machine) {
  std::vector<std::string> result;
  for (LinkId link = 0; link < machine.links().size(); link += 2) {
    const Link& cable = machine.links()[link];
    std::string line = machine.cable_name(link) + " " + std::string(to_string(cable.kind));
    if (cable.count > 1) line += " x" + std::to_string(cable.count);
    result.push_back(line);
  }
  return result;
}

}  // namespace syncsim::testing
