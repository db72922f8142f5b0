#include "sim/cli/check/claim_runner.h"

#include <limits>
#include <numeric>
#include <utility>

#include "sim/cli/command.h"
#include "sim/scenario/metrics.h"
#include "sim/scenario/run.h"

namespace syncsim::cli {
namespace {

constexpr std::size_t kNoneFailed = std::numeric_limits<std::size_t>::max();

ClaimContext context_of(const Scenario& scenario) {
  return {scenario.file, scenario.name, scenario.source, scenario.note};
}

std::vector<Metric> metrics_of(const Scenario& scenario) {
  std::vector<Metric> metrics;
  for (const Expectation& expectation : scenario.expectations)
    metrics.push_back(expectation.metric);
  return metrics;
}

}  // namespace

ClaimRunner::File::File(ClaimFile file)
    : path(std::move(file.path)),
      scenario(std::move(file.scenario)),
      failure(std::move(file.failure)),
      missing(scenario ? scenario->points.size() : 0),
      reports(missing),
      point_failures(missing),
      first_failed(kNoneFailed) {}

ClaimRunner::ClaimRunner(std::vector<ClaimFile> files, bool audit, bool draws)
    : audit_(audit), bar_(draws) {
  for (ClaimFile& claims : files) {
    File& file = files_.emplace_back(std::move(claims));
    file.first_number = owners_.size();
    owners_.insert(owners_.end(), file.missing, &file);
  }
  progress_.points = owners_.size();
}

void ClaimRunner::run(Crew& crew, const MemoryLimit& memory) {
  std::vector<std::size_t> numbers(owners_.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  const LimitedWork work = [this](std::size_t number, const MemoryLimit& limit, Watch& watch) {
    return run_one(number, limit, watch);
  };
  run_all(crew, numbers, work, memory, *this);
  bar_.end();
  for (File& file : files_) tell(file);
}

// On any thread: it writes to what belongs to its point alone.
Outcome ClaimRunner::run_one(std::size_t number, const MemoryLimit& memory, Watch& watch) {
  File& file = *owners_[number];
  const std::size_t index = number - file.first_number;
  if (index > file.first_failed) return {number};
  const RunSettings settings{.shelf = find_data().topologies,
                             .audit = audit_,
                             .watch = &watch,
                             .memory = memory,
                             .models = find_data().models()};
  try {
    Report report = run_point(file.scenario->points[index], settings);
    keep_links(report, metrics_of(*file.scenario));
    file.reports[index] = std::move(report);
    return {number};
  } catch (const Interrupted&) {
    return {number, Outcome::Kind::stopped};
  } catch (...) {
    file.point_failures[index] = current_failure();
    if (file.point_failures[index]->cause == Failure::Cause::memory) *memory.passed = true;
    return {number, Outcome::Kind::refused};
  }
}

void ClaimRunner::take(Outcome outcome) {
  if (outcome.kind == Outcome::Kind::stopped) return;
  File& file = *owners_[outcome.number];
  const std::size_t index = outcome.number - file.first_number;
  if (outcome.kind == Outcome::Kind::refused && index < file.first_failed)
    file.first_failed = index;
  ++progress_.done;
  if (--file.missing == 0) judge_whole(file);
}

void ClaimRunner::judge_whole(File& file) {
  try {
    if (file.first_failed != kNoneFailed)
      file.failure = file.point_failures[file.first_failed];
    else
      file.claims = judge(context_of(*file.scenario), file.scenario->expectations,
                          file.scenario->points, file.reports);
  } catch (...) {
    file.failure = current_failure();
  }
  file.reports.clear();
}

void ClaimRunner::tell(File& file) {
  FileVerdict verdict{file.path, std::move(file.claims)};
  if (file.failure) {
    verdict.refusal = Refusal{file.failure->place, file.failure->error};
    failures_.push_back(*file.failure);
  } else if (file.missing > 0) {
    verdict.claims = not_run(context_of(*file.scenario), file.scenario->expectations);
  }
  verdicts_.push_back(std::move(verdict));
}

}  // namespace syncsim::cli
