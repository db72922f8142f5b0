#pragma once
// What mesh and torus share: "dimensions": [4, 4, 4], places by number, the last dimension fastest,
// a cable between neighbours along each dimension. A dimension may close: its last place is then
// joined to its first. One of 2 has one cable between its two all the same; one of 1 has none.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/base/json_reader.h"
#include "sim/topology/machine_source.h"

namespace syncsim {

struct Grid {
  JsonReader at;
  std::vector<std::uint64_t> lengths;
  std::vector<bool> closed;

  std::uint64_t places() const;
  std::uint64_t cables() const;
  std::string text() const;  // "4x4x4"
};

// "dimensions", up to kMostLeaves places; none is closed.
Grid read_grid(const JsonReader& json);
// `name` is that of the kind.
Topology::Parts generate_grid(const JsonReader& json, const Grid& grid, std::string_view name,
                              MachineSource& source);

}  // namespace syncsim
