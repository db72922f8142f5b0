#pragma once
// --jitter of training steps: "lognormal=0.1", "exponential=2 ms", "trace=FILE.csv", each once.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "sim/scenario/jitter_field.h"

namespace syncsim::cli {

inline constexpr const char* kJitterOption = "--jitter";

void declare_jitter(CLI::App& app, std::vector<std::string>& texts);
// Throws InputError at the option.
JitterField jitter_of(const std::vector<std::string>& texts);

}  // namespace syncsim::cli
