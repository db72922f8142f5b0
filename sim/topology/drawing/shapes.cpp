#include "sim/topology/drawing/shapes.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace syncsim::drawing {
namespace {

constexpr int kPieces = 10;  // of a cubic curve

// Liang and Barsky.
double length_inside(const Box& box, Spot from, Spot to) {
  const Spot step = {to.x - from.x, to.y - from.y};
  const std::array<std::array<double, 2>, 4> sides = {{{-step.x, from.x - box.low.x},
                                                       {step.x, box.high.x - from.x},
                                                       {-step.y, from.y - box.low.y},
                                                       {step.y, box.high.y - from.y}}};
  double enters = 0;
  double leaves = 1;
  for (const auto& [speed, distance] : sides) {
    if (speed == 0 && distance < 0) return 0;
    if (speed < 0) enters = std::max(enters, distance / speed);
    if (speed > 0) leaves = std::min(leaves, distance / speed);
  }
  return enters < leaves ? (leaves - enters) * std::hypot(step.x, step.y) : 0;
}

template <class Value>
void for_each_piece(const Path& path, const Value& value) {
  for (const std::vector<Spot>& spots : path.spots)
    for (std::size_t i = 1; i < spots.size(); ++i) value(spots[i - 1], spots[i]);
}

}  // namespace

void Box::cover(Spot spot) {
  low = {std::min(low.x, spot.x), std::min(low.y, spot.y)};
  high = {std::max(high.x, spot.x), std::max(high.y, spot.y)};
}

Box box_around(Spot middle, double width, double height) {
  return {{middle.x - width / 2, middle.y - height / 2},
          {middle.x + width / 2, middle.y + height / 2}};
}

double overlap(const Box& a, const Box& b) {
  const double x = std::min(a.high.x, b.high.x) - std::max(a.low.x, b.low.x);
  const double y = std::min(a.high.y, b.high.y) - std::max(a.low.y, b.low.y);
  return x > 0 && y > 0 ? std::sqrt(x * y) : 0;
}

Spot on_cubic(const Spot* control, double part) {
  const double rest = 1 - part;
  const std::array<double, 4> weights = {rest * rest * rest, 3 * rest * rest * part,
                                         3 * rest * part * part, part * part * part};
  Spot spot;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    spot.x += weights[i] * control[i].x;
    spot.y += weights[i] * control[i].y;
  }
  return spot;
}

Path path_of(const Bundle& bundle) {
  Path path;
  for (const auto& curve : bundle.curves) {
    std::vector<Spot>& spots = path.spots.emplace_back(1, curve.front());
    for (std::size_t i = 0; i + 3 < curve.size(); i += 3)
      for (int piece = 1; piece <= kPieces; ++piece)
        spots.push_back(on_cubic(&curve[i], static_cast<double>(piece) / kPieces));
    for (const Spot spot : spots) path.around.cover(spot);
  }
  return path;
}

double length_of(const Path& path) {
  double length = 0;
  for_each_piece(path,
                 [&](Spot from, Spot to) { length += std::hypot(to.x - from.x, to.y - from.y); });
  return length;
}

double length_inside(const Box& box, const Path& path) {
  const bool apart = box.high.x < path.around.low.x || box.low.x > path.around.high.x ||
                     box.high.y < path.around.low.y || box.low.y > path.around.high.y;
  double length = 0;
  if (apart) return length;
  for_each_piece(path, [&](Spot from, Spot to) { length += length_inside(box, from, to); });
  return length;
}

}  // namespace syncsim::drawing
