#include "sim/topology/drawing/layout.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sim/base/quote.h"
#include "sim/topology/drawing/grid.h"
#include "sim/topology/drawing/shapes.h"

namespace syncsim::drawing {
namespace {

constexpr double kLineHeight = 13;
constexpr double kLabelCharacter = 5.4;  // of a line's label, in its smaller type
constexpr double kLabelLine = 12;
constexpr std::size_t kMostPassed = 24;

void size_labels(Picture& picture) {
  for (Figure& figure : picture.figures) {
    double widest = 30;
    for (const std::string& text : figure.lines) widest = std::max(widest, text_width(text));
    figure.width = widest + 18;
    figure.height = 16 + kLineHeight * static_cast<double>(figure.lines.size());
  }
}

bool all_alike(const Picture& picture) {
  const Role role = picture.figures.front().role;
  return is_leaf(role) && std::all_of(picture.figures.begin(), picture.figures.end(),
                                      [&](const Figure& figure) { return figure.role == role; });
}

// Lines from middle to middle: figures cover their ends.
void draw_straight(Picture& picture) {
  for (Bundle& bundle : picture.bundles)
    bundle.curves = {line(picture.figures[bundle.a].at, picture.figures[bundle.b].at)};
}

bool has_chords(const Picture& picture) {
  const std::size_t count = picture.figures.size();
  return std::any_of(picture.bundles.begin(), picture.bundles.end(), [&](const Bundle& bundle) {
    const std::size_t steps = (bundle.b + count - bundle.a) % count;
    return steps > 1 && steps + 1 < count;
  });
}

void cover(Box& box, const Box& more) {
  box.cover(more.low);
  box.cover(more.high);
}

Box extent_of(const Picture& picture) {
  Box extent;
  for (const Figure& f : picture.figures) cover(extent, box_around(f.at, f.width, f.height));
  for (const Bundle& bundle : picture.bundles) {
    cover(extent, path_of(bundle).around);
    if (bundle.label.empty()) continue;
    const Spot size = label_size(bundle.label);
    cover(extent, box_around(bundle.label_at, size.x, size.y));
  }
  for (const Frame& frame : picture.frames) cover(extent, {frame.low, frame.high});
  return extent;
}

void move(std::vector<Frame>& frames, Spot by) {
  for (Frame& frame : frames) {
    for (Spot* spot : {&frame.low, &frame.high}) *spot = {spot->x + by.x, spot->y + by.y};
    move(frame.inner, by);
  }
}

}  // namespace

std::vector<Spot> line(Spot from, Spot to) {
  const auto along = [&](double part) {
    return Spot{from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part};
  };
  return {from, along(1.0 / 3), along(2.0 / 3), to};
}

double text_width(std::string_view text) { return 6.3 * static_cast<double>(characters(text)); }

Spot label_size(std::string_view label) {
  Spot size;
  while (true) {
    const std::size_t end = std::min(label.find('\n'), label.size());
    size.x =
        std::max(size.x, kLabelCharacter * static_cast<double>(characters(label.substr(0, end))));
    size.y += kLabelLine;
    if (end == label.size()) return {size.x + 4, size.y};
    label.remove_prefix(end + 1);
  }
}

void lay_out_circle(Picture& picture) {
  const auto count = static_cast<double>(picture.figures.size());
  double widest = 0;
  double highest = 0;
  for (const Figure& figure : picture.figures) {
    widest = std::max(widest, figure.width);
    highest = std::max(highest, figure.height);
  }
  const double least = std::max(70.0, count * (widest + 50) / (2 * std::numbers::pi));
  // A line to the next but one passes the one between; few enough for that to be a picture.
  const double inwards = 1 - std::cos(2 * std::numbers::pi / count);
  const bool clear = has_chords(picture) && picture.figures.size() <= kMostPassed;
  const auto radius = [&](double size) {
    return clear ? std::max(least, (size / 2 + 10) / inwards) : least;
  };
  for (std::size_t i = 0; i < picture.figures.size(); ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / count;
    picture.figures[i].at = {radius(widest) * std::sin(angle), radius(highest) * std::cos(angle)};
  }
  draw_straight(picture);
}

void lay_out_grid(Picture& picture, const Grid& grid) {
  double width = 0;
  double height = 0;
  for (const Figure& figure : picture.figures) {
    width = std::max(width, figure.width);
    height = std::max(height, figure.height);
  }
  const auto side = [&](std::size_t d) {
    return d < grid.sides.size() ? static_cast<double>(grid.sides[d]) : 1.0;
  };
  // The third dimension goes back, the fourth to the right of it all.
  const Spot back = {width * 0.75, height + 6};
  const Spot cell = {side(2) * back.x + width * 0.7 + 20, -(side(2) * back.y + 30)};
  const std::vector<Spot> steps = {{cell.x, 0}, {0, cell.y}, back, {(side(0) + 0.5) * cell.x, 0}};
  for (std::size_t i = 0; i < picture.figures.size(); ++i) {
    const std::vector<std::size_t> place = grid.place(i);
    for (std::size_t d = 0; d < place.size(); ++d) {
      picture.figures[i].at.x += steps[d].x * static_cast<double>(place[d]);
      picture.figures[i].at.y += steps[d].y * static_cast<double>(place[d]);
    }
  }
  draw_straight(picture);
  for (Bundle& bundle : picture.bundles) {
    const Step step = *step_between(grid, bundle.a, bundle.b);
    if (!step.wraps) continue;
    const Spot from = picture.figures[bundle.a].at;
    const Spot to = picture.figures[bundle.b].at;
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    const double part = (step.dimension == 1 ? height : width) * 0.95 / length;
    const Spot by = {(to.x - from.x) * part, (to.y - from.y) * part};
    bundle.curves = {line(from, {from.x - by.x, from.y - by.y}),
                     line(to, {to.x + by.x, to.y + by.y})};
    picture.wrapped = true;
  }
}

void move_to_origin(Picture& picture) {
  const Box extent = extent_of(picture);
  const Spot by = {-extent.low.x, -extent.low.y};
  const auto moved = [&](Spot spot) { return Spot{spot.x + by.x, spot.y + by.y}; };
  for (Figure& figure : picture.figures) figure.at = moved(figure.at);
  for (Bundle& bundle : picture.bundles) {
    bundle.label_at = moved(bundle.label_at);
    for (auto& curve : bundle.curves)
      std::transform(curve.begin(), curve.end(), curve.begin(), moved);
  }
  move(picture.frames, by);
  picture.size = {extent.high.x - extent.low.x, extent.high.y - extent.low.y};
}

void lay_out(Picture& picture) {
  size_labels(picture);
  std::optional<Grid> grid;
  if (all_alike(picture)) grid = find_grid(picture.figures.size(), picture.bundles);
  if (grid && grid->sides.size() > 1)
    lay_out_grid(picture, *grid);
  else if (all_alike(picture) && picture.figures.size() > 2)
    lay_out_circle(picture);
  else
    lay_out_rows(picture);
  move_to_origin(picture);
}

}  // namespace syncsim::drawing
