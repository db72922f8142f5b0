#include <algorithm>
#include <cmath>
#include <map>

#include "sim/topology/drawing/layout.h"

namespace syncsim::drawing {
namespace {

// One end of an arc at a figure.
struct End {
  std::size_t bundle = 0;
  bool at_a = false;
  double reach = 0;  // to the other end, signed
};

// From left to right along a figure's edge, so that arcs of one figure do not cross.
bool before(const End& left, const End& right) {
  if ((left.reach < 0) != (right.reach < 0)) return left.reach < 0;
  return left.reach > right.reach;
}

using Ends = std::map<std::size_t, std::vector<End>>;  // by figure

// Where bundles within a row begin and end: x, for a and b.
std::map<std::size_t, std::pair<double, double>> ports(const Picture& picture, const Ends& ends) {
  std::map<std::size_t, std::pair<double, double>> x;
  for (auto [self, list] : ends) {
    const Figure& figure = picture.figures[self];
    std::stable_sort(list.begin(), list.end(), before);
    const double step =
        std::min(10.0, (figure.width - 14) / std::max(1.0, static_cast<double>(list.size()) - 1));
    double at = figure.at.x - step * (static_cast<double>(list.size()) - 1) / 2;
    for (const End& end : list) {
      (end.at_a ? x[end.bundle].first : x[end.bundle].second) = at;
      at += step;
    }
  }
  return x;
}

// Nothing of the row lies between two figures.
bool adjacent(const Picture& picture, const std::vector<int>& rows, const Bundle& bundle) {
  const auto [low, high] =
      std::minmax(picture.figures[bundle.a].at.x, picture.figures[bundle.b].at.x);
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i] == rows[bundle.a] && picture.figures[i].at.x > low &&
        picture.figures[i].at.x < high)
      return false;
  return true;
}

void draw_across(const Picture& picture, Bundle& bundle) {
  const Figure& a = picture.figures[bundle.a];
  const Figure& b = picture.figures[bundle.b];
  const double right = a.at.x < b.at.x ? 1 : -1;
  const Spot from = {a.at.x + right * a.width / 2, a.at.y};
  const Spot to = {b.at.x - right * b.width / 2, b.at.y};
  bundle.curves = {line(from, to)};
}

void draw_arc(const Picture& picture, Bundle& bundle, std::pair<double, double> x, double up) {
  const Figure& a = picture.figures[bundle.a];
  const double y = a.at.y + up * a.height / 2;
  const double across = x.second - x.first;
  const double depth = up * (16 + 0.27 * std::abs(across));
  const double pull = y + depth / 0.75;  // a cubic curve goes three quarters of the way
  bundle.curves = {{{x.first, y},
                    {x.first + across * 0.12, pull},
                    {x.second - across * 0.12, pull},
                    {x.second, y}}};
}

}  // namespace

void draw_arcs(Picture& picture, const std::vector<int>& rows) {
  Ends ends;
  for (std::size_t i = 0; i < picture.bundles.size(); ++i) {
    const Bundle& bundle = picture.bundles[i];
    if (rows[bundle.a] != rows[bundle.b]) continue;
    const double reach = picture.figures[bundle.b].at.x - picture.figures[bundle.a].at.x;
    ends[bundle.a].push_back({i, true, reach});
    ends[bundle.b].push_back({i, false, -reach});
  }
  const auto x = ports(picture, ends);
  for (const auto& [i, at] : x) {
    Bundle& bundle = picture.bundles[i];
    const int row = rows[bundle.a];
    const double up = row > 0 ? 1 : -1;
    if (row != 0 && adjacent(picture, rows, bundle))
      draw_across(picture, bundle);
    else
      draw_arc(picture, bundle, at, up);
  }
}

}  // namespace syncsim::drawing
