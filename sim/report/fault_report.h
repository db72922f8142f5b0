#pragma once
// What came of a fault in training steps, and of failures by chance.

#include <optional>
#include <string>

#include "sim/base/units.h"
#include "sim/workload/fault_times.h"
#include "sim/workload/goodput.h"

namespace syncsim {

struct FaultReport {
  std::string what;  // is lost: "rank 3", "link:gpu0-gpu1 bandwidth=0 B/s"
  std::int64_t step = 0;
  Time at;               // from the step's begin
  std::string recovery;  // its name
  // Without recovery nothing would get on any more, and all stands so long after the fault; what
  // waits for what, and the first of the ops that do.
  bool stalls = false;
  Time stands;
  std::string reason;
  std::string first;
  FaultTimes times;
  Checkpoints checkpoints;
  Time before;                          // a step
  std::optional<Time> after;            // a step from then on; nullopt: there is none
  double samples_per_second_after = 0;  // of all ranks
};

struct GoodputReport {
  double mtbf = 0;  // of a part, seconds
  std::string of;   // which parts fail: "rank"
  double parts = 1;
  Time horizon;
  int replicas = 1;
  Checkpoints checkpoints;
  Goodput goodput;
  double samples_per_second = 0;  // that count
  double young_every = 0;         // steps between checkpoints by Young's formula
};

}  // namespace syncsim
