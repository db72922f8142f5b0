#include "sim/topology/drawing/label_places.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/topology/drawing/labels.h"
#include "sim/topology/drawing/layout.h"
#include "sim/topology/drawing/shapes.h"
#include "sim/topology/drawing/style.h"

namespace syncsim::drawing {
namespace {

// What it costs a label to lie on a label, a figure, another line: for being there, and for each
// point of length or of the square root of the area.
constexpr double kOnLabel = 400;
constexpr double kOnFigure = 200;
constexpr double kOnLine = 20;
constexpr double kNearLine = 6;
constexpr double kNear = 12;  // points
constexpr double kOnOwnLine = 3;
constexpr double kSlantedBeside = 14;
constexpr double kFarther = 16;  // past the edges of figures at the ends of a short line
constexpr double kOtherSide = 1;
constexpr double kOffMiddle = 0.3;                // for each tenth of the line
constexpr double kOffSpots[] = {-0.33, 0, 0.33};  // of the line's spots, where arcs are dense
constexpr double kHidden = 25;                    // all of its line
constexpr double kOutside = 0.1;                  // for each point

// A spot that a label may take; `cost`: what it costs by itself.
struct Place {
  Spot at;
  double cost = 0;
  bool on_line = false;
};

// A bundle with a label.
struct Label {
  std::size_t bundle = 0;
  Spot size;
  double visible = 0;  // length of the line that no figure hides
};

double charge(double price, double size) { return size > 0 ? price + size : 0; }

class Labels {
 public:
  Labels(Picture& picture, const std::vector<double>& pens)
      : picture_(picture), pens_(pens), placed_(picture.bundles.size()) {
    for (const Bundle& bundle : picture.bundles) paths_.push_back(path_of(bundle));
    for (const Figure& figure : picture.figures)
      figures_.push_back(box_around(figure.at, figure.width + 4, figure.height + 4));
    add_titles(picture.frames);
    for (std::size_t i = 0; i < paths_.size(); ++i)
      if (!picture.bundles[i].label.empty()) labels_.push_back(label_on(i));
    std::stable_sort(labels_.begin(), labels_.end(),
                     [](const Label& a, const Label& b) { return a.visible < b.visible; });
  }

  void place_all() {
    for (int round = 0; round < 2; ++round)
      for (const Label& label : labels_) place(label);
  }

 private:
  void add_titles(const std::vector<Frame>& frames) {
    for (const Frame& frame : frames) {
      const double width = text_width(frame.title);
      figures_.push_back(
          box_around({frame.low.x + 8 + width / 2, frame.high.y - 9}, width, kTitleHeight));
      add_titles(frame.inner);
    }
  }

  Label label_on(std::size_t bundle) const {
    const Bundle& self = picture_.bundles[bundle];
    double visible = length_of(paths_[bundle]);
    for (const std::size_t end : {self.a, self.b})
      visible -= length_inside(figures_[end], paths_[bundle]);
    return {bundle, label_size(self.label), std::max(visible, 1.0)};
  }

  std::vector<Place> places_of(const Label& label) const {
    std::vector<Place> places;
    for (const std::vector<Spot>& spots : paths_[label.bundle].spots) {
      const double middle = static_cast<double>(spots.size() - 1) / 2;
      for (std::size_t i = 1; i + 1 < spots.size(); ++i) {
        const Spot step = {spots[i + 1].x - spots[i - 1].x, spots[i + 1].y - spots[i - 1].y};
        for (const double off : kOffSpots)
          add_places(places, label, {spots[i].x + off * step.x / 2, spots[i].y + off * step.y / 2},
                     step, std::abs(static_cast<double>(i) + off - middle) * kOffMiddle);
      }
    }
    return places;
  }

  // Where the line is `at`, in the direction of `step`.
  void add_places(std::vector<Place>& places, const Label& label, Spot at, Spot step,
                  double cost) const {
    places.push_back({at, cost + kOnOwnLine, true});
    const double length = std::hypot(step.x, step.y);
    if (length == 0) return;
    const bool slanted = std::min(std::abs(step.x), std::abs(step.y)) > 0.12 * length;
    Spot aside = {step.y / length, -step.x / length};
    const bool wrong_side = std::abs(aside.x) > 0.3 ? aside.x < 0 : aside.y < 0;
    if (wrong_side) aside = {-aside.x, -aside.y};  // to the right, or above
    const double far = (std::abs(aside.x) * label.size.x + std::abs(aside.y) * label.size.y) / 2 +
                       pens_[label.bundle] / 2 + 3;
    if (slanted) cost += kSlantedBeside;
    for (int steps = 0; steps < (slanted ? 1 : 2); ++steps) {
      const double by = far + steps * kFarther;
      const double price = cost + steps * kFarther / 2;
      places.push_back({{at.x + aside.x * by, at.y + aside.y * by}, price});
      places.push_back({{at.x - aside.x * by, at.y - aside.y * by}, price + kOtherSide});
    }
  }

  // No further than where it is `most` or more.
  double cost_at(const Label& label, const Place& place, double most) const {
    const Spot at = place.at;
    const Box box = box_around(at, label.size.x, label.size.y);
    double cost = place.cost + kOutside * outside(box) +
                  kHidden * length_inside(box, paths_[label.bundle]) / label.visible;
    for (const Label& other : labels_)
      if (other.bundle != label.bundle && placed_[other.bundle])
        cost += charge(kOnLabel, overlap(box, box_around(picture_.bundles[other.bundle].label_at,
                                                         other.size.x + 4, other.size.y)));
    for (const Box& figure : figures_) cost += charge(kOnFigure, overlap(box, figure));
    for (std::size_t other = 0; other < paths_.size() && cost < most; ++other) {
      if (other == label.bundle) continue;
      const double pen = pens_[other] + 2;
      const auto crossed = [&](double by) {
        return length_inside(box_around(at, label.size.x + by, label.size.y + by), paths_[other]);
      };
      cost += charge(kOnLine, crossed(pen));
      if (!place.on_line && crossed(pen + 2 * kNear) > 0) cost += kNearLine;
    }
    return cost;
  }

  double outside(const Box& box) const {
    return std::max(0.0, -box.low.x) + std::max(0.0, -box.low.y) +
           std::max(0.0, box.high.x - picture_.size.x) +
           std::max(0.0, box.high.y - picture_.size.y);
  }

  void place(const Label& label) {
    double least = std::numeric_limits<double>::max();
    Spot best;
    for (const Place& place : places_of(label)) {
      const double cost = cost_at(label, place, least);
      if (cost >= least) continue;
      least = cost;
      best = place.at;
    }
    picture_.bundles[label.bundle].label_at = best;
    placed_[label.bundle] = true;
  }

  Picture& picture_;
  const std::vector<double>& pens_;  // by bundle, as all but the last are
  std::vector<Path> paths_;
  std::vector<bool> placed_;
  std::vector<Box> figures_;   // and titles of frames
  std::vector<Label> labels_;  // the most cramped first
};

}  // namespace

void label(Picture& picture, const DrawingOptions& options) {
  label_bundles(picture, options, picture.bundles.size() > kMostLines ? 0 : kMostLabels);
  const Widths widths(picture.bundles);
  std::vector<double> pens;
  for (const Bundle& bundle : picture.bundles) pens.push_back(pen_of(widths, bundle, options));
  Labels(picture, pens).place_all();
  move_to_origin(picture);
}

}  // namespace syncsim::drawing
