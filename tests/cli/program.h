#pragma once
// The real program, run as a user runs it.

#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/run_program.h"
#include "tests/support/temporary_folder.h"

namespace syncsim::testing {

using Json = nlohmann::ordered_json;
using Arguments = std::vector<std::string>;

inline std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// In the directory given; without one, where the shipped files lie.
inline Outcome syncsim(Arguments arguments, const std::string& directory = SYNCSIM_SOURCE_DIR) {
  arguments.insert(arguments.begin(), SYNCSIM_BINARY);
  return run_program(std::move(arguments), directory);
}

// What scripts rely on: stdout is one JSON value and nothing else, stderr is empty.
inline Json json_of(const Outcome& outcome) {
  if (!outcome.err.empty()) throw std::runtime_error("stderr holds " + outcome.err);
  return Json::parse(outcome.out);
}

inline Json shipped_machine(const std::string& name) {
  return Json::parse(read_text(SYNCSIM_SHELF "/" + name + ".json"));
}

inline Arguments with(Arguments arguments, const Arguments& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

}  // namespace syncsim::testing
