#include "sim/topology/drawing/rows.h"

#include <algorithm>
#include <set>

namespace syncsim::drawing {
namespace {

bool in_tree(Role role) { return role == Role::cpu || role == Role::pcie_switch; }

bool is_tree_link(const Picture& picture, const Bundle& bundle) {
  if (bundle.kind == LinkKind::pcie || bundle.kind == LinkKind::host) return true;
  const bool to_cpu =
      picture.figures[bundle.a].role == Role::cpu || picture.figures[bundle.b].role == Role::cpu;
  const bool cpus = picture.figures[bundle.a].role == picture.figures[bundle.b].role;
  return bundle.kind == LinkKind::c2c && to_cpu && !cpus;
}

template <class Keep>
Neighbours neighbours_by(const Picture& picture, const Keep& keep) {
  Neighbours neighbours(picture.figures.size());
  for (const Bundle& bundle : picture.bundles) {
    if (!keep(bundle)) continue;
    neighbours[bundle.a].push_back(bundle.b);
    neighbours[bundle.b].push_back(bundle.a);
  }
  return neighbours;
}

// Breadth first from `from`, through what `passes`; of those reached, the distance, and whence.
struct Search {
  std::vector<std::size_t> distance;
  std::vector<std::size_t> parent;
};

template <class Passes>
void search_on(Search& search, const Neighbours& neighbours, std::vector<std::size_t> from,
               const Passes& passes) {
  for (const std::size_t start : from) search.distance[start] = 0;
  for (std::size_t next = 0; next < from.size(); ++next) {
    const std::size_t self = from[next];
    if (!passes(self) && search.distance[self] > 0) continue;
    for (const std::size_t other : neighbours[self]) {
      if (search.distance[other] != kNone) continue;
      search.distance[other] = search.distance[self] + 1;
      search.parent[other] = self;
      from.push_back(other);
    }
  }
}

// From the CPUs down; PCIe switches without a CPU are roots of their own.
Search search_tree(const Picture& picture) {
  const std::size_t count = picture.figures.size();
  Search search{std::vector(count, kNone), std::vector(count, kNone)};
  const Neighbours neighbours =
      neighbours_by(picture, [&](const Bundle& bundle) { return is_tree_link(picture, bundle); });
  const auto passes = [&](std::size_t i) { return in_tree(picture.figures[i].role); };
  search_on(search, neighbours, figures_where(picture, [](Role role) { return role == Role::cpu; }),
            passes);
  for (const std::size_t i : figures_where(picture, in_tree))
    if (search.distance[i] == kNone) search_on(search, neighbours, {i}, passes);
  return search;
}

int place_tree(const Picture& picture, const Search& tree, std::vector<int>& rows) {
  int top = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (in_tree(picture.figures[i].role))
      top = std::max(top, static_cast<int>(tree.distance[i]) + 1);
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (in_tree(picture.figures[i].role)) rows[i] = top - static_cast<int>(tree.distance[i]);
  return top;
}

// Those that join the same leaves lie below each other. Returns the lowest row.
int place_nvswitches(const Picture& picture, std::vector<int>& rows) {
  std::vector<std::set<std::size_t>> taken;  // by row: leaves
  const Neighbours neighbours = neighbours_by(picture, [&](const Bundle& bundle) {
    return is_leaf(picture.figures[bundle.a].role) != is_leaf(picture.figures[bundle.b].role);
  });
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (picture.figures[i].role != Role::nvswitch) continue;
    const auto is_taken = [&](const std::set<std::size_t>& row) {
      return std::any_of(neighbours[i].begin(), neighbours[i].end(),
                         [&](std::size_t leaf) { return row.contains(leaf); });
    };
    auto row = std::find_if_not(taken.begin(), taken.end(), is_taken);
    if (row == taken.end()) row = taken.insert(row, std::set<std::size_t>());
    row->insert(neighbours[i].begin(), neighbours[i].end());
    rows[i] = -1 - static_cast<int>(row - taken.begin());
  }
  return -static_cast<int>(taken.size());
}

void place_networks(const Picture& picture, int top, int bottom, std::vector<int>& rows) {
  Search search{std::vector(rows.size(), kNone), std::vector(rows.size(), kNone)};
  search_on(search,
            neighbours_by(picture, [](const Bundle& b) { return b.kind == LinkKind::network; }),
            figures_where(picture, [](Role role) { return role != Role::network_switch; }),
            [](std::size_t) { return true; });
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (picture.figures[i].role != Role::network_switch) continue;
    const int distance = search.distance[i] == kNone ? 1 : static_cast<int>(search.distance[i]);
    rows[i] = top > 0 ? bottom - distance : distance;
  }
}

}  // namespace

std::vector<std::size_t> figures_where(const Picture& picture, bool (*holds)(Role)) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < picture.figures.size(); ++i)
    if (holds(picture.figures[i].role)) found.push_back(i);
  return found;
}

Rows rows_of(const Picture& picture) {
  Search tree = search_tree(picture);
  Rows rows{std::vector<int>(picture.figures.size()), std::move(tree.parent)};
  const int top = place_tree(picture, tree, rows.of);
  const int bottom = place_nvswitches(picture, rows.of);
  place_networks(picture, top, bottom, rows.of);
  return rows;
}

}  // namespace syncsim::drawing
