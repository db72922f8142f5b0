#include "sim/topology/kinds/grid.h"

#include <fmt/format.h>

#include "sim/topology/kinds/generators.h"
#include "sim/topology/kinds/places.h"
#include "sim/topology/link_type.h"

namespace syncsim {
namespace {

bool has_closing_cable(const Grid& grid, std::size_t dimension) {
  return grid.closed[dimension] && grid.lengths[dimension] > 2;
}

// The cables along a dimension; `step` is between the numbers of neighbours.
void join_along(Places& places, const Grid& grid, std::size_t dimension, std::uint64_t step,
                const Link& link) {
  const std::uint64_t length = grid.lengths[dimension];
  const auto join = [&](std::uint64_t from, std::uint64_t to) {
    add_cable(places.parts, places.first + static_cast<NodeId>(from),
              places.first + static_cast<NodeId>(to), link);
  };
  for (std::uint64_t place = 0; place < grid.places(); ++place) {
    const std::uint64_t position = place / step % length;
    if (position + 1 < length)
      join(place, place + step);
    else if (has_closing_cable(grid, dimension))
      join(place, place - (length - 1) * step);
  }
}

}  // namespace

std::uint64_t Grid::places() const {
  std::uint64_t product = 1;
  for (const std::uint64_t length : lengths) product *= length;
  return product;
}

std::uint64_t Grid::cables() const {
  std::uint64_t sum = 0;
  for (std::size_t dimension = 0; dimension < lengths.size(); ++dimension)
    sum += places() / lengths[dimension] *
           (lengths[dimension] - (has_closing_cable(*this, dimension) ? 0 : 1));
  return sum;
}

std::string Grid::text() const { return fmt::format("{}", fmt::join(lengths, "x")); }

Grid read_grid(const JsonReader& json) {
  constexpr std::size_t kMostDimensions = 20;  // of 2: more than a million places
  const JsonReader field = json.required("dimensions", "[4, 4]");
  Grid grid{field, {}, {}};
  const std::vector<JsonReader> lengths = field.elements();
  if (lengths.empty() || lengths.size() > kMostDimensions)
    throw field.error(fmt::format("{} dimensions", lengths.size()),
                      fmt::format("write 1 to {}, as in [4, 4]", kMostDimensions));
  std::uint64_t places = 1;
  for (const JsonReader& length : lengths) {
    grid.lengths.push_back(read_count(length));
    places *= grid.lengths.back();
    if (places > kMostLeaves)
      throw field.error(fmt::format("there would be more than {} places", kMostLeaves),
                        "write smaller dimensions");
  }
  grid.closed.resize(lengths.size());
  return grid;
}

Topology::Parts generate_grid(const JsonReader& json, const Grid& grid, std::string_view name,
                              MachineSource& source) {
  const Leaves leaves = read_leaves_of(json, grid.at, grid.places(), source);
  const Link link = read_link(json);
  Places places = make_places(json, source, leaves, grid.cables(), link, GpuForwards::yes);
  places.parts.name = fmt::format("{} of {}", name, grid.text());
  if (leaves.machine) places.parts.name += " " + leaves.machine->name;
  places.parts.description = fmt::format("{} in a {} {}", leaves.text(), grid.text(), name);
  std::uint64_t step = grid.places();
  for (std::size_t dimension = 0; dimension < grid.lengths.size(); ++dimension) {
    step /= grid.lengths[dimension];
    join_along(places, grid, dimension, step, link);
  }
  return std::move(places.parts);
}

}  // namespace syncsim
