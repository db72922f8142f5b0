#pragma once
// Scenario files that a command line names.

#include <string>

#include "sim/base/json_reader.h"

namespace syncsim::cli {

// Throws InputError with the path as its place where there is no such file, with the one that may
// be meant: a neighbour of it, or a shipped one.
JsonReader load_scenario_file(const std::string& path);

}  // namespace syncsim::cli
