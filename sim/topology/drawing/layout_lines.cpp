#include <algorithm>
#include <cmath>
#include <map>

#include "sim/topology/drawing/layout.h"

namespace syncsim::drawing {
namespace {

constexpr double kPortGap = 14;

// A line between rows; `wide` and `narrow` are the figures at its ends.
struct Line {
  std::size_t bundle = 0;
  std::size_t wide = 0;
  std::size_t narrow = 0;
  double at_wide = 0;  // x
  double at_narrow = 0;
};

double reach(const Figure& figure) { return std::max(figure.width / 2 - 10, 0.0); }

// The nearest to `x` on the figure's edge, but for its corners.
double port(const Figure& figure, double x) {
  return std::clamp(x, figure.at.x - reach(figure), figure.at.x + reach(figure));
}

// An end of a line at the upper or lower edge of a figure.
struct LineEnd {
  double* x = nullptr;
  double other = 0;  // where the line's other figure is
};
using Edges = std::map<std::pair<std::size_t, bool>, std::vector<LineEnd>>;  // by figure, is upper

// Apart from each other where there is room, in an order in which lines do not cross.
void spread(const Figure& figure, std::vector<LineEnd>& ends) {
  std::stable_sort(ends.begin(), ends.end(), [](const LineEnd& a, const LineEnd& b) {
    return std::pair(*a.x, a.other) < std::pair(*b.x, b.other);
  });
  const double count = static_cast<double>(ends.size()) - 1;
  const double gap = std::min(kPortGap, 2 * reach(figure) / std::max(count, 1.0));
  for (std::size_t i = 1; i < ends.size(); ++i)
    *ends[i].x = std::max(*ends[i].x, *ends[i - 1].x + gap);
  double most = figure.at.x + reach(figure);
  for (auto end = ends.rbegin(); end != ends.rend(); ++end, most -= gap)
    *end->x = std::min(*end->x, most);
}

void spread_all(const Picture& picture, Edges& edges) {
  for (auto& [edge, ends] : edges) spread(picture.figures[edge.first], ends);
}

std::vector<Line> lines_of(const Picture& picture, const std::vector<int>& rows) {
  std::map<std::pair<std::size_t, std::size_t>, int> drawn;  // of each pair
  std::vector<Line> lines;
  for (std::size_t i = 0; i < picture.bundles.size(); ++i) {
    const Bundle& bundle = picture.bundles[i];
    if (rows[bundle.a] == rows[bundle.b]) continue;
    const bool a_narrow = picture.figures[bundle.a].width < picture.figures[bundle.b].width;
    Line line{i, a_narrow ? bundle.b : bundle.a, a_narrow ? bundle.a : bundle.b};
    const double aside = kPortGap * drawn[{bundle.a, bundle.b}]++;
    line.at_wide = port(picture.figures[line.wide], picture.figures[line.narrow].at.x + aside);
    lines.push_back(line);
  }
  return lines;
}

// Upright where they can be.
void choose_ports(const Picture& picture, std::vector<Line>& lines) {
  const auto& figures = picture.figures;
  Edges edges;
  for (Line& line : lines) {
    const bool upper = figures[line.wide].at.y < figures[line.narrow].at.y;
    edges[{line.wide, upper}].push_back({&line.at_wide, figures[line.narrow].at.x});
  }
  spread_all(picture, edges);
  for (Line& line : lines) {
    line.at_narrow = port(figures[line.narrow], line.at_wide);
    const bool upper = figures[line.narrow].at.y < figures[line.wide].at.y;
    edges[{line.narrow, upper}].push_back({&line.at_narrow, line.at_wide});
  }
  spread_all(picture, edges);
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
}

}  // namespace

void draw_between_rows(Picture& picture, const std::vector<int>& rows) {
  std::vector<Line> lines = lines_of(picture, rows);
  choose_ports(picture, lines);
  for (const Line& self : lines) {
    Bundle& bundle = picture.bundles[self.bundle];
    const Figure& a = picture.figures[bundle.a];
    const Figure& b = picture.figures[bundle.b];
    const bool a_narrow = self.narrow == bundle.a;
    const double up = a.at.y < b.at.y ? 1 : -1;
    const Spot from = {a_narrow ? self.at_narrow : self.at_wide, a.at.y + up * a.height / 2};
    const Spot to = {a_narrow ? self.at_wide : self.at_narrow, b.at.y - up * b.height / 2};
    bundle.curves = {line(from, to)};
    if (std::abs(rows[bundle.a] - rows[bundle.b]) > 1)
      bend(picture, bundle, std::abs(rows[bundle.a]) < std::abs(rows[bundle.b]));
  }
}

}  // namespace syncsim::drawing
