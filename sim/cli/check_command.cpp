// syncsim check: claims in, verdicts out.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <memory>

#include "sim/base/quote.h"
#include "sim/cli/check/claim_files.h"
#include "sim/cli/check/claim_runner.h"
#include "sim/cli/command.h"
#include "sim/cli/crew/jobs.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/options.h"
#include "sim/cli/output.h"
#include "sim/cli/supervisor.h"

namespace syncsim::cli {
namespace {

struct CheckOptions {
  std::vector<std::string> paths;
  std::string format = "text";
  std::optional<std::string> junit;
  std::optional<std::string> jobs;
  bool audit = false;
  LongRunOptions long_run;
};

// Below directories: what nobody asked about by name.
void tell_passed_over(const std::vector<std::string>& paths) {
  constexpr std::size_t kMostNamed = 5;
  if (paths.empty()) return;
  std::string text = fmt::format(
      "{}",
      fmt::join(paths.begin(),
                paths.begin() + static_cast<std::ptrdiff_t>(std::min(paths.size(), kMostNamed)),
                ", "));
  if (paths.size() > kMostNamed) text += fmt::format(" and {} more", paths.size() - kMostNamed);
  std::cerr << "syncsim: passed over, no claims: " << one_line(text) << "\n";
}

int exit_code_of(const ClaimRunner& runner) {
  const Tally tally(runner.verdicts());
  if (interrupting_signal() != 0 && tally.not_run > 0) {
    std::cerr << fmt::format("syncsim: interrupted; {} of {} claims are decided\n",
                             tally.passed + tally.failed, tally.claims());
    return interrupted_exit_code();
  }
  int worst = tally.failed > 0 ? kClaimFailed : kGood;
  for (const Failure& failure : runner.failures()) worst = std::max(worst, failure.exit_code());
  return worst;
}

int check(const CheckOptions& options) {
  const VerdictFormat& format =
      *from_option("--format", [&] { return &verdict_formats().at(options.format); });
  const std::unique_ptr<Crew> crew = thread_crew(jobs_of(options.jobs));
  const MemoryLimit memory = memory_limit(options.long_run);
  note_interrupts();
  ClaimFiles claims = read_claim_files(options.paths);
  std::optional<Output> junit;  // knows what has been read
  if (options.junit) junit.emplace("--junit", options.junit);
  tell_passed_over(claims.passed_over);
  ClaimRunner runner(std::move(claims.files), options.audit, !options.long_run.no_progress);
  runner.run(*crew, memory);
  for (const Failure& failure : runner.failures())
    std::cerr << "syncsim: " << failure.text() << "\n";
  const std::vector<FileVerdict>& verdicts = runner.verdicts();
  if (junit) {
    junit->stream() << claims_junit(verdicts);
    junit->finish();
  }
  // Of one file that is refused, people know all from the message.
  const bool is_told = verdicts.size() == 1 && verdicts[0].refusal && options.format == "text";
  if (!is_told) std::cout << format.write(verdicts) << std::flush;
  return exit_code_of(runner);
}

}  // namespace

std::function<int()> declare_check(CLI::App& app) {
  const auto options = std::make_shared<CheckOptions>();
  app.add_option("PATH", options->paths, "claim files, or directories of them")->required();
  app.add_option("--format", options->format, "text, json, junit or github")->capture_default_str();
  app.add_option("--junit", options->junit, "also writes JUnit XML to this file");
  declare_jobs(app, options->jobs);
  app.add_flag("--audit", options->audit, "check capacities and fairness after every event")
      ->disable_flag_override();
  declare_long_run(app, options->long_run);
  return [options] { return check(*options); };
}

}  // namespace syncsim::cli
