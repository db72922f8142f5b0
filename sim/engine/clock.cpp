#include "sim/engine/clock.h"

namespace syncsim::engine {
namespace {

double wait_for(double remaining, double rate) {
  const double t = remaining * 1e12 / rate;
  return t - t * 0x1p-48;
}

std::int64_t rounded_up(double wait) {
  const auto whole = static_cast<std::int64_t>(wait);
  return static_cast<double>(whole) < wait ? whole + 1 : whole;
}

}  // namespace

TimeOverflow::TimeOverflow()
    : InputError("simulated time would pass 2^63 - 1 ps (about 106 days)",
                 "move less, over faster links, at less overhead and latency") {}

void throw_time_overflow() { throw TimeOverflow(); }

std::int64_t completion(std::int64_t now, double remaining, double rate) {
  const double wait = wait_for(remaining, rate);
  if (!(wait < 0x1p63)) throw_time_overflow();
  return later(now, rounded_up(wait));
}

std::int64_t completion_or_never(std::int64_t now, double remaining, double rate) {
  const double wait = wait_for(remaining, rate);
  if (!(wait < 0x1p63)) return kNeverEnds;  // at rate 0 it is NaN
  const std::int64_t whole = rounded_up(wait);
  return whole > std::numeric_limits<std::int64_t>::max() - now ? kNeverEnds : now + whole;
}

}  // namespace syncsim::engine
