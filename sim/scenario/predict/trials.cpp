#include "sim/scenario/predict/trials.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "sim/topology/fabric.h"

namespace syncsim {
namespace {

constexpr double kNothing = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostScreened = 64;  // ranks
constexpr std::size_t kFinalists = 8;      // of each range
constexpr std::size_t kFinalistsOfMany = 4;

// A size of a sample, and what the model says there of the ranks that are run.
struct Probe {
  std::size_t sample = 0;
  FitRow row;
  double of_chosen = 0;
};

std::vector<Probe> probes_of(const std::vector<Sample>& samples, bool many) {
  std::vector<Probe> probes;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (!samples[i].asked) continue;
    const std::vector<FitRow>& rows = samples[i].rows;
    probes.push_back({i, rows[rows.size() / 2], 0});
    if (!many && rows.size() > 2) probes.push_back({i, rows.back(), 0});
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

std::vector<double> screened(const Trial& trial, const std::vector<Probe>& probes,
                             const Investigated& of, std::span<const std::size_t> chosen,
                             std::size_t samples) {
  std::vector<double> each;
  try {
    const std::optional<LibraryModel> model = model_with(trial.variant, of, chosen);
    if (!model) return std::vector<double>(samples, kNothing);
    for (const Probe& probe : probes) {
      const double change = model->at(probe.row.bytes).microseconds / probe.of_chosen;
      each.push_back(std::abs(std::log(probe.row.measured / (probe.row.predicted * change))));
    }
  } catch (const InputError&) {  // the library would run nothing
    return std::vector<double>(samples, kNothing);
  }
  return means(probes, each, samples);
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

}  // namespace

std::vector<Trial> trials_of(const Scene& scene) {
  std::vector<Trial> trials;
  for (const Suspect& suspect : suspects().rows()) {
    if (suspect.variants == nullptr) continue;
    for (Variant& variant : suspect.variants(scene))
      trials.push_back({&suspect, std::move(variant)});
  }
  return trials;
}

std::optional<LibraryModel> model_with(const Variant& variant, const Investigated& of,
                                       std::span<const std::size_t> chosen) {
  try {
    std::optional<Setting> other;
    if (variant.without) {
      Point point = of.point;
      point.edits.erase(point.edits.begin() + static_cast<std::ptrdiff_t>(*variant.without));
      other = setting_of(point, of.settings);
      if (other->ranks.size() != of.setting.ranks.size()) return std::nullopt;
    }
    const Setting& setting = other ? *other : of.setting;
    Topology machine = apply_edits(setting.machine, variant.edits, of.point.ranks);
    std::vector<NodeId> ranks;
    for (const std::size_t number : chosen)
      ranks.push_back(machine.node(setting.machine.nodes()[setting.ranks[number]].id));
    Collective collective = setting.collective;
    collective.ranks = static_cast<int>(ranks.size());
    return LibraryModel(std::move(machine), std::move(ranks), collective, variant.terms,
                        of.settings);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

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

std::vector<Trial> promising(std::vector<Trial> trials, const std::vector<Sample>& samples,
                             const Investigated& of) {
  const bool many = of.setting.ranks.size() > kMostScreened;
  const std::vector<std::size_t> ranks = some_ranks(of.setting, kMostScreened);
  std::vector<Probe> probes = probes_of(samples, many);
  const std::optional<LibraryModel> plain = model_with({.what = "", .terms = of.terms}, of, ranks);
  if (!plain) return {};
  of.side_by_side(probes.size(), [&](std::size_t i) {
    probes[i].of_chosen = plain->at(probes[i].row.bytes).microseconds;
  });
  std::vector<std::vector<double>> errors(trials.size());
  of.side_by_side(trials.size(), [&](std::size_t i) {
    errors[i] = screened(trials[i], probes, of, ranks, samples.size());
  });
  std::vector<double> unchanged;
  for (const Probe& probe : probes)
    unchanged.push_back(std::abs(std::log(probe.row.measured / probe.row.predicted)));
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
