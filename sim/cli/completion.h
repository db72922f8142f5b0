#pragma once
// What may stand at the cursor of a command line: for shells' completion. Names come from the
// tables that the program itself uses, so that what is added there is completed.

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <vector>

namespace syncsim::cli {

// Candidates for the last of `words`, those after the program's name as far as the cursor, in the
// order to be shown: commands, options, or values of the option or argument there. None: a file,
// or anything. Of values separated by commas the last one is completed. "=" may be a word of its
// own, as bash splits.
std::vector<std::string> completions(const CLI::App& program, std::span<const std::string> words);

// The script that a shell sources: "bash" or "zsh".
std::string completion_script(const std::string& shell);

}  // namespace syncsim::cli
