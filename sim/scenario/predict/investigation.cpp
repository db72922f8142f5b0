#include "sim/scenario/predict/investigation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "sim/scenario/predict/suspects.h"

namespace syncsim {
namespace {

constexpr std::size_t kMostRowsTried = 8;
constexpr std::size_t kMostRowsOfMany = 3;
constexpr std::size_t kManyRanks = 256;
constexpr std::size_t kMostShown = 3;
// All in mean |ln ratio|.
constexpr double kGain = 0.03;    // of a further range that is explained
constexpr double kMargin = 0.08;  // by which a fitted figure has to be nearer
constexpr double kNear = 0.05;    // shown beside the best

struct SuspectCandidate {
  FoundSuspect found;
  double score = 0;
};

// The rows of a range, by size; those on which models are tried, and what came of them so far.
struct Sample {
  PredictedRange* range = nullptr;
  std::vector<FitRow> all = {};
  std::vector<FitRow> rows = {};
  double limit = 0;  // of the error of what explains, or does not spoil, the range
  std::vector<SuspectCandidate> candidates = {};

  bool is_off() const { return range->verdict == Verdict::unexplained; }
};

// Of the error of what explains the rows.
double limit_of(std::span<const FitRow> rows, double tolerance) {
  std::vector<double> before;
  for (const FitRow& row : rows) before.push_back(row.predicted);
  return std::min(std::log1p(tolerance), log_error(rows, before) / 2);
}

Sample sample_of(const PredictedTable& table, PredictedRange& range, std::size_t most,
                 double tolerance) {
  Sample sample{.range = &range, .limit = std::log1p(tolerance)};
  for (const PredictedRow& row : table.rows)
    if (size_class(row.bytes) == range.size)
      sample.all.push_back({row.bytes, row.measured, row.predicted});
  std::stable_sort(sample.all.begin(), sample.all.end(),
                   [](const FitRow& a, const FitRow& b) { return a.bytes < b.bytes; });
  const std::size_t last = sample.all.size() - 1;
  const std::size_t count = std::min(sample.all.size(), most);
  for (std::size_t i = 0; i < count; ++i)
    sample.rows.push_back(sample.all[count == 1 ? 0 : i * last / (count - 1)]);
  if (sample.is_off()) sample.limit = limit_of(sample.rows, tolerance);
  return sample;
}

// Nothing where the variant does not fit the machine: it cuts off ranks, or there is no such thing.
std::optional<LibraryModel> model_with(const Variant& variant, const Investigated& of) {
  try {
    Topology machine = apply_edits(of.setting.machine, variant.edits, of.point.ranks);
    std::vector<NodeId> ranks;
    for (const NodeId rank : of.setting.ranks)
      ranks.push_back(machine.node(of.setting.machine.nodes()[rank].id));
    return LibraryModel(std::move(machine), std::move(ranks), of.setting.collective, variant.terms,
                        of.settings);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

// The error of the rows; infinity as soon as it must exceed the limit.
double error_within(const Sample& sample, const LibraryModel& model) {
  const double most = sample.limit * static_cast<double>(sample.rows.size());
  double sum = 0;
  for (const FitRow& row : sample.rows) {
    sum += std::abs(std::log(row.measured / model.at(row.bytes).microseconds));
    if (!(sum <= most)) return std::numeric_limits<double>::infinity();
  }
  return sum / static_cast<double>(sample.rows.size());
}

// Of each sample the error with the model; none explains or one is spoilt: empty.
std::vector<double> all_errors(const std::vector<Sample>& samples, const LibraryModel& model) {
  std::vector<double> errors(samples.size(), std::numeric_limits<double>::infinity());
  bool explains = false;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (!samples[i].is_off()) continue;
    errors[i] = error_within(samples[i], model);
    explains = explains || std::isfinite(errors[i]);
  }
  if (!explains) return {};
  for (const Sample& sample : samples)
    if (sample.range->verdict == Verdict::as_expected && std::isinf(error_within(sample, model)))
      return {};
  return errors;
}

// Empty, too, where the library would run nothing.
std::vector<double> errors_with(const std::vector<Sample>& samples, const LibraryModel& model) {
  try {
    return all_errors(samples, model);
  } catch (const InputError&) {
    return {};
  }
}

FoundSuspect found(const Suspect& suspect, std::string what, std::string again, double error) {
  return {std::string(suspect.name), std::move(what), std::string(suspect.check),
          std::move(again),          suspect.cause,   error};
}

void try_variant(const Suspect& suspect, const Variant& variant, const Investigated& of,
                 std::vector<Sample>& samples) {
  const std::optional<LibraryModel> model = model_with(variant, of);
  if (!model) return;
  const std::vector<double> errors = errors_with(samples, *model);
  double sum = 0;
  double explained = 0;
  for (const double error : errors) {
    if (!std::isfinite(error)) continue;
    sum += error;
    ++explained;
  }
  for (std::size_t i = 0; i < errors.size(); ++i)
    if (std::isfinite(errors[i]))
      samples[i].candidates.push_back({found(suspect, variant.what, variant.again, errors[i]),
                                       sum / explained - kGain * (explained - 1)});
}

void try_fit(const Suspect& suspect, const Investigated& of, std::vector<Sample>& samples) {
  const Collective& collective = of.setting.collective;
  const double busbw = busbw_factor(collective.kind, collective.ranks);
  for (Sample& sample : samples) {
    if (!sample.is_off()) continue;
    const std::optional<Fitted> fitted = suspect.fit(sample.all, sample.range->size, busbw);
    if (!fitted) continue;
    const double error = log_error(sample.all, fitted->times);
    if (error <= limit_of(sample.all, of.tolerance))
      sample.candidates.push_back({found(suspect, fitted->what, "", error), error + kMargin});
  }
}

void try_all(const Suspect& suspect, const Scene& scene, const Investigated& of,
             std::vector<Sample>& samples) {
  for (const Variant& variant : suspect.variants(scene)) {
    const Progress progress{Stage::choosing, 0, 0, {}};
    if (of.settings.watch != nullptr && !of.settings.watch->goes_on(progress))
      throw Interrupted(progress);
    try_variant(suspect, variant, of, samples);
  }
}

// Best first, each suspect once, in its best variant.
std::vector<FoundSuspect> best_of(std::vector<SuspectCandidate> candidates) {
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
  if (std::none_of(samples.begin(), samples.end(), [](const Sample& s) { return s.is_off(); }))
    return;
  const Scene scene{of.setting.machine, of.setting.ranks, of.terms, of.busiest};
  for (const Suspect& suspect : suspects().rows()) {
    if (suspect.fit != nullptr)
      try_fit(suspect, of, samples);
    else
      try_all(suspect, scene, of, samples);
  }
  for (Sample& sample : samples) sample.range->suspects = best_of(std::move(sample.candidates));
}

}  // namespace syncsim
