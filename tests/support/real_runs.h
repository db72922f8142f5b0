#pragma once
// Real runs in host memory, for tests.

#include <doctest/doctest.h>

#include <string>

#include "sim/exec/real/op_waits.h"
#include "sim/exec/real/real_executor.h"
#include "tests/support/machines.h"

namespace syncsim::testing {

inline Measurement measured(const Schedule& schedule, int threads = 2, int iterations = 1) {
  static const Topology machine(star(1));  // plays no part
  return measure_on_host(schedule, machine,
                         {.iterations = iterations, .warmup = 0, .threads = threads});
}

// "" or what is wrong.
inline std::string fault_of(const Measurement& measurement) {
  return measurement.wrong ? measurement.wrong->text() : "";
}

// No op starts before what it waits for, by edges and on its lane, is finished; "" or the first
// that does. Of any timeline, measured or simulated.
inline std::string out_of_order(const Schedule& schedule, const Timeline& timeline) {
  const OpWaits waits(schedule);
  for (OpId op = 0; op < schedule.ops.size(); ++op) {
    const OpTimes& own = timeline.ops[op];
    if (own.start < own.ready || own.finish < own.start) return describe(schedule, op);
    const auto early = [&](OpId next) { return timeline.ops[next].start < own.finish; };
    for (const OpId next : schedule.successors(op))
      if (early(next)) return describe(schedule, next);
    if (const OpId next = waits.next_in_lane[op]; next != kNone && early(next))
      return describe(schedule, next);
  }
  return "";
}

}  // namespace syncsim::testing
