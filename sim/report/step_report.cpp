#include "sim/report/step_report.h"

#include <algorithm>
#include <utility>

namespace syncsim {
namespace {

class Steps {
 public:
  Steps(const Schedule& schedule, const StepPlan& plan, const Timeline& timeline)
      : schedule_(schedule), plan_(plan), timeline_(timeline) {}

  // From the end of one backward to that of the next, on the average, without the first such time
  // where there are more.
  Time period() const {
    const std::size_t steps = plan_.ranks.size();
    if (steps == 1) return timeline_.finish;
    const std::size_t from = steps > 2 ? 1 : 0;
    const std::int64_t whole = (backward_end(steps - 1) - backward_end(from)).ps;
    return {whole / static_cast<std::int64_t>(steps - 1 - from)};
  }
  // The step that figures are of.
  std::size_t measured() const {
    const std::size_t steps = plan_.ranks.size();
    return steps < 3 ? steps - 1 : steps - 2;
  }
  Time begin(std::size_t step) const {
    Time first = timeline_.finish;
    for (const auto& rank : plan_.ranks[step])
      first = std::min(first, timeline_.ops[rank.computes.front()].start);
    return first;
  }
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
  Time backward_end(std::size_t step) const {
    Time last;
    for (const auto& rank : plan_.ranks[step])
      last = std::max(last, timeline_.ops[rank.backward_end].finish);
    return last;
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

Time communication_of(const Steps& steps, const StepPlan& plan) {
  std::vector<std::pair<Time, Time>> spans;
  for (const auto* ranges : {&plan.collectives, &plan.gathers})
    for (const OpRange& ops : (*ranges)[steps.measured()]) spans.push_back(steps.span(ops));
  return covered(std::move(spans));
}

double ratio(Time a, Time b) { return static_cast<double>(a.ps) / static_cast<double>(b.ps); }

}  // namespace

StepReport step_report(const Schedule& schedule, const StepPlan& plan, const Timeline& timeline,
                       const Model& model, Time alone) {
  const Steps steps(schedule, plan, timeline);
  const auto& ranks = plan.ranks[steps.measured()];
  StepReport report;
  report.model = model.name;
  report.batch = model.batch;
  report.step = steps.period();
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const Time compute = steps.compute(steps.measured(), rank);
    report.ranks.push_back(
        {schedule.participants[rank], compute, std::max(Time{}, report.step - compute)});
    report.compute = std::max(report.compute, compute);
  }
  report.communication = communication_of(steps, plan);
  report.exposed = std::max(Time{}, report.step - report.compute);
  if (report.communication > Time{})
    report.overlap = std::clamp(1 - ratio(report.exposed, report.communication), 0.0, 1.0);
  if (report.step > Time{}) {
    report.scaling_efficiency = ratio(alone, report.step);
    report.samples_per_second =
        model.batch * static_cast<double>(ranks.size()) / seconds(report.step);
  }
  report.buckets = buckets_of(steps, plan, model);
  report.servers = plan.servers;
  return report;
}

}  // namespace syncsim
