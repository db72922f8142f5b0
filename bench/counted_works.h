#pragma once
// Small works whose instructions are counted: one symmetric, one irregular, three contended.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace syncsim::bench {

// Of the function inside which callgrind counts: the engine's run, from its set-up to its totals.
inline constexpr const char* kCountedFunction = "*counted_run*";

struct CountedWork {
  std::string name;
  std::function<std::uint64_t()> simulate;  // returns the number of transfers
};

std::vector<CountedWork> counted_works();

}  // namespace syncsim::bench
