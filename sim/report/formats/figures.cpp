#include "sim/report/formats/figures.h"

#include <fmt/format.h>

#include <cmath>

#include "sim/base/text.h"
#include "sim/base/units.h"

namespace syncsim::figures {
namespace {

constexpr double kLongest = 9e6;  // seconds; in picoseconds just below 2^63

}  // namespace

std::string rate(double bytes_per_second) {
  return fmt::format("{:.2f} GB/s", bytes_per_second * 1e-9);
}

std::string percent(double fraction) { return fmt::format("{:.1f} %", fraction * 100); }

std::string duration(double seconds) {
  if (!(seconds < kLongest)) return "never";
  return to_string(Time{static_cast<std::int64_t>(std::llround(seconds * 1e12))});
}

double gigabytes(double bytes_per_second) { return twelve_digits(bytes_per_second / 1e9); }

}  // namespace syncsim::figures
