#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/report/calibration.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;

// Bandwidths in GB/s, delays in microseconds, as the unit says.
double in_unit(const Figure& figure, double value) {
  return twelve_digits(figure.is_rate() ? value * 1e-9 : value * 1e6);
}

Json figure_json(const FittedFigure& fitted) {
  const Figure& figure = fitted.figure;
  const bool is_fitted = fitted.kept.empty();
  return {{"figure", to_string(figure.kind)},
          {"of", figure.of},
          {"unit", figure.is_rate() ? "GBps" : "us"},
          {"before", in_unit(figure, fitted.before)},
          {"after", in_unit(figure, figure.value)},
          {"standard_error",
           fitted.standard_error ? Json(in_unit(figure, *fitted.standard_error)) : Json(nullptr)},
          {"fitted", is_fitted},
          {"kept_because", is_fitted ? Json(nullptr) : Json(fitted.kept)}};
}

Json point_json(const CalibratedPoint& point) {
  return {{"place", point.place},
          {"name", point.name},
          {"collective", to_string(point.collective)},
          {"ranks", point.ranks},
          {"bytes", point.bytes.count},
          {"measured_us", twelve_digits(point.measured * 1e6)},
          {"times", point.times},
          {"simulated_ps", point.simulated.ps},
          {"simulated_us", microseconds(point.simulated)},
          {"deviation", twelve_digits(point.deviation())},
          {"held_out", point.held_out}};
}

Json error_json(const CalibrationError& error) {
  const auto known = [&](double figure) {
    return error.points > 0 ? Json(twelve_digits(figure)) : Json(nullptr);
  };
  return {{"points", error.points},
          {"mean_abs_error", known(error.mean)},
          {"worst_error", known(error.worst)}};
}

}  // namespace

std::string calibration_json(const Calibration& calibration) {
  Json figures = Json::array();
  for (const FittedFigure& figure : calibration.figures) figures.push_back(figure_json(figure));
  Json points = Json::array();
  for (const CalibratedPoint& point : calibration.points) points.push_back(point_json(point));
  const auto& tolerance = calibration.tolerance;
  const Json all = {
      {"topology", calibration.machine.name()},
      {"source", calibration.machine.source()},
      {"figures", std::move(figures)},
      {"points", std::move(points)},
      {"hold_out", calibration.hold_out},
      {"fitted", error_json(calibration.error(false))},
      {"held_out", error_json(calibration.error(true))},
      {"notes", calibration.notes},
      {"expected_within", tolerance ? Json(twelve_digits(*tolerance)) : Json(nullptr)},
      {"as_expected", calibration.as_expected()}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace syncsim
