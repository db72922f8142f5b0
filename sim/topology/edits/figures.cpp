#include "sim/topology/edits/figures.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

#include "sim/base/bandwidth_range.h"
#include "sim/base/error.h"
#include "sim/base/quote.h"
#include "sim/base/text.h"
#include "sim/topology/pcie.h"

namespace syncsim {
namespace {

// Negative for what is no number.
double number_in(std::string_view text) {
  double number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool is_whole = result.ptr == text.data() + text.size();
  return result.ec == std::errc() && is_whole && std::isfinite(number) ? number : -1;
}

InputError bad_factor(std::string_view text, std::string right) {
  return {fmt::format("a figure cannot be scaled by {}", one_line(text.substr(0, 40))),
          std::move(right)};
}

// `present` is 0 where the link does not say it.
void require_known(const Link& link, int present, std::string_view figure, std::string_view key) {
  if (link.kind != LinkKind::pcie)
    throw InputError(
        fmt::format("{} is of kind {} and has no {}", link.name, to_string(link.kind), figure),
        "name PCIe links, as in \"kind:pcie\"");
  if (present == 0)
    throw InputError(fmt::format("{} does not say its {}", link.name, figure),
                     fmt::format(R"(set its bandwidth, or add "{}" to its link type)", key));
}

}  // namespace

double parse_factor(std::string_view text) {
  const double factor = number_in(text);
  if (factor > 0) return factor;
  throw bad_factor(text, "write a factor above zero, as in 0.5");
}

double parse_factor_or_zero(std::string_view text) {
  const double factor = number_in(text);
  if (factor >= 0) return factor;
  throw bad_factor(text, "write a factor of zero or more, as in 0.5");
}

double parse_ratio(std::string_view text) {
  const double ratio = number_in(text);
  if (ratio >= 1) return ratio;
  throw InputError(
      ratio < 0 ? in_quotes(text) + " is no ratio"
                : fmt::format("a ratio of {} oversubscribes nothing", one_line(text.substr(0, 40))),
      "write a ratio of 1 or more, as in 2");
}

double parse_peer_cost(std::string_view text) {
  const double cost = number_in(text);
  if (cost >= 1) return cost;
  throw InputError(cost < 0 ? in_quotes(text) + " is no cost of peer traffic"
                            : "peer traffic costs no less than its bytes",
                   "write 1 or more, as in 1.2");
}

int parse_cable_count(std::string_view text) {
  return static_cast<int>(parse_integer(text, 1, std::numeric_limits<int>::max()));
}

int parse_pcie_width(std::string_view text) {
  const double lanes = number_in(text.starts_with('x') ? text.substr(1) : text);
  for (const int width : kPcieWidths)
    if (width == lanes) return width;
  throw InputError(in_quotes(text) + " is no width of a PCIe link",
                   fmt::format("write one of x{}", fmt::join(kPcieWidths, ", x")));
}

int parse_pcie_generation(std::string_view text) {
  return static_cast<int>(parse_integer(text, 1, kLastPcieGeneration));
}

void require_in_range(const Link& link, std::string_view name) {
  for (const Bandwidth rate : {link.bandwidth, link.usable})
    if (!(rate >= kLeastBandwidth && rate <= kMostBandwidth))
      throw InputError(
          fmt::format("the bandwidth of {} would be {:.6g} B/s", name, rate.bytes_per_second),
          "keep it from 1 B/s to 1000000 TB/s");
}

// A ratio of at most 1 keeps `usable` at or below the line rate, whatever is rounded.
void set_bandwidth(Link& link, double bytes_per_second) {
  const double usable_share = link.usable.bytes_per_second / link.bandwidth.bytes_per_second;
  link.bandwidth.bytes_per_second = bytes_per_second;
  link.usable.bytes_per_second = bytes_per_second * usable_share;
}

void set_count(Link& link, int count) {
  set_bandwidth(link, link.bandwidth.bytes_per_second / link.count * count);
  link.count = count;
}

void set_width(Link& link, int lanes) {
  require_known(link, link.lanes, "width", "lanes");
  set_bandwidth(link, link.bandwidth.bytes_per_second * lanes / link.lanes);
  link.lanes = static_cast<std::uint8_t>(lanes);
}

void set_generation(Link& link, int generation) {
  require_known(link, link.generation, "generation", "generation");
  set_bandwidth(link, link.bandwidth.bytes_per_second *
                          (pcie_lane_gigabits(generation) / pcie_lane_gigabits(link.generation)));
  link.generation = static_cast<std::uint8_t>(generation);
}

}  // namespace syncsim
