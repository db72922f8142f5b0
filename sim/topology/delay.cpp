#include "sim/topology/delay.h"

#include <fmt/format.h>

#include "sim/base/error.h"

namespace syncsim {

Time checked_delay(Time time) {
  if (time <= kMostDelay) return time;
  throw InputError(
      fmt::format("{} is too long for a latency or an overhead", to_exact_string(time)),
      fmt::format("write at most {}", to_exact_string(kMostDelay)));
}

Time parse_delay(std::string_view text) { return checked_delay(parse_time(text)); }

}  // namespace syncsim
