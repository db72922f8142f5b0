#include "sim/scenario/fault.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/base/text.h"
#include "sim/exec/replay.h"
#include "sim/report/held_up.h"
#include "sim/scenario/fault_limits.h"
#include "sim/scenario/fault_machine.h"
#include "sim/scenario/goodput_run.h"

namespace syncsim {
namespace {

// Links come back after so long, and as many times the run as nothing else takes: what waits for
// them shows by then.
constexpr Time kLater{1'000'000'000'000'000};
constexpr std::int64_t kTimesLater = 4;

// What the fault does to the step that it strikes, where nobody mends it.
struct Strike {
  bool stalls = false;
  Time stands;  // from the fault until nothing moves any more
  std::string reason;
  std::string first;  // of what waits
  std::optional<Limping> limps;
};

Timeline timeline_with(const StepRun& run, std::vector<LinkChange> changes) {
  Setting setting = run.setting;
  setting.changes = std::move(changes);
  RunSettings settings = run.settings;
  settings.drawing = nullptr;
  settings.links = false;
  return timeline_of(run.scheduled, run.point, setting, settings);
}

Time end_of_step(const StepRun& run, const Timeline& timeline) {
  const std::size_t next = measured_step(run.plan) + 1;
  if (next == run.plan.ranks.size()) return timeline.finish;
  Time last;
  for (const auto& rank : run.plan.ranks[next])
    last = std::max(last, timeline.ops[rank.computes.front()].start);
  return last;
}

void tell_what_waits(Strike& strike, const StepRun& run, const Timeline& timeline, Time back,
                     const Fault& fault) {
  const Schedule& schedule = run.scheduled.schedule;
  OpId first = kNone;
  std::size_t waiting = 0;
  for (OpId op = 0; op < schedule.ops.size(); ++op) {
    const OpTimes& times = timeline.ops[op];
    if (times.finish < back || times.start >= back || !schedule.moves_data(schedule.ops[op]))
      continue;
    if (waiting++ == 0) first = op;
  }
  if (first == kNone) {
    strike.reason = fault.text + " is lost";
    return;
  }
  const Op& op = schedule.ops[first];
  strike.reason = fmt::format("{} {} for {}", counted(waiting, "transfer"),
                              waiting == 1 ? "waits" : "wait", fault.text);
  strike.first = fmt::format("op {} from {} to {}, {}", first, nodes_of(schedule, op.source),
                             nodes_of(schedule, op.destination), schedule.phases[op.phase]);
}

// Of steps that all run as the fault leaves the machine, planned before.
Time limping_step(const StepRun& run, const Timeline& timeline, const StepReport& healthy) {
  HeldUp held_up(run.setting.machine, run.scheduled.schedule, timeline, run.point.rates);
  return step_report(run.scheduled.schedule, run.plan, timeline, held_up, *run.setting.model,
                     healthy.step)
      .step;
}

// What is dead comes back, so that it shows what waits for it.
Timeline timeline_until(const StepRun& run, const Fault& fault, Time at, Time back) {
  std::vector<LinkChange> changes = changes_by(fault, at, run.point, run.setting);
  const std::size_t lost = changes.size();
  for (std::size_t i = 0; i < lost; ++i) {
    if (changes[i].bandwidth.bytes_per_second > 0) continue;
    const Link& link = run.setting.machine.links()[changes[i].link];
    changes.push_back(
        {back, changes[i].link, link.bandwidth, link.usable, run.point.place("fault")});
  }
  return timeline_with(run, std::move(changes));
}

bool waits(const Timeline& timeline, Time back) {
  return std::any_of(timeline.ops.begin(), timeline.ops.end(),
                     [&](const OpTimes& op) { return op.finish >= back; });
}

// The end of what goes on after the fault; a lost rank itself counts no more.
Time last_move(const StepRun& run, const Timeline& timeline, Time back, const Fault& fault,
               Time at) {
  const auto& ops = run.scheduled.schedule.ops;
  Time last = at;
  for (OpId op = 0; op < ops.size(); ++op) {
    const Time finish = timeline.ops[op].finish;
    if (fault.kind == Fault::Kind::rank && std::cmp_equal(ops[op].source, fault.rank)) continue;
    if (finish < back) last = std::max(last, finish);
  }
  return last;
}

Strike strike(const StepRun& run, const Fault& fault, const StepReport& healthy) {
  const Time at = begin_of_step(run.plan, run.timeline, measured_step(run.plan)) + fault.at;
  const Time back = at + kLater + Time{kTimesLater * run.timeline.finish.ps};
  const Timeline timeline = timeline_until(run, fault, at, back);
  // The steps that follow may wait, too, and do so for a lost rank.
  const bool at_once = waits(timeline, back);
  const Timeline later = at_once ? Timeline{} : timeline_until(run, fault, Time{1}, back);
  Strike result;
  result.stalls = at_once || fault.kind == Fault::Kind::rank || waits(later, back);
  if (result.stalls) {
    result.stands = last_move(run, timeline, back, fault, at) - at;
    tell_what_waits(result, run, at_once ? timeline : later, back, fault);
  } else {
    const Time delay = end_of_step(run, timeline) - end_of_step(run, run.timeline);
    result.limps = Limping{healthy.step + delay, limping_step(run, later, healthy)};
  }
  return result;
}

// By how long all flows take, of which each rank that holds something has one.
Time transfer_time(const StepRun& run, bool write) {
  const FaultField& faults = run.point.training->faults;
  const Topology& machine = run.setting.machine;
  const NodeId store =
      faults.checkpoint_to->located([&] { return machine.node(faults.checkpoint_to->string()); });
  const Bytes bytes = faults.checkpoint_bytes.value_or(run.setting.model->bytes());
  const bool sharded = run.point.training->step.sharding != Sharding::none;
  const auto ranks = static_cast<std::int64_t>(run.setting.ranks.size());
  Traffic traffic;
  for (const NodeId rank : run.setting.ranks) {
    Flow flow;
    flow.source = write ? rank : store;
    flow.destination = write ? store : rank;
    flow.bytes = {sharded ? bytes.count / ranks : bytes.count};
    traffic.flows.push_back(flow);
    if (write && !sharded) break;
  }
  const ExecutionOptions options{.rates = run.point.rates,
                                 .overhead = run.point.overhead,
                                 .seed = run.point.seed,
                                 .watch = run.settings.watch,
                                 .memory = run.settings.memory};
  return faults.checkpoint_to->located([&] { return replay(traffic, machine, options).reached; });
}

FaultCosts costs_of(const StepRun& run) {
  const Training& training = *run.point.training;
  const FaultField& faults = training.faults;
  FaultCosts costs{faults.detect, faults.restart, faults.checkpoints, false};
  const bool server = faults.fault && faults.fault->kind == Fault::Kind::server;
  const bool holds_what_others_lack = server || training.step.sharding != Sharding::none;
  costs.goes_back = faults.recovery == Recovery::restore ||
                    (faults.recovery == Recovery::shrink && holds_what_others_lack);
  if (!faults.checkpoint_to) return costs;
  costs.checkpoints.write = transfer_time(run, true);
  costs.checkpoints.read = transfer_time(run, false);
  return costs;
}

// A step with so many parts lost; nullopt: nobody is left.
std::optional<StepReport> step_after(const StepRun& run, int lost) {
  const auto point = after_loss(run.asked, run.setting, lost);
  if (!point) return std::nullopt;
  RunSettings settings = run.settings;
  settings.drawing = nullptr;
  settings.links = false;
  settings.critical_path = false;
  return run_point(*point, settings).step;
}

bool needs_no_recovery(const Strike& strike, Recovery recovery, Time healthy) {
  return strike.limps && (recovery == Recovery::none ||
                          (strike.limps->step == healthy && strike.limps->whole == healthy));
}

FaultReport fault_report(const StepRun& run, const StepReport& healthy, const Strike& strike,
                         const FaultCosts& costs) {
  const FaultField& faults = run.point.training->faults;
  const Fault& fault = *faults.fault;
  FaultReport report;
  report.what = fault.text;
  report.step = fault.step;
  report.at = fault.at;
  report.recovery = to_string(faults.recovery);
  report.stalls = strike.stalls;
  report.stands = strike.stands;
  report.reason = strike.reason;
  report.first = strike.first;
  report.checkpoints = costs.checkpoints;
  report.before = healthy.step;
  FaultInput input{fault.step, fault.at, healthy.step, std::nullopt, strike.limps, costs};
  if (needs_no_recovery(strike, faults.recovery, healthy.step)) {
    report.after = strike.limps->step;
    report.samples_per_second_after =
        healthy.samples_per_second * seconds(healthy.step) / seconds(strike.limps->step);
  } else if (faults.recovery != Recovery::none) {
    if (const auto after = step_after(run, 1)) {
      input.after = report.after = after->step;
      report.samples_per_second_after = after->samples_per_second;
    }
  }
  report.times = at_field(run.point, "fault", [&] { return fault_times(input); });
  return report;
}

}  // namespace

void add_faults(StepReport& step, const StepRun& run) {
  const FaultField& faults = run.point.training->faults;
  const bool asked = faults.fault || faults.mtbf > 0;
  if (asked || faults.recovery == Recovery::replicate) require_recovery(run.point, run.setting);
  if (!asked) return;
  require_steps_alike(run.point);
  std::optional<Strike> struck;
  const FaultCosts costs = costs_of(run);
  if (faults.fault) {
    if (faults.fault->at >= step.step)
      throw InputError(fmt::format("{} lies behind the step, which takes {}",
                                   to_exact_string(faults.fault->at), to_string(step.step)),
                       "name a later step", run.point.place("fault"));
    struck = strike(run, *faults.fault, step);
    step.fault = fault_report(run, step, *struck, costs);
  }
  if (faults.mtbf > 0)
    step.goodput = goodput_report({run, step, costs, struck ? struck->limps : std::nullopt,
                                   [&](int lost) { return step_after(run, lost); }});
}

}  // namespace syncsim
