#pragma once
// The option --jobs: how many points run at once.

#include <cstddef>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace syncsim::cli {

void declare_jobs(CLI::App& app, std::optional<std::string>& jobs);
// What it says, or one for each core. Throws InputError at --jobs.
std::size_t jobs_of(const std::optional<std::string>& jobs);

}  // namespace syncsim::cli
