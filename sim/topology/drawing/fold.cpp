#include "sim/topology/drawing/fold.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "sim/base/error.h"
#include "sim/base/quote.h"
#include "sim/topology/drawing/classes.h"
#include "sim/topology/drawing/grid.h"
#include "sim/topology/drawing/labels.h"
#include "sim/topology/drawing/units.h"

namespace syncsim::drawing {
namespace {

constexpr std::size_t kMostGpusInDetail = 24;
constexpr std::size_t kMostNodesInDetail = 256;
constexpr std::size_t kMostNodesUnfolded = 2'000;
constexpr std::size_t kMostCablesUnfolded = 20'000;
constexpr std::size_t kMostBoxes = 8;      // one by one
constexpr std::size_t kMostFigures = 40;   // folded
constexpr std::size_t kMostOfAGrid = 256;  // GPUs or boxes

bool has_identical_boxes(const Units& boxes) {
  std::set<std::string_view> seen;
  for (const Unit& unit : boxes.all)
    if (unit.role == Role::box && !seen.insert(unit.contents).second) return true;
  return false;
}

bool fits_in_detail(const Topology& topology, const Units& boxes) {
  return topology.nodes_of_kind(NodeKind::gpu).size() <= kMostGpusInDetail &&
         topology.nodes().size() <= kMostNodesInDetail && !has_identical_boxes(boxes);
}

// Each unit by itself, but switches by role and box; then by whom they are joined to.
Classes parallel_switches(const Units& units, Detail detail) {
  std::vector<std::string> keys;
  for (std::size_t unit = 0; unit < units.all.size(); ++unit) {
    const Unit& self = units.all[unit];
    keys.push_back(is_switch(self.role)
                       ? fmt::format("{} {}", static_cast<int>(self.role), self.box)
                       : fmt::format("unit {}", unit));
  }
  return refine(classes_by_key(keys), units.bundles, detail, units.all.size());
}

Classes alike(const Units& units) {
  std::vector<std::pair<Role, std::string_view>> keys;
  std::vector<Role> roles;
  for (const Unit& unit : units.all) {
    keys.emplace_back(unit.role, unit.contents);
    roles.push_back(unit.role);
  }
  Classes start = classes_by_key(keys);
  if (start.count > kMostFigures) start = classes_by_key(roles);
  return refine(std::move(start), units.bundles, Detail::figures, kMostFigures);
}

bool is_grid(const Units& units) {
  const auto leaf = [&](const Unit& unit) { return unit.role == units.all.front().role; };
  return units.all.size() <= kMostOfAGrid && is_leaf(units.all.front().role) &&
         std::all_of(units.all.begin(), units.all.end(), leaf) &&
         find_grid(units.all.size(), units.bundles).has_value();
}

Classes classes_of_boxes(const Units& boxes) {
  const auto leaves = std::count_if(boxes.all.begin(), boxes.all.end(),
                                    [](const Unit& unit) { return is_leaf(unit.role); });
  const bool few = static_cast<std::size_t>(leaves) <= kMostBoxes;
  if (!few && !is_grid(boxes)) return alike(boxes);
  Classes each = parallel_switches(boxes, Detail::figures);
  return few && each.count > kMostFigures ? alike(boxes) : each;
}

// "8 GPUs, 2 CPUs", "8 NICs, 6 NVSwitches": two on a line.
void add_contents(std::vector<std::string>& lines, const Unit& box) {
  std::size_t on_line = 0;
  for (std::size_t role = 0; role < box.counts.size(); ++role) {
    if (box.counts[role] == 0) continue;
    const std::string text = counted(box.counts[role], static_cast<Role>(role));
    if (on_line++ % 2 == 0)
      lines.push_back(text);
    else
      lines.back() += ", " + text;
  }
}

// Of one class of units.
struct Group {
  std::vector<const Unit*> units;
  std::vector<std::string> names;  // of boxes, or ids
};

bool all_alike(const Group& group) {
  return std::all_of(group.units.begin(), group.units.end(), [&](const Unit* unit) {
    return unit->contents == group.units.front()->contents;
  });
}

Figure figure_of(const Group& group, bool detailed) {
  const Unit& first = *group.units.front();
  Figure figure{first.role, {}, group.units.size()};
  for (const Unit* unit : group.units) figure.heat = std::max(figure.heat, unit->heat);
  figure.box = first.box;
  std::vector<std::string> names = group.names;
  if (detailed && !first.box.empty())  // its frame says the rest
    for (std::string& name : names) name.erase(0, first.box.size() + 1);
  const std::string name = ranges(names);
  figure.tooltip = shown(name, 200);
  const bool whole = first.role == Role::box;
  if (figure.count > 1 && !whole) figure.lines.push_back(counted(figure.count, first.role));
  figure.lines.push_back(shown(name));
  if (figure.count > 1 && whole)
    figure.lines.push_back(counted(figure.count, first.role) +
                           (all_alike(group) ? ", each of" : ", such as"));
  if (whole) add_contents(figure.lines, first);
  return figure;
}

std::vector<Group> groups_of(const Topology& topology, const Units& units, const Classes& classes) {
  std::vector<Group> groups(classes.count);
  for (std::size_t unit = 0; unit < units.all.size(); ++unit) {
    const Unit& self = units.all[unit];
    Group& group = groups[classes.of[unit]];
    group.units.push_back(&self);
    group.names.push_back(self.role == Role::box ? self.box
                                                 : topology.nodes()[self.nodes.front()].id);
  }
  return groups;
}

Picture picture_of(const Topology& topology, const Units& units, const Classes& classes,
                   bool detailed) {
  Picture picture;
  picture.detailed = detailed;
  for (const Group& group : groups_of(topology, units, classes))
    picture.figures.push_back(figure_of(group, detailed));
  Merged merged = merge(units.bundles, classes.of);
  picture.bundles = std::move(merged.outer);
  std::set<LinkKind> hidden;
  for (const Bundle& inner : merged.inner) {
    Figure& figure = picture.figures[inner.a];
    figure.lines.push_back(
        fmt::format("joined by {}: {}", to_string(inner.kind), rate_text(inner)));
    hidden.insert(inner.kind);
    figure.heat = std::max({figure.heat, inner.hottest_there, inner.hottest_back});
  }
  picture.hidden.assign(hidden.begin(), hidden.end());
  for (Figure& figure : picture.figures)
    if (figure.heat >= kIdle) figure.lines.push_back("inside: up to " + percent(figure.heat));
  return picture;
}

void require_drawable(const Topology& topology) {
  const std::size_t nodes = topology.nodes().size();
  const std::size_t cables = topology.links().size() / 2;
  if (nodes <= kMostNodesUnfolded && cables <= kMostCablesUnfolded) return;
  throw InputError(fmt::format("{} has {} nodes and {} cables, too many to draw one by one",
                               in_quotes(topology.name()), nodes, cables),
                   fmt::format("draw at most {} and {}, or let them fold", kMostNodesUnfolded,
                               kMostCablesUnfolded));
}

}  // namespace

Picture fold(const Topology& topology, const DrawingOptions& options) {
  const bool unfolded = options.folding == Folding::never;
  if (unfolded) require_drawable(topology);
  const Units boxes = box_units(topology, options);
  if (unfolded || fits_in_detail(topology, boxes)) {
    const Units nodes = node_units(topology, options);
    return picture_of(topology, nodes, parallel_switches(nodes, Detail::neighbours), true);
  }
  return picture_of(topology, boxes, classes_of_boxes(boxes), false);
}

}  // namespace syncsim::drawing
