#include "sim/report/step_report.h"

#include <algorithm>
#include <utility>

namespace syncsim {
namespace {

class Steps {
 public:
  Steps(const Schedule& schedule, const StepPlan& plan, const Timeline& timeline)
      : schedule_(schedule), plan_(plan), timeline_(timeline) {}

  // The steps whose average the step time is: without the first where there are more. Of ranks that
  // run apart the later half of what each did until the first was through.
  StepWindow window(std::size_t rank) const {
    const std::size_t steps = plan_.ranks.size();
    if (steps == 1) return {};
    if (!plan_.apart) return {average_begin(steps), steps - 1};
    const Time until = first_through();
    std::size_t last = steps - 1;
    while (last > 0 && backward_end(last, rank) > until) --last;
    return last == 0 ? StepWindow{} : StepWindow{last / 2, last};
  }
  // From the end of one backward to that of the next, of all ranks or of one.
  Time period() const {
    const StepWindow all = window(0);
    if (all.from == StepWindow::kBegin) return timeline_.finish;
    return {(backward_end(all.last) - backward_end(all.from)).ps / all.steps()};
  }
  Time pace(std::size_t rank) const {
    const StepWindow own = window(rank);
    if (plan_.ranks.size() == 1) return timeline_.finish;
    if (own.from == StepWindow::kBegin) return backward_end(own.last, rank);
    return {(backward_end(own.last, rank) - backward_end(own.from, rank)).ps / own.steps()};
  }
  Time finish(std::size_t rank) const { return backward_end(plan_.ranks.size() - 1, rank); }
  // The step that figures are of.
  std::size_t measured() const { return measured_step(plan_); }
  Time begin(std::size_t step) const { return begin_of_step(plan_, timeline_, step); }
  Time compute(std::size_t step, std::size_t rank) const {
    Time sum;
    for (const OpId op : plan_.ranks[step][rank].computes)
      sum += schedule_.durations[schedule_.ops[op].source_chunk];
    return sum;
  }
  Time ready(std::size_t step, std::size_t bucket) const {
    Time last;
    for (const auto& rank : plan_.ranks[step])
      last = std::max(last, timeline_.ops[rank.ready[bucket]].finish);
    return last;
  }
  // Of its transfers; both 0 where nothing had to move.
  std::pair<Time, Time> span(const OpRange& ops) const {
    std::pair<Time, Time> span{timeline_.finish, {}};
    for (OpId op = ops.first; op < ops.end; ++op) {
      if (!schedule_.moves_data(schedule_.ops[op])) continue;
      span.first = std::min(span.first, timeline_.ops[op].start);
      span.second = std::max(span.second, timeline_.ops[op].finish);
    }
    return span.second < span.first ? std::pair<Time, Time>{} : span;
  }

 private:
  Time backward_end(std::size_t step, std::size_t rank) const {
    return timeline_.ops[plan_.ranks[step][rank].backward_end].finish;
  }
  Time backward_end(std::size_t step) const {
    Time last;
    for (std::size_t rank = 0; rank < plan_.ranks[step].size(); ++rank)
      last = std::max(last, backward_end(step, rank));
    return last;
  }
  Time first_through() const {
    Time first = timeline_.finish;
    for (std::size_t rank = 0; rank < plan_.ranks.back().size(); ++rank)
      first = std::min(first, finish(rank));
    return first;
  }

  const Schedule& schedule_;
  const StepPlan& plan_;
  const Timeline& timeline_;
};

// How long at least one of the spans lasts.
Time covered(std::vector<std::pair<Time, Time>> spans) {
  std::sort(spans.begin(), spans.end());
  Time sum;
  Time until;
  for (const auto& [start, finish] : spans) {
    const Time from = std::max(start, until);
    if (finish > from) sum += finish - from;
    until = std::max(until, finish);
  }
  return sum;
}

std::vector<BucketReport> buckets_of(const Steps& steps, const StepPlan& plan, const Model& model) {
  const std::vector<Tensor> tensors = tensors_of(model);
  const std::size_t step = steps.measured();
  const Time begin = steps.begin(step);
  std::vector<BucketReport> reports;
  for (std::size_t index = 0; index < plan.buckets.size(); ++index) {
    const Bucket& bucket = plan.buckets[index];
    const Time ready = steps.ready(step, index) - begin;
    const auto [start, finish] = steps.span(plan.collectives[step][index]);
    const bool moved = finish > Time{};
    reports.push_back({index, bucket.bytes, bucket.count, tensors[bucket.first].name, ready,
                       moved ? start - begin : ready, moved ? finish - begin : ready});
  }
  return reports;
}

std::vector<OpRange> single(const OpRange& ops) {
  std::vector<OpRange> each;
  for (OpId op = ops.first; op < ops.end; ++op) each.push_back({op, op + 1});
  return each;
}

// Ranks that run apart leave times between their transfers.
Time communication_in(const Steps& steps, const StepPlan& plan, std::size_t step) {
  std::vector<std::pair<Time, Time>> spans;
  for (const auto* ranges : {&plan.collectives, &plan.gathers, &plan.batches})
    for (const OpRange& ops : (*ranges)[step])
      for (const OpRange& part : plan.apart ? single(ops) : std::vector{ops})
        spans.push_back(steps.span(part));
  return covered(std::move(spans));
}

// On the average over the steps that another one follows, without the first.
Time communication_of(const Steps& steps, const StepPlan& plan) {
  const std::size_t count = plan.ranks.size();
  if (count < 3) return communication_in(steps, plan, steps.measured());
  Time sum;
  for (std::size_t step = average_begin(count); step + 1 < count; ++step)
    sum += communication_in(steps, plan, step);
  return {sum.ps / static_cast<std::int64_t>(count - 1 - average_begin(count))};
}

Time mean_compute(const Steps& steps, const StepWindow& window, std::size_t rank) {
  Time sum;
  for (std::size_t step = window.first(); step <= window.last; ++step)
    sum += steps.compute(step, rank);
  return {sum.ps / window.steps()};
}

// Of the rank that computes longest in each step.
Time longest_compute(const Steps& steps, std::size_t ranks) {
  const StepWindow window = steps.window(0);
  Time sum;
  for (std::size_t step = window.first(); step <= window.last; ++step) {
    Time longest;
    for (std::size_t rank = 0; rank < ranks; ++rank)
      longest = std::max(longest, steps.compute(step, rank));
    sum += longest;
  }
  return {sum.ps / window.steps()};
}

std::vector<RankStep> ranks_of(const Steps& steps, const Schedule& schedule, const StepPlan& plan,
                               const Timeline& timeline, HeldUp& held_up) {
  std::vector<StepWindow> windows;
  for (std::size_t rank = 0; rank < schedule.ranks; ++rank) windows.push_back(steps.window(rank));
  const std::vector<StepWaits> waits = step_waits(schedule, plan, timeline, held_up, windows);
  std::vector<RankStep> ranks;
  for (std::size_t rank = 0; rank < waits.size(); ++rank) {
    const Time step = plan.apart ? steps.pace(rank) : steps.period();
    const Time compute = mean_compute(steps, windows[rank], rank);
    ranks.push_back({schedule.participants[rank], compute, std::max(Time{}, step - compute), step,
                     steps.finish(rank), waits[rank]});
  }
  return ranks;
}

double ratio(Time a, Time b) { return static_cast<double>(a.ps) / static_cast<double>(b.ps); }

}  // namespace

std::size_t average_begin(std::size_t steps) { return steps > 2 ? 1 : 0; }
std::size_t measured_step(const StepPlan& plan) {
  const std::size_t steps = plan.ranks.size();
  return steps < 3 ? steps - 1 : steps - 2;
}

Time begin_of_step(const StepPlan& plan, const Timeline& timeline, std::size_t step) {
  Time first = timeline.finish;
  for (const auto& rank : plan.ranks[step])
    first = std::min(first, timeline.ops[rank.computes.front()].start);
  return first;
}

StepReport step_report(const Schedule& schedule, const StepPlan& plan, const Timeline& timeline,
                       HeldUp& held_up, const Model& model, Time alone) {
  const Steps steps(schedule, plan, timeline);
  StepReport report;
  report.model = model.name;
  report.batch = model.batch;
  report.ranks = ranks_of(steps, schedule, plan, timeline, held_up);
  for (const RankStep& rank : report.ranks) {
    report.step = std::max(report.step, rank.step);
    report.compute = std::max(report.compute, rank.compute);
    if (rank.step > Time{}) report.samples_per_second += model.batch / seconds(rank.step);
  }
  if (!plan.apart) report.compute = longest_compute(steps, report.ranks.size());
  report.communication =
      std::min(report.step, communication_of(steps, plan));  // ranks may be apart
  report.exposed = std::max(Time{}, report.step - report.compute);
  if (report.communication > Time{})
    report.overlap = std::clamp(1 - ratio(report.exposed, report.communication), 0.0, 1.0);
  const auto ranks = static_cast<double>(report.ranks.size());
  if (report.step > Time{})
    report.scaling_efficiency = report.samples_per_second * seconds(alone) / (model.batch * ranks);
  report.buckets = buckets_of(steps, plan, model);
  report.servers = plan.servers;
  return report;
}

}  // namespace syncsim
