#include "sim/engine/clock.h"

#include "sim/base/error.h"

namespace syncsim::engine {

void throw_time_overflow() {
  throw InputError("simulated time would pass 2^63 - 1 ps (about 106 days)",
                   "move less, over faster links, at less overhead and latency");
}

std::int64_t completion(std::int64_t now, double remaining, double rate) {
  const double t = remaining * 1e12 / rate;
  const double wait = t - t * 0x1p-48;
  if (!(wait < 0x1p63)) throw_time_overflow();
  const auto whole = static_cast<std::int64_t>(wait);
  return later(now, static_cast<double>(whole) < wait ? whole + 1 : whole);
}

}  // namespace syncsim::engine
