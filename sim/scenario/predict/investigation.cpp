#include "sim/scenario/predict/investigation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "sim/scenario/predict/suspects.h"
#include "sim/scenario/predict/trials.h"

namespace syncsim {
namespace {

constexpr std::size_t kMostRowsTried = 8;
constexpr std::size_t kMostRowsOfMany = 3;
constexpr std::size_t kManyRanks = 32;
constexpr std::size_t kMostInFull = 64;  // ranks; of more some nodes are run, and stand for all
constexpr std::size_t kMostShown = 3;
// All in mean |ln ratio|.
constexpr double kGain = 0.03;          // of a further range that is explained
constexpr double kMargin = 0.08;        // by which a fitted figure has to be nearer
constexpr double kMarginOfCaps = 0.02;  // a cap, where flows are known to have one
constexpr double kNear = 0.05;          // shown beside the best

struct SuspectCandidate {
  FoundSuspect found;
  double score = 0;
};
using Candidates = std::vector<SuspectCandidate>;

// Of the error of what explains the rows.
double limit_of(std::span<const FitRow> rows, double tolerance) {
  std::vector<double> before;
  for (const FitRow& row : rows) before.push_back(row.predicted);
  return std::min(std::log1p(tolerance), log_error(rows, before) / 2);
}

Sample sample_of(const PredictedTable& table, PredictedRange& range, std::size_t most,
                 double tolerance) {
  Sample sample{.range = &range, .limit = std::log1p(tolerance)};
  sample.asked = range.verdict != Verdict::as_expected || range.on_the_fast_side(tolerance);
  for (const PredictedRow& row : table.rows)
    if (size_class(row.bytes) == range.size)
      sample.all.push_back({row.bytes, row.measured, row.predicted, row.disturbed});
  std::stable_sort(sample.all.begin(), sample.all.end(),
                   [](const FitRow& a, const FitRow& b) { return a.bytes < b.bytes; });
  const std::size_t last = sample.all.size() - 1;
  const std::size_t count = std::min(sample.all.size(), most);
  for (std::size_t i = 0; i < count; ++i)
    sample.rows.push_back(sample.all[count == 1 ? 0 : i * last / (count - 1)]);
  if (sample.asked) sample.limit = limit_of(sample.rows, tolerance);
  return sample;
}

// The error of the rows; infinity as soon as it must exceed the limit.
double error_within(const Sample& sample, const LibraryModel& model, const Part& part) {
  const double most = sample.limit * static_cast<double>(sample.rows.size());
  double sum = 0;
  for (const FitRow& row : sample.rows) {
    sum += std::abs(std::log(row.measured / part.time(model, row)));
    if (!(sum <= most)) return std::numeric_limits<double>::infinity();
  }
  return sum / static_cast<double>(sample.rows.size());
}

// Of each sample the error with the model; none explains or one is spoilt: empty.
std::vector<double> all_errors(const Trial& trial, const std::vector<Sample>& samples,
                               const LibraryModel& model, const Part& part) {
  std::vector<double> errors(samples.size(), std::numeric_limits<double>::infinity());
  bool explains = false;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (!samples[i].concerns(*trial.suspect)) continue;
    errors[i] = error_within(samples[i], model, part);
    explains = explains || std::isfinite(errors[i]);
  }
  if (!explains) return {};
  for (const Sample& sample : samples)
    if (!sample.asked && std::isinf(error_within(sample, model, part))) return {};
  return errors;
}

// Empty, too, where the variant does not fit the machine or the library would run nothing.
std::vector<double> errors_with(const Trial& trial, const std::vector<Sample>& samples,
                                const Part& part) {
  const std::optional<LibraryModel> model = part.model_with(trial.variant);
  if (!model) return {};
  try {
    return all_errors(trial, samples, *model, part);
  } catch (const InputError&) {
    return {};
  }
}

FoundSuspect found(const Suspect& suspect, std::string what, std::string again, double error) {
  return {std::string(suspect.name), std::move(what), std::string(suspect.check),
          std::move(again),          suspect.cause,   error};
}

void add_trial(const Trial& trial, std::vector<Candidates>& candidates) {
  const auto explained = std::count_if(trial.errors.begin(), trial.errors.end(),
                                       [](double error) { return std::isfinite(error); });
  const double gain = kGain * (static_cast<double>(explained) - 1);
  for (std::size_t i = 0; i < trial.errors.size(); ++i)
    if (std::isfinite(trial.errors[i]))
      candidates[i].push_back(
          {found(*trial.suspect, trial.variant.what, trial.variant.again, trial.errors[i]),
           trial.errors[i] - gain});
}

void try_variants(const Scene& scene, const std::vector<Sample>& samples, const Investigated& of,
                  std::vector<Candidates>& candidates) {
  std::vector<Trial> trials = promising(trials_of(scene), samples, of);
  if (trials.empty()) return;
  std::vector<FitRow> rows;
  for (const Sample& sample : samples)
    rows.insert(rows.end(), sample.rows.begin(), sample.rows.end());
  const std::size_t ranks = of.setting.ranks.size();
  const Part part(of, ranks > kMostInFull ? kManyRanks : ranks, rows);
  of.side_by_side(trials.size(),
                  [&](std::size_t i) { trials[i].errors = errors_with(trials[i], samples, part); });
  for (const Trial& trial : trials) add_trial(trial, candidates);
}

double margin_of(const Suspect& suspect, const Investigated& of) {
  const Network network = of.terms.network.value_or(Network::none);
  const bool caps = network == Network::tcp || network == Network::tcpxo || network == Network::efa;
  return suspect.fit == rate_cap && caps ? kMarginOfCaps : kMargin;
}

// Where the mean is as expected, only disturbed rows are to be explained.
double fit_limit(const Sample& sample, double tolerance) {
  const bool near = verdict_of(sample.range->ratio, tolerance) == Verdict::as_expected;
  return near && sample.range->verdict == Verdict::unexplained ? std::log1p(tolerance)
                                                               : limit_of(sample.all, tolerance);
}

void try_fit(const Suspect& suspect, const std::vector<Sample>& samples, const Investigated& of,
             std::vector<Candidates>& candidates) {
  const Collective& collective = of.setting.collective;
  const double busbw = busbw_factor(collective.kind, collective.ranks);
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const Sample& sample = samples[i];
    if (!sample.concerns(suspect)) continue;
    const std::optional<Fitted> fitted = suspect.fit(sample.all, sample.range->size, busbw);
    if (!fitted) continue;
    const double error = log_error(sample.all, fitted->times);
    if (error <= fit_limit(sample, of.tolerance))
      candidates[i].push_back(
          {found(suspect, fitted->what, "", error), error + margin_of(suspect, of)});
  }
}

// Best first, each suspect once, in its best variant.
std::vector<FoundSuspect> best_of(Candidates candidates) {
  std::stable_sort(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
    return std::pair(a.score, a.found.cause) < std::pair(b.score, b.found.cause);
  });
  std::vector<FoundSuspect> best;
  for (SuspectCandidate& candidate : candidates) {
    if (best.size() == kMostShown || candidate.score > candidates.front().score + kNear) break;
    const bool known = std::any_of(best.begin(), best.end(), [&](const FoundSuspect& other) {
      return other.name == candidate.found.name;
    });
    if (!known) best.push_back(candidate.found);
  }
  return best;
}

}  // namespace

void find_suspects(PredictedTable& table, const Investigated& of) {
  const std::size_t most = of.setting.ranks.size() > kManyRanks ? kMostRowsOfMany : kMostRowsTried;
  std::vector<Sample> samples;
  for (PredictedRange& range : table.ranges)
    samples.push_back(sample_of(table, range, most, of.tolerance));
  if (std::none_of(samples.begin(), samples.end(), [](const Sample& s) { return s.asked; })) return;
  const Scene scene{of.setting.machine, of.setting.ranks, of.terms, of.busiest, of.point.edits};
  std::vector<Candidates> candidates(samples.size());
  try_variants(scene, samples, of, candidates);
  for (const Suspect& suspect : suspects().rows())
    if (suspect.fit != nullptr && (suspect.applies == nullptr || suspect.applies(scene)))
      try_fit(suspect, samples, of, candidates);
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i].range->suspects = best_of(std::move(candidates[i]));
}

}  // namespace syncsim
