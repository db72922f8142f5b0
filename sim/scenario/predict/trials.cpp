#include "sim/scenario/predict/trials.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "sim/topology/edits.h"
#include "sim/topology/fabric.h"

namespace syncsim {
namespace {

constexpr double kNothing = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostScreened = 32;  // ranks
constexpr std::size_t kFinalists = 8;      // of each range
constexpr std::size_t kFinalistsOfMany = 3;

// A size of a sample.
struct Probe {
  std::size_t sample = 0;
  FitRow row;
};

std::vector<Probe> probes_of(const std::vector<Sample>& samples, bool many) {
  std::vector<Probe> probes;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (!samples[i].asked) continue;
    const std::vector<FitRow>& rows = samples[i].rows;
    probes.push_back({i, rows[rows.size() / 2]});
    if (!many && rows.size() > 2) probes.push_back({i, rows.back()});
  }
  return probes;
}

// By sample the mean |ln ratio| at its probes.
std::vector<double> means(const std::vector<Probe>& probes, const std::vector<double>& each,
                          std::size_t samples) {
  std::vector<double> sums(samples);
  std::vector<int> counts(samples);
  for (std::size_t i = 0; i < probes.size(); ++i) {
    sums[probes[i].sample] += each[i];
    ++counts[probes[i].sample];
  }
  for (std::size_t i = 0; i < samples; ++i)
    sums[i] = counts[i] > 0 ? sums[i] / counts[i] : kNothing;
  return sums;
}

std::vector<double> screened(const Trial& trial, const std::vector<Probe>& probes, const Part& part,
                             const std::vector<Sample>& samples) {
  std::vector<double> each(probes.size(), kNothing);
  const std::vector<double> nothing(samples.size(), kNothing);
  const auto concerned = [&](const Sample& sample) { return sample.concerns(*trial.suspect); };
  if (std::none_of(samples.begin(), samples.end(), concerned)) return nothing;
  try {
    const std::optional<LibraryModel> model = part.model_with(trial.variant);
    if (!model) return nothing;
    for (std::size_t i = 0; i < probes.size(); ++i)
      if (concerned(samples[probes[i].sample]))
        each[i] = std::abs(std::log(probes[i].row.measured / part.time(*model, probes[i].row)));
  } catch (const InputError&) {  // the library would run nothing
    return nothing;
  }
  return means(probes, each, samples.size());
}

// Numbers of the trials that come nearest, of those that change anything for the better.
void choose(const std::vector<std::vector<double>>& errors, const Sample& asked, std::size_t sample,
            double before, std::size_t most, std::vector<bool>& chosen) {
  std::vector<std::size_t> order(errors.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return errors[a][sample] < errors[b][sample];
  });
  // A probe of a few rows may be farther off than their mean.
  const double limit = std::min(before * (1 - 1e-9), 2 * asked.limit);
  for (std::size_t i = 0; i < std::min(most, order.size()); ++i)
    if (errors[order[i]][sample] <= limit) chosen[order[i]] = true;
}

// Numbers of the ranks of some nodes.
std::vector<std::size_t> some_ranks(const Setting& setting, std::size_t most) {
  const std::vector<NodeId> machines = machines_of(setting.machine);
  std::vector<std::vector<std::size_t>> nodes;
  for (std::size_t i = 0; i < setting.ranks.size(); ++i) {
    if (i == 0 || machines[setting.ranks[i]] != machines[setting.ranks[i - 1]])
      nodes.emplace_back();
    nodes.back().push_back(i);
  }
  const std::size_t wanted = std::max<std::size_t>(2, most * nodes.size() / setting.ranks.size());
  const std::size_t step = std::max<std::size_t>(1, nodes.size() / wanted);
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < nodes.size(); i += step)
    numbers.insert(numbers.end(), nodes[i].begin(), nodes[i].end());
  return numbers;
}

}  // namespace

bool Sample::concerns(const Suspect& suspect) const {
  if (!asked || suspect.effect == Effect::either) return asked;
  return (suspect.effect == Effect::slower) == (range->verdict == Verdict::unexplained);
}

std::vector<Trial> trials_of(const Scene& scene) {
  std::vector<Trial> trials;
  for (const Suspect& suspect : suspects().rows()) {
    if (suspect.variants == nullptr) continue;
    for (Variant& variant : suspect.variants(scene))
      trials.push_back({&suspect, std::move(variant)});
  }
  return trials;
}

Part::Part(const Investigated& of, std::size_t most, const std::vector<FitRow>& rows)
    : of_(of), ranks_(some_ranks(of.setting, most)) {
  if (ranks_.size() < of.setting.ranks.size() && !run_plain(rows))
    ranks_ = some_ranks(of.setting, of.setting.ranks.size());
}

bool Part::run_plain(const std::vector<FitRow>& rows) {
  try {
    const std::optional<LibraryModel> model = model_with({.what = "", .terms = of_.terms});
    if (!model) return false;
    std::vector<double> times(rows.size());
    of_.side_by_side(rows.size(),
                     [&](std::size_t i) { times[i] = model->at(rows[i].bytes).microseconds; });
    for (std::size_t i = 0; i < rows.size(); ++i) plain_.emplace(rows[i].bytes, times[i]);
    return true;
  } catch (const InputError&) {  // the library would run nothing
    return false;
  }
}

std::optional<LibraryModel> Part::model_with(const Variant& variant) const {
  try {
    std::optional<Setting> other;
    if (variant.without) {
      Point point = of_.point;
      point.edits.erase(point.edits.begin() + static_cast<std::ptrdiff_t>(*variant.without));
      other = setting_of(point, of_.settings);
      if (other->ranks.size() != of_.setting.ranks.size()) return std::nullopt;
    }
    const Setting& setting = other ? *other : of_.setting;
    Topology machine = apply_edits(setting.machine, variant.edits, of_.point.ranks);
    std::vector<NodeId> ranks;
    for (const std::size_t number : ranks_)
      ranks.push_back(machine.node(setting.machine.nodes()[setting.ranks[number]].id));
    Collective collective = setting.collective;
    collective.ranks = static_cast<int>(ranks.size());
    return LibraryModel(std::move(machine), std::move(ranks), collective, variant.terms,
                        of_.settings);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

double Part::time(const LibraryModel& model, const FitRow& row) const {
  const double time = model.at(row.bytes).microseconds;
  return plain_.empty() ? time : row.predicted * time / plain_.at(row.bytes);
}

std::vector<Trial> promising(std::vector<Trial> trials, const std::vector<Sample>& samples,
                             const Investigated& of) {
  const bool many = of.setting.ranks.size() > kMostScreened;
  const std::vector<Probe> probes = probes_of(samples, many);
  std::vector<FitRow> rows;
  std::vector<double> unchanged;
  for (const Probe& probe : probes) {
    rows.push_back(probe.row);
    unchanged.push_back(std::abs(std::log(probe.row.measured / probe.row.predicted)));
  }
  const Part part(of, kMostScreened, rows);
  std::vector<std::vector<double>> errors(trials.size());
  of.side_by_side(trials.size(),
                  [&](std::size_t i) { errors[i] = screened(trials[i], probes, part, samples); });
  const std::vector<double> before = means(probes, unchanged, samples.size());
  std::vector<bool> chosen(trials.size());
  for (std::size_t i = 0; i < samples.size(); ++i)
    if (samples[i].asked)
      choose(errors, samples[i], i, before[i], many ? kFinalistsOfMany : kFinalists, chosen);
  std::vector<Trial> best;
  for (std::size_t i = 0; i < trials.size(); ++i)
    if (chosen[i]) best.push_back(std::move(trials[i]));
  return best;
}

}  // namespace syncsim
