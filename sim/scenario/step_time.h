#pragma once
// Times that something in a training step takes: pauses, updates, delays by chance.

#include "sim/base/json_reader.h"

namespace syncsim {

inline constexpr Time kMostStepTime{3'600'000'000'000'000};  // an hour

// Throws InputError with its place beyond that.
inline Time read_step_time(const JsonReader& json) {
  const Time time = json.time();
  if (time > kMostStepTime) throw json.error("is more than an hour", "write 3600 s at most");
  return time;
}

}  // namespace syncsim
