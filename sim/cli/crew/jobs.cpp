#include "sim/cli/crew/jobs.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <thread>

#include "sim/base/text.h"
#include "sim/cli/options.h"

namespace syncsim::cli {
namespace {

constexpr std::int64_t kMostJobs = 4'096;

}  // namespace

void declare_jobs(CLI::App& app, std::optional<std::string>& jobs) {
  app.add_option("--jobs", jobs, "points at once; otherwise one a core");
}

std::size_t jobs_of(const std::optional<std::string>& jobs) {
  if (!jobs) return std::max(1U, std::thread::hardware_concurrency());
  return static_cast<std::size_t>(
      from_option("--jobs", [&] { return parse_integer(*jobs, 1, kMostJobs); }));
}

}  // namespace syncsim::cli
