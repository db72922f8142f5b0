#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/report/page/page_json.h"
#include "sim/topology/drawing/draw.h"
#include "sim/topology/drawing/labels.h"
#include "sim/topology/drawing/legend.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;
using namespace drawing;

constexpr int kRampSteps = 20;

// Tenths of a point are enough for a screen.
double place(double points) { return std::round(points * 10) / 10; }

std::string_view name_of(Role role) {
  constexpr std::string_view kNames[] = {"gpu",         "cpu",      "nic",           "box",
                                         "pcie_switch", "nvswitch", "network_switch"};
  return kNames[static_cast<std::size_t>(role)];
}

class Writer {
 public:
  Writer(const Topology& machine, const Picture& picture, const DrawingOptions& options)
      : machine_(machine), picture_(picture), options_(options), widths_(picture.bundles) {}

  Json write() const {
    Json figures = Json::array();
    for (const drawing::Figure& figure : picture_.figures) figures.push_back(figure_json(figure));
    Json lines = Json::array();
    for (const Bundle& bundle : picture_.bundles) lines.push_back(line_json(bundle));
    Json legend = Json::array();
    for (const LegendRow& row : legend_of(picture_, widths_, options_))
      legend.push_back({{"colours", row.colours}, {"text", row.text}});
    return {{"width", place(picture_.size.x)},        {"height", place(picture_.size.y)},
            {"figures", std::move(figures)},          {"lines", std::move(lines)},
            {"frames", frames_json(picture_.frames)}, {"legend", std::move(legend)}};
  }

 private:
  double x(Spot spot) const { return place(spot.x); }
  double y(Spot spot) const { return place(picture_.size.y - spot.y); }

  Json figure_json(const drawing::Figure& figure) const {
    return {{"role", name_of(figure.role)},
            {"lines", figure.lines},
            {"count", figure.count},
            {"x", x(figure.at)},
            {"y", y(figure.at)},
            {"width", place(figure.width)},
            {"height", place(figure.height)},
            {"heat", twelve_digits(figure.heat)},
            {"tooltip", figure.tooltip}};
  }

  Json curves_json(const Bundle& bundle) const {
    Json curves = Json::array();
    for (const auto& spots : bundle.curves) {
      Json curve = Json::array();
      for (const Spot spot : spots) {
        curve.push_back(x(spot));
        curve.push_back(y(spot));
      }
      curves.push_back(std::move(curve));
    }
    return curves;
  }

  Json line_json(const Bundle& bundle) const {
    const auto way = [&](double rate, double carried, double hottest) {
      return Json{{"Bps", twelve_digits(rate)},
                  {"carried_Bps", twelve_digits(carried)},
                  {"hottest", twelve_digits(hottest)}};
    };
    return {{"cable", machine_.cable_name(bundle.example)},
            {"a", bundle.a},
            {"b", bundle.b},
            {"cables", bundle.cables},
            {"kind", to_string(bundle.kind)},
            {"rate", rate_text(bundle)},
            {"half_duplex", bundle.half_duplex},
            {"there", way(bundle.there, bundle.carried_there, bundle.hottest_there)},
            {"back", way(bundle.back, bundle.carried_back, bundle.hottest_back)},
            {"curves", curves_json(bundle)},
            {"pen", place(pen_of(widths_, bundle, options_))},
            {"label", bundle.label},
            {"label_x", x(bundle.label_at)},
            {"label_y", y(bundle.label_at)}};
  }

  Json frames_json(const std::vector<Frame>& frames) const {
    Json list = Json::array();
    for (const Frame& frame : frames)
      list.push_back({{"title", frame.title},
                      {"x", x(frame.low)},
                      {"y", y(frame.high)},
                      {"width", place(frame.high.x - frame.low.x)},
                      {"height", place(frame.high.y - frame.low.y)},
                      {"inner", frames_json(frame.inner)}});
    return list;
  }

  const Topology& machine_;
  const Picture& picture_;
  const DrawingOptions& options_;
  Widths widths_;
};

}  // namespace

Json ramp_json() {
  Json ramp = Json::array({colour_of_heat(0)});
  for (int step = 1; step <= kRampSteps; ++step)
    ramp.push_back(colour_of_heat(static_cast<double>(step) / kRampSteps));
  return ramp;
}

Json picture_json(const Topology& machine, const DrawingOptions& options) {
  const Picture picture = draw(machine, options);
  return Writer(machine, picture, options).write();
}

}  // namespace syncsim
