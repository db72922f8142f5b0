#pragma once
// Executors: a checked schedule on a machine -> a Timeline. One file and one row each.

#include <span>
#include <string>
#include <string_view>

#include "sim/base/memory.h"
#include "sim/base/named_table.h"
#include "sim/base/watch.h"
#include "sim/schedule/schedule.h"
#include "sim/schedule/timeline.h"
#include "sim/topology/link_events.h"
#include "sim/topology/topology.h"

namespace syncsim {

class RateWatch;  // rate_follower.h
struct Traffic;

struct ExecutionOptions {
  Rates rates = Rates::line;
  Time overhead;           // added to every transfer's own (its links') overhead
  bool record_ops = true;  // off: totals only
  bool audit = false;      // check capacities, delivery and fairness after every event
  std::uint32_t seed = 0;  // of equal-cost routes
  // Flows that share the machine from time 0 on; the run ends with the schedule. nullptr: none.
  const Traffic* background = nullptr;
  // Bandwidths that change while the run goes on; of the machine's links, by time and link. Routes
  // are those of the machine as it is given.
  std::span<const LinkChange> changes = {};
  RateWatch* rate_watch = nullptr;   // told of every change of rates; slower
  Watch* watch = nullptr;            // one that says stop gives a stopped timeline
  MemoryLimit memory = {};           // InputError before the engine would pass it
  std::string library_figures = {};  // the directory of libraries' constants (topologies/rates)
};

struct Executor {
  std::string_view name;
  std::string_view description;
  Timeline (*execute)(const Schedule& schedule, const Topology& topology,
                      const ExecutionOptions& options);
  bool times_ops = true;  // otherwise its timelines know the finish alone
};

const NamedTable<Executor>& executors();
// Throws InputError, without a place, for one that runs for real (real_executor.h), too.
const Executor& executor_named(std::string_view name);

// The event engine on the machine's routes. Throws InternalError naming the blocked ops when the
// schedule deadlocks, InputError when two participants have no route, or when links that are left
// at 0 stall it for ever; that one names the ops and the links.
Timeline execute_simulated(const Schedule& schedule, const Topology& topology,
                           const ExecutionOptions& options);

// nccl/nccl_formula.h, of the schedule's one collective: a finish, no ops. Throws InputError where
// it does not apply.
Timeline execute_nccl_formula(const Schedule& schedule, const Topology& topology,
                              const ExecutionOptions& options);

}  // namespace syncsim
