#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "sim/topology/drawing/layout.h"
#include "sim/topology/drawing/rows.h"

namespace syncsim::drawing {
namespace {

constexpr int kMostCrossings = 12;

// Of each figure the first switch that it joins.
std::vector<std::size_t> switches_of(const Picture& picture) {
  std::vector<std::size_t> found(picture.figures.size(), kNone);
  for (const Bundle& bundle : picture.bundles) {
    if (is_switch(picture.figures[bundle.a].role))
      found[bundle.b] = std::min(found[bundle.b], bundle.a);
    if (is_switch(picture.figures[bundle.b].role))
      found[bundle.a] = std::min(found[bundle.a], bundle.b);
  }
  return found;
}

// Leaves in the order of the tree above them, box by box; those in no tree, by their switch.
std::vector<std::vector<std::size_t>> leaf_keys(const Picture& picture, const Rows& rows) {
  const std::vector<std::size_t> switches = switches_of(picture);
  std::map<std::string, std::size_t> boxes;
  std::vector<std::vector<std::size_t>> keys(picture.figures.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    for (std::size_t up = i; up != kNone; up = rows.parents[up]) keys[i].push_back(up);
    if (keys[i].size() == 1) keys[i].insert(keys[i].end(), {switches[i], kNone});
    keys[i].push_back(boxes.emplace(picture.figures[i].box, i).first->second);
    std::reverse(keys[i].begin(), keys[i].end());
  }
  return keys;
}

// Between leaves: wider where they hang from different switches, sockets, boxes.
double gap_between(const std::vector<std::size_t>& a, const std::vector<std::size_t>& b) {
  if (a[0] != b[0]) return 70;
  if (a[1] != b[1]) return 52;
  return std::equal(a.begin() + 1, a.end() - 1, b.begin() + 1, b.end() - 1) ? 16 : 28;
}

void place_leaves(Picture& picture, const Rows& rows) {
  const auto keys = leaf_keys(picture, rows);
  std::vector<std::size_t> leaves = figures_where(picture, is_leaf);
  std::sort(leaves.begin(), leaves.end(),
            [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  double x = 0;
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    Figure& figure = picture.figures[leaves[i]];
    if (i > 0) x += gap_between(keys[leaves[i - 1]], keys[leaves[i]]);
    figure.at.x = x + figure.width / 2;
    x += figure.width;
  }
}

// As many as would crowd below a narrow one.
bool over_leaves(const Picture& picture, const std::vector<std::size_t>& figures) {
  return std::count_if(figures.begin(), figures.end(),
                       [&](std::size_t i) { return is_leaf(picture.figures[i].role); }) > 2;
}

// Over, or below, what a figure joins; as wide as that where it is a switch.
void span(Picture& picture, std::size_t self, const std::vector<std::size_t>& joined) {
  if (joined.empty()) return;
  double low = std::numeric_limits<double>::max();
  double high = std::numeric_limits<double>::lowest();
  for (const std::size_t other : joined) {
    const Figure& figure = picture.figures[other];
    low = std::min(low, figure.at.x - figure.width / 2);
    high = std::max(high, figure.at.x + figure.width / 2);
  }
  Figure& figure = picture.figures[self];
  figure.at.x = (low + high) / 2;
  if (is_switch(figure.role) || over_leaves(picture, joined))
    figure.width = std::max(figure.width, high - low);
}

bool overlap(const Figure& left, const Figure& right) {
  return left.at.x + left.width / 2 + 8 > right.at.x - right.width / 2;
}

// Side by side, around where they were.
void spread(Picture& picture, const std::vector<std::size_t>& from_left) {
  double edge = std::numeric_limits<double>::lowest();
  double pushed = 0;
  for (const std::size_t i : from_left) {
    Figure& figure = picture.figures[i];
    const double x = std::max(figure.at.x, edge + 24 + figure.width / 2);
    pushed += x - figure.at.x;
    figure.at.x = x;
    edge = x + figure.width / 2;
  }
  for (const std::size_t i : from_left)
    picture.figures[i].at.x -= pushed / static_cast<double>(from_left.size());
}

void place_row(Picture& picture, std::vector<std::size_t> row, const Neighbours& inwards) {
  std::map<std::size_t, double> widths;  // of their labels
  for (const std::size_t i : row) {
    widths[i] = picture.figures[i].width;
    span(picture, i, inwards[i]);
  }
  std::stable_sort(row.begin(), row.end(), [&](std::size_t a, std::size_t b) {
    return picture.figures[a].at.x < picture.figures[b].at.x;
  });
  const bool crowded =
      std::adjacent_find(row.begin(), row.end(), [&](std::size_t a, std::size_t b) {
        return overlap(picture.figures[a], picture.figures[b]);
      }) != row.end();
  if (!crowded) return;
  for (const std::size_t i : row) picture.figures[i].width = widths[i];
  spread(picture, row);
}

void place_rows(Picture& picture, const Rows& rows) {
  std::map<int, std::vector<std::size_t>> members;
  for (std::size_t i = 0; i < picture.figures.size(); ++i) members[rows.of[i]].push_back(i);
  // Of each figure, what it joins in the rows between it and the leaves.
  Neighbours inwards(picture.figures.size());
  for (const Bundle& bundle : picture.bundles) {
    const int a = rows.of[bundle.a];
    const int b = rows.of[bundle.b];
    if (a * b < 0 || a == b) continue;
    const bool a_inside = std::abs(a) < std::abs(b);
    inwards[a_inside ? bundle.b : bundle.a].push_back(a_inside ? bundle.a : bundle.b);
  }
  for (int row = 1; members.contains(row); ++row) place_row(picture, members[row], inwards);
  for (int row = -1; members.contains(row); --row) place_row(picture, members[row], inwards);
}

// Arcs below the leaves come between them and the rows further down.
double deepest_arc(const Picture& picture, const std::vector<int>& rows) {
  double deepest = 0;
  for (const Bundle& bundle : picture.bundles)
    if (rows[bundle.a] == 0 && rows[bundle.b] == 0)
      for (const Spot spot : bundle.curves.front()) deepest = std::min(deepest, spot.y);
  return -deepest * 0.75;
}

double height_of(const Picture& picture, const std::vector<int>& rows, int row) {
  double height = 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i] == row) height = std::max(height, picture.figures[i].height);
  return height;
}

// Rows between which lines cross are farther apart, for the lines' labels.
double gap_above(const Picture& picture, const std::vector<int>& rows, int row) {
  std::vector<std::pair<double, double>> lines;  // x below and above
  for (const Bundle& bundle : picture.bundles) {
    const bool up = rows[bundle.a] == row && rows[bundle.b] == row + 1;
    const bool down = rows[bundle.b] == row && rows[bundle.a] == row + 1;
    const double a = picture.figures[bundle.a].at.x;
    const double b = picture.figures[bundle.b].at.x;
    if (up || down) lines.emplace_back(up ? a : b, up ? b : a);
  }
  int crossings = 0;
  for (std::size_t i = 0; i < lines.size() && crossings < kMostCrossings; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if ((lines[i].first - lines[j].first) * (lines[i].second - lines[j].second) < 0) ++crossings;
  return kRowGap + 10 * std::min(crossings, kMostCrossings);
}

void stack_rows(Picture& picture, const std::vector<int>& rows) {
  const auto [least, most] = std::minmax_element(rows.begin(), rows.end());
  const int bottom = std::min(*least, 0);
  const int top = std::max(*most, 0);
  std::map<int, double> y = {{0, 0}};
  for (int row = 1; row <= top; ++row)
    y[row] = y[row - 1] + gap_above(picture, rows, row - 1) +
             (height_of(picture, rows, row) + height_of(picture, rows, row - 1)) / 2;
  const double arcs = deepest_arc(picture, rows);
  for (int row = -1; row >= bottom; --row)
    y[row] = y[row + 1] - gap_above(picture, rows, row) - (row == -1 ? arcs : 0) -
             (height_of(picture, rows, row) + height_of(picture, rows, row + 1)) / 2;
  for (std::size_t i = 0; i < rows.size(); ++i) picture.figures[i].at.y = y[rows[i]];
}

}  // namespace

void lay_out_rows(Picture& picture) {
  const Rows rows = rows_of(picture);
  place_leaves(picture, rows);
  place_rows(picture, rows);
  draw_arcs(picture, rows.of);
  stack_rows(picture, rows.of);
  draw_arcs(picture, rows.of);
  draw_between_rows(picture, rows.of);
  if (picture.detailed) frame_sockets(picture, rows.parents);
}

}  // namespace syncsim::drawing
