#pragma once
// The units of sizes, times and rates. A unit is 10^tens x 2^twos base units (bytes, picoseconds,
// bytes per second), kept as exponents so that both exact and correctly rounded parsing can use it.

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

namespace syncsim {

struct Unit {
  std::string_view name;
  int tens = 0;
  int twos = 0;
  bool alias = false;  // read, but neither listed nor printed
};

inline constexpr std::array kByteUnits = {
    Unit{"B"},          Unit{"kB", 3},         Unit{"MB", 6},      Unit{"GB", 9},
    Unit{"TB", 12},     Unit{"KiB", 0, 10},    Unit{"MiB", 0, 20}, Unit{"GiB", 0, 30},
    Unit{"TiB", 0, 40}, Unit{"KB", 3, 0, true}};
inline constexpr std::span<const Unit> kDecimalByteUnits = std::span(kByteUnits).first(5);
inline constexpr std::span<const Unit> kBinaryByteUnits = std::span(kByteUnits).subspan(5, 4);

// Eight bits are a byte.
inline constexpr std::array kBitUnits = {Unit{"kbit", 3, -3},     Unit{"Mbit", 6, -3},
                                         Unit{"Gbit", 9, -3},     Unit{"Tbit", 12, -3},
                                         Unit{"Kb", 3, -3, true}, Unit{"Mb", 6, -3, true},
                                         Unit{"Gb", 9, -3, true}, Unit{"Tb", 12, -3, true}};

inline constexpr std::array kTimeUnits = {Unit{"ps"}, Unit{"ns", 3}, Unit{"us", 6}, Unit{"ms", 9},
                                          Unit{"s", 12}};

inline constexpr std::array kPercentUnits = {Unit{"%", -2}};

// Base units in one of `unit`, which is no fraction of one.
constexpr std::int64_t factor_of(const Unit& unit) {
  std::int64_t factor = std::int64_t{1} << unit.twos;
  for (int i = 0; i < unit.tens; ++i) factor *= 10;
  return factor;
}

// What is measured, as messages speak of it, and its units.
struct Quantity {
  std::string_view what;     // "bandwidth"
  std::string_view example;  // the unit shown where one is missing: "GB/s"
  std::span<const Unit> units;
  std::span<const Unit> more_units = {};
  std::string_view suffix = "";  // of every unit: "/s"
};
inline constexpr Quantity kSize{"size", "MB", kByteUnits};
inline constexpr Quantity kTime{"time", "us", kTimeUnits};
inline constexpr Quantity kBandwidth{"bandwidth", "GB/s", kByteUnits, kBitUnits, "/s"};
inline constexpr Quantity kPercentage{"percentage", "%", kPercentUnits};

// nullptr when there is no such unit.
constexpr const Unit* find_unit(const Quantity& quantity, std::string_view name) {
  if (!name.ends_with(quantity.suffix)) return nullptr;
  name.remove_suffix(quantity.suffix.size());
  for (const std::span<const Unit> units : {quantity.units, quantity.more_units})
    for (const Unit& unit : units)
      if (unit.name == name) return &unit;
  return nullptr;
}

}  // namespace syncsim
