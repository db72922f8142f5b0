// {"kind": "torus", "dimensions": [4, 4, 4], "link": {...}, "wrap": [true, true, false]}: see
// grid.h; the dimensions close that "wrap" says, or else all. The gpus forward. Machines in place
// of gpus: see places.h.

#include <fmt/format.h>

#include "sim/topology/kinds/generators.h"
#include "sim/topology/kinds/grid.h"
#include "sim/topology/kinds/places.h"

namespace syncsim {

Topology::Parts generate_torus(const JsonReader& json, MachineSource& source) {
  allow_keys(json, with_machine_keys({"dimensions", "link", "wrap"}));
  Grid grid = read_grid(json);
  grid.closed.assign(grid.lengths.size(), true);
  if (const auto wrap = json.optional("wrap")) {
    const std::vector<JsonReader> words = wrap->elements();
    if (words.size() != grid.lengths.size())
      throw wrap->error(fmt::format("says {} of {} dimensions", words.size(), grid.lengths.size()),
                        "write true or false for each");
    for (std::size_t i = 0; i < words.size(); ++i) grid.closed[i] = words[i].boolean();
  }
  return generate_grid(json, grid, "torus", source);
}

}  // namespace syncsim
