// The visible list of executors: one row each.

#include "sim/exec/executor.h"

namespace syncsim {

const NamedTable<Executor>& executors() {
  static const NamedTable<Executor> table(
      "executor", {{"simulated", "the event engine: max-min fair flows on the machine's routes",
                    execute_simulated}});
  return table;
}

}  // namespace syncsim
