#pragma once
// Sweeps, and what they leave in files.

#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/child.h"

namespace syncsim::testing {

inline std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Ten points that take some hundredths of a second each.
inline std::string slow_sweep() {
  return R"({"topology": {"kind": "star", "gpus": 120,
                          "link": {"kind": "nvlink", "bandwidth": "16 GB/s"}},
             "strategy": "ring", "bytes": "160 MB",
             "sweep": {"seed": {"from": 0, "to": 9, "step": 1}}})";
}

inline bool has_lines(const std::string& path, std::size_t count) {
  std::ifstream file(path);
  std::size_t lines = 0;
  for (std::string line; std::getline(file, line) && !file.eof();) ++lines;
  return lines >= count;
}

}  // namespace syncsim::testing
