// The visible list of executors: one row each.

#include "sim/exec/executor.h"

#include <string>

#include "sim/exec/real/real_executor.h"

namespace syncsim {

const NamedTable<Executor>& executors() {
  static const NamedTable<Executor> table(
      "executor", {{"simulated", "the event engine: max-min fair flows on the machine's routes",
                    execute_simulated},
                   {"nccl_formula",
                    "NCCL's own model: latency + bytes / bandwidth of its cheapest algorithm and "
                    "protocol",
                    execute_nccl_formula, false}});
  return table;
}

const Executor& executor_named(std::string_view name) {
  if (real_executors().find(name) != nullptr)
    throw InputError("\"" + std::string(name) + "\" runs schedules for real",
                     "use \"syncsim execute\" for that");
  return executors().at(name);
}

}  // namespace syncsim
