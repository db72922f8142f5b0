#include "sim/report/page/step_series.h"

#include <algorithm>

namespace syncsim {

void StepSeries::add(Time from, double rate) {
  if (quantum_.ps > 0) {
    spread(last_, from);
    last_ = {from, rate};
    return;
  }
  if (!steps_.empty() && steps_.back().from == from) steps_.pop_back();
  if (!steps_.empty() && steps_.back().rate == rate) return;
  if (steps_.size() == kMostSteps) {
    average(from);
    last_ = {from, rate};
    return;
  }
  steps_.push_back({from, rate});
}

void StepSeries::average(Time end) {
  quantum_ = {end.ps / static_cast<std::int64_t>(kMostSteps) * 2 + 1};
  for (std::size_t i = 0; i < steps_.size(); ++i)
    spread(steps_[i], i + 1 < steps_.size() ? steps_[i + 1].from : end);
  steps_ = {};
}

void StepSeries::spread(const Step& step, Time end) {
  if (end <= step.from) return;
  while (end.ps / quantum_.ps >= static_cast<std::int64_t>(kMostSteps)) double_quantum();
  const auto first = static_cast<std::size_t>(step.from.ps / quantum_.ps);
  const auto last = static_cast<std::size_t>((end.ps - 1) / quantum_.ps);
  quanta_.resize(std::max(quanta_.size(), last + 1));
  for (std::size_t i = first; i <= last; ++i) {
    const std::int64_t begins = static_cast<std::int64_t>(i) * quantum_.ps;
    const Time from{std::max(step.from.ps, begins)};
    const Time to{std::min(end.ps, begins + quantum_.ps)};
    quanta_[i] += step.rate * seconds(to - from);
  }
}

void StepSeries::double_quantum() {
  for (std::size_t i = 0; i < quanta_.size(); ++i) {
    if (i % 2 == 0)
      quanta_[i / 2] = quanta_[i];
    else
      quanta_[i / 2] += quanta_[i];
  }
  quanta_.resize((quanta_.size() + 1) / 2);
  quantum_ = quantum_ + quantum_;
}

std::vector<StepSeries::Step> StepSeries::until(Time end) const {
  if (quantum_.ps == 0) {
    std::vector<Step> steps = steps_;
    while (!steps.empty() && steps.back().from >= end) steps.pop_back();
    return steps;
  }
  StepSeries whole = *this;
  whole.spread(last_, end);
  std::vector<Step> steps;
  for (std::size_t i = 0; i < whole.quanta_.size(); ++i) {
    const Time from{static_cast<std::int64_t>(i) * whole.quantum_.ps};
    const Time length{std::min(whole.quantum_.ps, end.ps - from.ps)};
    const double rate = whole.quanta_[i] / seconds(length);
    if (steps.empty() || steps.back().rate != rate) steps.push_back({from, rate});
  }
  return steps;
}

}  // namespace syncsim
