#include "sim/topology/drawing/style.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace syncsim::drawing {
namespace {

// In the order of LinkKind.
constexpr std::array<std::string_view, 7> kKindColours = {
    "#009E73", "#D55E00", "#CC79A7", "#0072B2", "#56B4E9", "#E69F00", "#595959"};

// In the order of Role.
constexpr std::array<FigureStyle, 7> kFigureStyles = {{{"box", "filled,rounded", "#DDF1E4"},
                                                       {"box", "filled", "#FCE8C8"},
                                                       {"ellipse", "filled", "#F3F3C5"},
                                                       {"box", "filled", "#E6EDF7"},
                                                       {"box", "filled", "#DCE9F5"},
                                                       {"box", "filled", "#C9EBDD"},
                                                       {"box", "filled", "#E4E4E4"}}};

using Colour = std::array<double, 3>;
constexpr Colour kIdleColour = {0xC8, 0xC8, 0xC8};
constexpr std::array<Colour, 5> kHeat = {{{0xFE, 0xD9, 0x76},
                                          {0xFE, 0xB2, 0x4C},
                                          {0xFC, 0x7A, 0x30},
                                          {0xE3, 0x1A, 0x1C},
                                          {0x80, 0x00, 0x26}}};

std::string hex(const Colour& colour) {
  return fmt::format("#{:02X}{:02X}{:02X}", std::lround(colour[0]), std::lround(colour[1]),
                     std::lround(colour[2]));
}

double bandwidth_of(const Bundle& bundle) { return std::max(bundle.there, bundle.back); }

}  // namespace

std::string_view colour_of(LinkKind kind) {
  return kKindColours.at(static_cast<std::size_t>(kind));
}

std::string colour_of_heat(double utilization) {
  if (utilization < kIdle) return hex(kIdleColour);
  const double at = std::clamp(utilization, 0.0, 1.0) * (kHeat.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(at), kHeat.size() - 2);
  const double part = at - static_cast<double>(low);
  Colour mixed{};
  for (std::size_t i = 0; i < mixed.size(); ++i)
    mixed[i] = kHeat[low][i] + (kHeat[low + 1][i] - kHeat[low][i]) * part;
  return hex(mixed);
}

FigureStyle style_of(Role role) { return kFigureStyles.at(static_cast<std::size_t>(role)); }

Widths::Widths(std::span<const Bundle> bundles) {
  if (bundles.empty()) return;
  least_ = most_ = bandwidth_of(bundles.front());
  for (const Bundle& bundle : bundles) {
    least_ = std::min(least_, bandwidth_of(bundle));
    most_ = std::max(most_, bandwidth_of(bundle));
  }
  if (vary()) per_doubling_ = std::min(0.9, 6.8 / std::log2(most_ / least_));
}

double Widths::of(const Bundle& bundle) const {
  if (!vary()) return 2;
  return 1.2 + per_doubling_ * std::log2(bandwidth_of(bundle) / least_);
}

double pen_of(const Widths& widths, const Bundle& bundle, const DrawingOptions& options) {
  return widths.of(bundle) + (options.heat ? 1.5 : 0);
}

}  // namespace syncsim::drawing
