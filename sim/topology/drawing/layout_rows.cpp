#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "sim/topology/drawing/layout.h"
#include "sim/topology/drawing/rows.h"

namespace syncsim::drawing {
namespace {

constexpr double kRowGap = 58;

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

void stack_rows(Picture& picture, const std::vector<int>& rows) {
  const auto [least, most] = std::minmax_element(rows.begin(), rows.end());
  const int bottom = std::min(*least, 0);
  const int top = std::max(*most, 0);
  std::map<int, double> y = {{0, 0}};
  for (int row = 1; row <= top; ++row)
    y[row] = y[row - 1] + kRowGap +
             (height_of(picture, rows, row) + height_of(picture, rows, row - 1)) / 2;
  const double arcs = deepest_arc(picture, rows);
  for (int row = -1; row >= bottom; --row)
    y[row] = y[row + 1] - kRowGap - (row == -1 ? arcs : 0) -
             (height_of(picture, rows, row) + height_of(picture, rows, row + 1)) / 2;
  for (std::size_t i = 0; i < rows.size(); ++i) picture.figures[i].at.y = y[rows[i]];
}

// The nearest to `x` on the figure's edge, but for its corners.
double port(const Figure& figure, double x) {
  const double reach = std::max(figure.width / 2 - 10, 0.0);
  return std::clamp(x, figure.at.x - reach, figure.at.x + reach);
}

// Beside a line, below it where it is slanted, so that labels of lines that cross stay apart.
void place_label(Bundle& bundle, Spot low, Spot high) {
  const bool upright = std::abs(high.x - low.x) < 20;
  const double part = upright ? 0.5 : 0.25;
  bundle.label_at = {low.x + (high.x - low.x) * part, low.y + (high.y - low.y) * part};
  bundle.label_toward = {high.x > low.x + 2 ? -1.0 : 1.0, 0};
}

// Past the rows between its ends a line goes upright, from the end that is nearer to the leaves.
void bend(const Picture& picture, Bundle& bundle, bool a_inner) {
  Spot from = bundle.curves.front().front();
  Spot to = bundle.curves.front().back();
  Spot& inner = a_inner ? from : to;
  const Spot outer = a_inner ? to : from;
  inner.x = picture.figures[a_inner ? bundle.a : bundle.b].at.x;
  const Spot corner = {inner.x, outer.y + (inner.y < outer.y ? -0.8 : 0.8) * kRowGap};
  std::vector<Spot> curve = line(from, corner);
  const std::vector<Spot> rest = line(corner, to);
  curve.insert(curve.end(), rest.begin() + 1, rest.end());
  bundle.curves = {std::move(curve)};
  bundle.label_at = {inner.x, (inner.y + corner.y) / 2};
  bundle.label_toward = {1, 0};
}

void draw_between_rows(Picture& picture, const std::vector<int>& rows) {
  std::map<std::pair<std::size_t, std::size_t>, int> drawn;  // of each pair
  for (Bundle& bundle : picture.bundles) {
    if (rows[bundle.a] == rows[bundle.b]) continue;
    const Figure& a = picture.figures[bundle.a];
    const Figure& b = picture.figures[bundle.b];
    const double aside = 14.0 * drawn[{bundle.a, bundle.b}]++;
    const Figure& narrow = a.width < b.width ? a : b;
    const Figure& wide = a.width < b.width ? b : a;
    const double at_wide = port(wide, narrow.at.x + aside);
    const double at_narrow = port(narrow, at_wide);
    const bool a_narrow = &narrow == &a;
    const double up = a.at.y < b.at.y ? 1 : -1;
    const Spot from = {a_narrow ? at_narrow : at_wide, a.at.y + up * a.height / 2};
    const Spot to = {a_narrow ? at_wide : at_narrow, b.at.y - up * b.height / 2};
    const bool a_inner = std::abs(rows[bundle.a]) < std::abs(rows[bundle.b]);
    bundle.curves = {line(from, to)};
    place_label(bundle, from.y < to.y ? from : to, from.y < to.y ? to : from);
    if (std::abs(rows[bundle.a] - rows[bundle.b]) > 1) bend(picture, bundle, a_inner);
  }
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
