#include "sim/topology/import/p2p_matrix_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/base/error.h"
#include "sim/topology/import/p2p_latency_fit.h"
#include "sim/topology/import/p2p_pairs.h"
#include "sim/topology/import/pasted_text.h"
#include "sim/topology/resources.h"
#include "sim/topology/routing.h"

namespace syncsim {
namespace {

constexpr double kGiga = 1e9;
constexpr double kPicosecondsPerMicrosecond = 1e6;
constexpr double kWorstExplained = 0.8;  // of what the machine allows
constexpr double kEqualRates = 1e-9;
constexpr double kMostLatencyOff = 0.05;
constexpr std::size_t kMostMisfits = 20;

// Lines of one kind; the first few are told, the others counted.
class Told {
 public:
  Told(std::vector<std::string>& warnings, std::string_view things)
      : warnings_(warnings), things_(things) {}
  Told(const Told&) = delete;
  Told& operator=(const Told&) = delete;

  void add(std::string line) {
    if (++count_ <= kMostMisfits) warnings_.push_back(std::move(line));
  }
  void finish(const std::string& file) {
    if (count_ > kMostMisfits)
      warnings_.push_back(fmt::format("{}: and {} more {}", file, count_ - kMostMisfits, things_));
  }

 private:
  std::vector<std::string>& warnings_;
  std::string_view things_;
  std::size_t count_ = 0;
};

class Fit {
 public:
  Fit(const P2pSections& sections, const Topology& machine, std::vector<std::string>& warnings)
      : sections_(sections),
        warnings_(warnings),
        parts_(machine.parts()),
        gpus_(machine.nodes_of_kind(NodeKind::gpu)) {
    if (gpus_.size() != sections.gpus)
      throw InputError(fmt::format("the matrices are of {} gpus and the machine has {}",
                                   sections.gpus, gpus_.size()),
                       "name the machine that was measured with --onto",
                       place_of(sections.file, sections.line, 1));
    parts_.routing.p2p = fitted_level(sections, machine, warnings);
  }

  Topology::Parts fit() {
    const Topology before(parts_);
    measure(before);
    set_rates(before);
    set_latencies();
    judge();
    judge_both_ways();
    judge_latencies();
    parts_.source +=
        fmt::format("{}fitted: p2pBandwidthLatencyTest", parts_.source.empty() ? "" : "; ");
    return std::move(parts_);
  }

 private:
  template <class Act>
  void each_pair(const Act& act) const {
    for (std::size_t i = 0; i < gpus_.size(); ++i)
      for (std::size_t j = 0; j < gpus_.size(); ++j)
        if (i != j) act(i, j);
  }

  void measure(const Topology& machine) {
    const Resources resources(machine, Rates::line);
    Router router(machine, resources);
    rates_.assign(resources.all().size(), 0);
    bool fitted = false;
    each_pair([&](std::size_t i, std::size_t j) {
      const Route route = router.find(gpus_[i], gpus_[j]);
      const P2pFigure source = one_way_figure(sections_, {i, j});
      const P2pTable* const latency = latency_table(sections_, {i, j});
      if (source.table != nullptr) take_rate(route, source.table->at(i, j), source.part);
      if (latency != nullptr) take_latency(route, latency->at(i, j));
      take_both_ways(i, j, route, router);
      fitted = fitted || source.table != nullptr || latency != nullptr;
    });
    if (!fitted)
      throw InputError("holds no figures that can be fitted",
                       "paste the matrices of P2P=Enabled too", sections_.file);
    if (!sections_.one_way_on && !sections_.reads && sections_.both_ways_on)
      warnings_.push_back(fmt::format(
          "{}: there are no unidirectional rates with P2P enabled; took half of the bidirectional",
          sections_.file));
  }

  void take_rate(const Route& route, const P2pCell& cell, double part) {
    for (const ResourceUse& use : route.uses)
      rates_[use.resource] =
          std::max(rates_[use.resource], cell.value * part * kGiga * use.coefficient);
  }

  // What both flows of a pair pass carries them together.
  void take_both_ways(std::size_t i, std::size_t j, const Route& there, Router& router) {
    const P2pTable* const table = both_ways_table(sections_, {i, j});
    if (table == nullptr || j < i) return;
    const double each = std::max(table->at(i, j).value, table->at(j, i).value) * kGiga / 2;
    for_shared(there, router.find(gpus_[j], gpus_[i]),
               [&](ResourceId resource, double coefficient) {
                 rates_[resource] = std::max(rates_[resource], each * coefficient);
               });
  }

  // Each resource that two routes share, with the sum of their coefficients.
  template <class Act>
  static void for_shared(const Route& there, const Route& back, const Act& act) {
    for (const ResourceUse& one : there.uses)
      for (const ResourceUse& other : back.uses)
        if (one.resource == other.resource) act(one.resource, one.coefficient + other.coefficient);
  }

  void take_latency(const Route& route, const P2pCell& write) {
    samples_.push_back(
        {route.links, std::max(1, route.hops), write.value * kPicosecondsPerMicrosecond});
  }

  void set_rates(const Topology& machine) {
    const Resources resources(machine, Rates::line);
    Told capped(warnings_, "links above their line rates");
    for (LinkId id = 0; id < parts_.links.size(); ++id) {
      Link& link = parts_.links[id];
      const double rate = rates_[resources.of_link(id)];
      if (rate <= 0) continue;
      link.usable.bytes_per_second = std::min(rate, link.bandwidth.bytes_per_second);
      if (rate > link.bandwidth.bytes_per_second * (1 + kEqualRates))
        capped.add(fmt::format("{}: {} was measured at {}, above its line rate {}; took the latter",
                               sections_.file, machine.links()[id].name, to_string(Bandwidth{rate}),
                               to_string(link.bandwidth)));
    }
    capped.finish(sections_.file);
  }

  void set_latencies() {
    const auto latencies = fitted_latencies(samples_, parts_.links.size());
    for (LinkId id = 0; id < parts_.links.size(); ++id)
      parts_.links[id].latency = latencies[id].value_or(parts_.links[id].latency);
  }

  // Rule 3: the pair that is farthest off.
  void judge_latencies() {
    const Topology fitted(parts_);
    const Resources resources(fitted, Rates::line);
    Router router(fitted, resources);
    double worst = kMostLatencyOff;
    std::size_t off = 0;
    std::string told;
    each_pair([&](std::size_t i, std::size_t j) {
      const P2pTable* const table = latency_table(sections_, {i, j});
      if (table == nullptr || table->at(i, j).value <= 0) return;
      const P2pCell& cell = table->at(i, j);
      const Time taken = router.find(gpus_[i], gpus_[j]).latency;
      const Time measured{std::llround(cell.value * kPicosecondsPerMicrosecond)};
      const double apart =
          std::abs(static_cast<double>(taken.ps - measured.ps)) / static_cast<double>(measured.ps);
      if (apart > kMostLatencyOff) ++off;
      if (apart <= worst) return;
      worst = apart;
      told =
          fmt::format("{}: {}-{}: the latency was measured at {}, and its links were fitted to {}",
                      place_of(sections_.file, cell.line, cell.column), fitted.nodes()[gpus_[i]].id,
                      fitted.nodes()[gpus_[j]].id, to_string(measured), to_string(taken));
    });
    if (off == 0) return;
    warnings_.push_back(
        off == 1 ? told : fmt::format("{}, the worst of {} pairs more than 5 % off", told, off));
  }

  void judge() {
    const Topology fitted(parts_);
    const Resources resources(fitted, Rates::usable);
    Router router(fitted, resources);
    Told pairs(warnings_, "pairs");
    each_pair([&](std::size_t i, std::size_t j) {
      const P2pFigure source = one_way_figure(sections_, {i, j});
      if (source.table == nullptr) return;
      const P2pCell& cell = source.table->at(i, j);
      const double measured = cell.value * source.part * kGiga;
      const double allowed = router.find(gpus_[i], gpus_[j]).bottleneck;
      if (measured >= kWorstExplained * allowed && measured <= allowed * (1 + kEqualRates)) return;
      pairs.add(fmt::format("{}: {}-{}: measured {}, the machine allows {}",
                            place_of(sections_.file, cell.line, cell.column),
                            fitted.nodes()[gpus_[i]].id, fitted.nodes()[gpus_[j]].id,
                            to_string(Bandwidth{measured}), to_string(Bandwidth{allowed})));
    });
    pairs.finish(sections_.file);
  }

  // Rule 5.
  void judge_both_ways() {
    const Topology fitted(parts_);
    const Resources resources(fitted, Rates::usable);
    Router router(fitted, resources);
    Told pairs(warnings_, "pairs, both ways at once");
    each_pair([&](std::size_t i, std::size_t j) {
      const P2pTable* const table = both_ways_table(sections_, {i, j});
      if (table == nullptr) return;
      const P2pCell& cell = table->at(i, j);
      const double allowed =
          both_ways(router.find(gpus_[i], gpus_[j]), router.find(gpus_[j], gpus_[i]), resources);
      if (cell.value * kGiga >= kWorstExplained * allowed) return;
      pairs.add(fmt::format("{}: {}-{}: both ways at once measured {}, the machine allows {}",
                            place_of(sections_.file, cell.line, cell.column),
                            fitted.nodes()[gpus_[i]].id, fitted.nodes()[gpus_[j]].id,
                            to_string(Bandwidth{cell.value * kGiga}),
                            to_string(Bandwidth{allowed})));
    });
    pairs.finish(sections_.file);
  }

  // Bytes/s of two flows together that are equally fast.
  static double both_ways(const Route& there, const Route& back, const Resources& resources) {
    double rate = std::min(there.bottleneck, back.bottleneck);
    for_shared(there, back, [&](ResourceId resource, double coefficient) {
      rate = std::min(rate, resources.all()[resource].capacity / coefficient);
    });
    return 2 * rate;
  }

  const P2pSections& sections_;
  std::vector<std::string>& warnings_;
  Topology::Parts parts_;
  std::vector<NodeId> gpus_;
  std::vector<double> rates_;  // of each resource, bytes/s; 0: no pair takes it
  std::vector<LatencySample> samples_;
};

}  // namespace

Topology::Parts fit_p2p(const P2pSections& sections, const Topology& machine,
                        std::vector<std::string>& warnings) {
  return placed([&] { return sections.file; },
                [&] { return Fit(sections, machine, warnings).fit(); });
}

}  // namespace syncsim
