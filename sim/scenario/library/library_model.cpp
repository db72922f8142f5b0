#include "sim/scenario/library/library_model.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "sim/exec/executor.h"
#include "sim/report/report.h"
#include "sim/scenario/library/library_tuner.h"
#include "sim/scenario/point_schedule.h"
#include "sim/schedule/strategy.h"
#include "sim/topology/fabric.h"

namespace syncsim {
namespace {

constexpr std::size_t kMostInRing = 64;  // ranks that are run

// Of a ring of very many ranks whole nodes are run, an even number of them, and stand for all:
// every step is the same. How many ranks that are.
std::size_t ranks_to_run(const Topology& machine, std::span<const NodeId> ranks) {
  if (ranks.size() <= kMostInRing) return ranks.size();
  const std::vector<NodeId> machines = machines_of(machine);
  std::size_t part = ranks.size();
  int nodes = 0;
  for (std::size_t i = 1; i < ranks.size(); ++i) {
    if (machines[ranks[i]] == machines[ranks[i - 1]]) continue;
    if (++nodes % 2 != 0) continue;
    if (part == ranks.size() || i <= kMostInRing) part = i;
  }
  return part;
}

// To elements of all ranks, one at least.
Bytes rounded(double bytes, const Collective& collective) {
  const std::int64_t unit = collective.element_size() * collective.ranks;
  return {unit * std::max<std::int64_t>(1, std::llround(bytes / static_cast<double>(unit)))};
}

// The same chunks on fewer ranks.
Collective on_part(Collective collective, std::size_t ranks) {
  const double share = static_cast<double>(ranks) / collective.ranks;
  collective.ranks = static_cast<int>(ranks);
  collective.bytes = rounded(static_cast<double>(collective.bytes.count) * share, collective);
  return collective;
}

}  // namespace

struct LibraryModel::Implementation {
  Topology machine;
  std::vector<NodeId> ranks;
  Collective collective;
  RunSettings settings;
  LibraryTuner tuner;

  Implementation(Topology own_machine, std::vector<NodeId> own_ranks, const Collective& own,
                 const LibraryTerms& terms, const RunSettings& run)
      : machine(std::move(own_machine)),
        ranks(std::move(own_ranks)),
        collective(own),
        settings(run),
        tuner(machine, ranks, own, terms, run.shelf + "/rates") {}

  struct EngineRun {
    double microseconds = 0;
    std::string busiest;
    double use = 0;
  };

  EngineRun run(const LibraryStrategy& chosen, const Topology& fitted, std::span<const NodeId> part,
                const Collective& work) const {
    const Strategy& strategy = strategies().at(chosen.name);
    const Parameters parameters(strategy.name, strategy.parameters, chosen.parameters);
    const Oversight oversight{settings.watch, [&](const ScheduleSize& size) {
                                require_room_for(size, chosen.name, fitted, settings);
                              }};
    const Schedule schedule = emit(strategy, fitted, part, work, parameters, oversight);
    if (settings.check) prove(schedule, chosen.name, settings.watch);
    ExecutionOptions options;
    options.rates = Rates::usable;
    options.record_ops = false;
    options.watch = settings.watch;
    options.memory = settings.memory;
    const Timeline timeline = execute_simulated(schedule, fitted, options);
    const std::vector<LinkReport> links =
        link_reports(fitted, timeline.resources, Rates::usable, timeline.finish);
    const LinkReport* const busiest = busiest_of(links);
    return {microseconds(timeline.finish), busiest == nullptr ? "" : busiest->label(),
            busiest == nullptr ? 0 : busiest->utilization};
  }

  // us of the engine, of all ranks. What further chunks of a long pipeline take, the last half of
  // those that are run tells: of NVLS trees, whose chunks are the library's own. Those of other
  // trees are fitted, and fewer.
  EngineRun device(const LibraryPlan& plan, Bytes bytes) const {
    LibraryStrategy chosen = tuner.strategy(plan, bytes);
    const double pieces = tuner.costs().pieces(plan, bytes);
    const int most = tuner.costs().most_chunks(plan);
    if (plan.algorithm != NcclAlgorithm::nvls_tree || pieces <= most)
      return run_part(plan, bytes, chosen, bytes);
    const auto part_of = [&](int chunks) {
      chosen.parameters["chunks"] = std::to_string(chunks);
      const double part = static_cast<double>(bytes.count) * chunks / pieces;
      return run_part(plan, bytes, chosen, rounded(part, collective));
    };
    const EngineRun half = part_of(most / 2);
    EngineRun run = part_of(most);
    const double further = (pieces - most) / (most - most / 2);
    run.microseconds += further * (run.microseconds - half.microseconds);
    return run;
  }

  // Of `part` of a call's bytes, at the prices of that call.
  EngineRun run_part(const LibraryPlan& plan, Bytes bytes, const LibraryStrategy& chosen,
                     Bytes part_bytes) const {
    Collective work = collective;
    work.bytes = part_bytes;
    const bool ring = chosen.name == "ring" && !is_chained(collective.kind);
    const std::size_t part = ring ? ranks_to_run(machine, ranks) : ranks.size();
    const std::span<const NodeId> some(ranks.data(), part);
    if (part < ranks.size()) work = on_part(work, part);
    EngineRun run = this->run(chosen, tuner.costs().fitted(plan, bytes, some), some, work);
    run.microseconds *= (static_cast<double>(ranks.size()) - 1) / (static_cast<double>(part) - 1);
    return run;
  }

  LibraryTime at(Bytes bytes) const {
    LibraryTime time;
    if (collective.ranks == 1 || bytes.count == 0) return time;
    const LibraryPlan plan = tuner.plan(bytes);
    const LibraryCall call = tuner.call(plan);
    EngineRun run = device(plan, bytes);
    time.algorithm = call.algorithm;
    time.protocol = call.protocol;
    time.channels = call.channels;
    time.device = run.microseconds;
    time.busiest = std::move(run.busiest);
    time.busiest_use = run.use;
    time.call = call.call_us;
    time.microseconds = tuner.microseconds(plan, time.device);
    time.host_bound = call.host_us >= time.call + time.device;
    return time;
  }
};

LibraryModel::LibraryModel(Topology machine, std::vector<NodeId> ranks,
                           const Collective& collective, const LibraryTerms& terms,
                           const RunSettings& settings)
    : implementation_(std::make_unique<Implementation>(std::move(machine), std::move(ranks),
                                                       collective, terms, settings)) {}

LibraryModel::~LibraryModel() = default;
LibraryModel::LibraryModel(LibraryModel&&) noexcept = default;
LibraryModel& LibraryModel::operator=(LibraryModel&&) noexcept = default;

const LibraryTerms& LibraryModel::terms() const { return implementation_->tuner.costs().terms(); }
const std::vector<std::string>& LibraryModel::assumed() const {
  return implementation_->tuner.costs().assumed();
}
LibraryTime LibraryModel::at(Bytes bytes) const { return implementation_->at(bytes); }

}  // namespace syncsim
