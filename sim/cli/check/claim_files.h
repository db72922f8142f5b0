#pragma once
// The files that `check` is to judge: named ones, and those below named directories. A directory
// means all .json files in it that are scenarios, sorted by path, links to directories followed,
// each once; models, measured tables, plans and schemas lie there too, in directories of these
// names, and other people's JSON may.

#include <optional>
#include <string>
#include <vector>

#include "sim/cli/failure.h"
#include "sim/scenario/scenario.h"

namespace syncsim::cli {

struct ClaimFile {
  std::string path;
  std::optional<Scenario> scenario = {};  // with claims
  std::optional<Failure> failure = {};    // why there is none
};

struct ClaimFiles {
  std::vector<ClaimFile> files;
  std::vector<std::string> passed_over;  // files and directories that hold no claims, sorted
};

// Never throws for what a file or a directory holds, or lacks.
ClaimFiles read_claim_files(const std::vector<std::string>& paths);

}  // namespace syncsim::cli
