#pragma once
// Goodput of a long run that fails now and then: the samples that count, over those that a run
// without failures and checkpoints would do. Failures come by chance, of every part by itself
// (exponential gaps); between them steps and checkpoints are laid end to end, of the simulated
// times.
//
// 1. A failure cuts the step in hand short, and a checkpoint that is being written; where the run
//    goes back, what was done since the last checkpoint counts no more.
// 2. Recovery takes `recovery`, and `read` where a checkpoint is read. A failure meanwhile begins
//    it anew. What only slows a run is worked with until it is noticed, or for good where nothing
//    is done about it.
// 3. With parts lost the run has the pace of so many lost, until they are repaired; the step in
//    hand when one comes back is cut short, and planning anew takes `restart`.
// 4. A run that has nothing left stands until the next repair, and nothing fails meanwhile. What
//    comes back has what it held, but where the run goes back.
//
// Young 1974: the best interval is about sqrt(2 x write x MTBF). Daly 2006: with exponential
// failures tau of work takes e^(R/M) x M x (e^((tau + write)/M) - 1), R the recovery, M the MTBF.

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "sim/workload/fault_times.h"

namespace syncsim {

struct StepPace {
  Time step;
  double samples = 1;  // of a step, over those of an undisturbed one
  double parts = 1;    // that may fail
};

struct GoodputInput {
  double mtbf = 0;  // of one part, seconds
  // With so many parts lost; nullopt: nothing runs. Of 0 it is the undisturbed one.
  std::function<std::optional<StepPace>(int lost)> pace;
  FaultCosts costs;
  bool recovers = true;  // off: nothing is done about a failure
  // Until a failure is noticed; nullopt: the run stands.
  std::optional<StepPace> meanwhile = {};
  std::optional<Time> repair;  // how long a lost part is away; nullopt: for ever
  Time horizon;
  std::uint32_t seed = 0;
  int replicas = 1;
};

struct GoodputRun {
  double goodput = 0;
  int failures = 0;
};

// One by one; each has a seed of its own.
GoodputRun goodput_run(const GoodputInput& input, std::uint32_t replica);

struct Goodput {
  double mean = 0;
  double half_width = 0;  // of the 95 % confidence interval (Student); 0 of a single replica
  double failures = 0;    // on the average
};
Goodput goodput(const GoodputInput& input);

// Steps between checkpoints by Young's formula, 0 where they cost nothing. `mtbf` in seconds, of
// the whole run.
double young_interval(Time write, double mtbf, Time step);

}  // namespace syncsim
