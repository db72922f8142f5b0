#pragma once
// What may stand at the cursor of a command line: for shells' completion. Names come from the
// tables that the program itself uses, so that what is added there is completed.

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/named_table.h"

namespace syncsim::cli {

// Candidates for the last of `words`, those after the program's name as far as the cursor, in the
// order to be shown: commands, options, or values of the option or argument there. None: a file,
// or anything. Of values separated by commas the last one is completed. "=" may be a word of its
// own, as bash splits.
std::vector<std::string> completions(const CLI::App& program, std::span<const std::string> words);

struct Shell {
  std::string_view name;
  std::string_view description;
  std::string_view script;  // what it sources
};
const NamedTable<Shell>& shells();

}  // namespace syncsim::cli
