#pragma once
// Times that are too long for the units of all times: "6 h", "2.5 days", "30 min", "3 years".

#include "sim/base/json_reader.h"

namespace syncsim {

// Seconds; in the units of all times too, exact to a picosecond where a Time holds it. Throws
// InputError at the value's place.
double read_long_seconds(const JsonReader& json);

// The same as a Time. What is longer than so many days is refused.
inline constexpr int kMostDaysOfRecovery = 10;
Time read_long_time(const JsonReader& json, int most_days = kMostDaysOfRecovery);

}  // namespace syncsim
