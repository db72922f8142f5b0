#include "sim/topology/drawing/classes.h"

#include <algorithm>
#include <array>
#include <bit>

namespace syncsim::drawing {
namespace {

// A link as its unit sees it: to which class, what kind, how many cables, how fast.
using View = std::array<std::uint64_t, 5>;

View view_of(const Bundle& bundle, std::size_t neighbour, bool from_a, Detail detail) {
  const double out = from_a ? bundle.there : bundle.back;
  const double in = from_a ? bundle.back : bundle.there;
  if (detail == Detail::neighbours)
    return {neighbour, static_cast<std::uint64_t>(bundle.kind), 0, 0, 0};
  return {neighbour, static_cast<std::uint64_t>(bundle.kind), bundle.cables,
          std::bit_cast<std::uint64_t>(out), std::bit_cast<std::uint64_t>(in)};
}

Classes round(const Classes& classes, std::span<const Bundle> bundles, Detail detail) {
  std::vector<std::vector<View>> views(classes.of.size());
  for (const Bundle& bundle : bundles) {
    views[bundle.a].push_back(view_of(bundle, classes.of[bundle.b], true, detail));
    views[bundle.b].push_back(view_of(bundle, classes.of[bundle.a], false, detail));
  }
  for (std::size_t unit = 0; unit < views.size(); ++unit) {
    std::sort(views[unit].begin(), views[unit].end());
    views[unit].push_back({classes.of[unit]});
  }
  return classes_by_key(views);
}

}  // namespace

Classes refine(Classes classes, std::span<const Bundle> bundles, Detail detail, std::size_t most) {
  while (true) {  // at most `most` times
    Classes finer = round(classes, bundles, detail);
    if (finer.count > most || finer.count == classes.count) return classes;
    classes = std::move(finer);
  }
}

}  // namespace syncsim::drawing
