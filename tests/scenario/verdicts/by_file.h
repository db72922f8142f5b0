#pragma once
// Claims as a check gives them, file by file.

#include <string>
#include <utility>
#include <vector>

#include "sim/scenario/verdicts/verdicts.h"

namespace syncsim::testing {

// Of neighbours with the same file.
inline std::vector<FileVerdict> by_file(const std::vector<Claim>& claims) {
  std::vector<FileVerdict> verdicts;
  for (const Claim& claim : claims) {
    if (verdicts.empty() || verdicts.back().file != claim.file)
      verdicts.push_back({claim.file, {}});
    verdicts.back().claims.push_back(claim);
  }
  return verdicts;
}

inline FileVerdict refused(const std::string& file, const std::string& place,
                           const std::string& error) {
  return {file, {}, Refusal{place, error}};
}

}  // namespace syncsim::testing
