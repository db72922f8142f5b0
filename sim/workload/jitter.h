#pragma once
// Ranks that are not equally fast from step to step, by chance or by a trace.
//   lognormal    compute of each rank in each step times a factor whose logarithm is normal with
//                deviation sigma; its mean is 1, so that compute stays the same on the average
//   exponential  a delay before each rank's forward, of that mean: an interrupt, a late batch
//   trace        factors and delays as they were measured, by step and rank
// What a rank draws in a step depends on the seed, the step and the rank alone: it is the same with
// more ranks, more steps, another model, or the other kind of jitter beside it.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/units.h"
#include "sim/workload/training_step.h"

namespace syncsim {

inline constexpr double kMostSigma = 3;  // of 10^15 draws the largest is 3 x 10^8 times the mean

struct JitterEntry {
  double factor = 1;
  Time delay = {};
};
// By step, then rank; every step has as many. Both begin again when they are used up.
using JitterTrace = std::vector<std::vector<JitterEntry>>;

struct Jitter {
  double lognormal = 0;  // sigma
  Time exponential = {};
  JitterTrace trace = {};  // empty: none
};

// By step and rank. Multiplies their jitter and adds to their pauses.
using Paces = std::vector<std::vector<RankPace>>;
void add_jitter(const Jitter& jitter, std::uint32_t seed, Paces& paces);

// "1.05": a factor, of kLeastSpeed to kMostSpeed; "3 ms": a delay, of 1 s at most. Throws
// InputError without a place.
JitterEntry parse_jitter_entry(std::string_view text);

// A CSV file (csv_reader.h) without a header: a line a step, a field a rank. Throws InputError at
// "FILE:LINE" or "FILE:LINE:FIELD", counted from 1.
JitterTrace read_jitter_trace(const std::string& text, const std::string& file);

}  // namespace syncsim
