#pragma once
// A rate over time, told step by step, in bounded memory: exact up to kMostSteps steps, then as
// averages over quanta of time, which double whenever they would be more than that. The integral is
// kept throughout.

#include <cstddef>
#include <vector>

#include "sim/base/units.h"

namespace syncsim {

class StepSeries {
 public:
  static constexpr std::size_t kMostSteps = 512;

  struct Step {
    Time from;
    double rate = 0;  // bytes/s, until the next step
    friend bool operator==(const Step&, const Step&) = default;
  };

  // From now on; times never go back. Of several at one time the last counts.
  void add(Time from, double rate);
  // Up to `end`, which is no earlier than the last step; without a step there.
  std::vector<Step> until(Time end) const;
  // Of the averages; 0: the steps are exact.
  Time quantum() const { return quantum_; }

 private:
  void average(Time end);  // from exact steps to quanta
  void spread(const Step& step, Time end);
  void double_quantum();

  std::vector<Step> steps_;     // while exact
  Step last_;                   // while averaged: its end is not known yet
  std::vector<double> quanta_;  // bytes in each
  Time quantum_;
};

}  // namespace syncsim
