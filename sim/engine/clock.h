#pragma once
// Arithmetic of simulated time: integer picoseconds that never wrap (rules 1 and 3 of the engine).

#include <cstdint>
#include <limits>

#include "sim/base/error.h"

namespace syncsim::engine {

// Simulated time would pass int64: the input asks for too much.
struct TimeOverflow : InputError {
  TimeOverflow();
};
[[noreturn]] void throw_time_overflow();

// time + duration, both at least 0. Throws TimeOverflow past int64.
inline std::int64_t later(std::int64_t time, std::int64_t duration) {
  if (duration > std::numeric_limits<std::int64_t>::max() - time) throw_time_overflow();
  return time + duration;
}

// When `remaining` bytes at `rate` are through: with t = remaining x 1e12 / rate,
// now + ceil(t - t x 2^-48). Throws TimeOverflow past int64.
std::int64_t completion(std::int64_t now, double remaining, double rate);

// The same, but kNeverEnds past int64 and at rate 0.
inline constexpr std::int64_t kNeverEnds = std::numeric_limits<std::int64_t>::max();
std::int64_t completion_or_never(std::int64_t now, double remaining, double rate);

// Bytes that `rate` carries in `duration`.
inline double carried(double rate, std::int64_t duration) {
  return rate * static_cast<double>(duration) / 1e12;
}

}  // namespace syncsim::engine
