#pragma once
// Executors that run a schedule for real, on memory and cores or devices, as simulated ones do in a
// model: a checked schedule -> measured Timelines. What all of them keep to:
// 1. An op starts when its predecessors, by edges and on its lane, are finished.
// 2. A copy sets and a reduce adds real elements; a compute takes its duration, and what it
//    produces is there when it is finished; signals and joins order, and move nothing.
// 3. Reduces into one range are serialised. So is what reaches into a relaxed buffer, where each
//    push is applied once.
// 4. Before every iteration all data is set anew (run_data.h); after it every holder's is compared
//    with the exact sum. Iterations to warm up are checked, not timed. The first wrong one is the
//    last.
// 5. Times are of the machine's steady clock and begin with each iteration. The setting of the data
//    and its comparison lie outside.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/memory.h"
#include "sim/base/named_table.h"
#include "sim/base/watch.h"
#include "sim/schedule/schedule.h"
#include "sim/schedule/timeline.h"
#include "sim/topology/topology.h"

namespace syncsim {

struct RealOptions {
  int iterations = 10;
  int warmup = 2;
  int threads = 0;                // of the host: 0: one a core; no more than there are ops
  std::vector<int> devices = {};  // rank r runs on the (r mod size)-th; empty: all that there are
  bool library = true;            // with the same collective by a library, where there is one
  Watch* watch = nullptr;         // one that says stop ends it with Interrupted
  MemoryLimit memory = {};        // InputError before anything is allocated that would pass it
};

// The first one, by rank and place.
struct WrongElement {
  ParticipantId rank = 0;
  std::string buffer;
  std::int64_t element = 0;  // of the buffer
  std::int64_t expected = 0;
  std::int64_t found = 0;

  std::string text() const;  // "rank 2: element 17 of data is 5, not 12"
};

// The same collective of as many bytes by a library, measured in the same run.
struct LibraryRun {
  std::string name;  // "MPI_Allreduce of Open MPI 4.1.4"
  std::vector<Time> times;
};

struct Measurement {
  Timeline timeline;        // of the median iteration; says nothing of resources
  std::vector<Time> times;  // of the iterations, in the order they ran
  std::string workers;      // "2 threads", "4 processes", "1 device"
  std::optional<WrongElement> wrong = {};
  std::optional<LibraryRun> library = {};
  std::vector<std::string> notes = {};  // on how it ran, for people

  // The time of an iteration that ran: the lower one of two in the middle.
  Time median() const;
  Time least() const;
  Time most() const;
  Time deviation() const;  // median of the absolute deviations from the median
};

// The iteration whose time is the median, the lower one of two in the middle.
std::size_t median_of(const std::vector<Time>& times);

struct RealExecutor {
  std::string_view name;
  std::string_view description;
  // Throws InputError for a schedule that it cannot run, InternalError for one whose ops wait for
  // each other.
  Measurement (*measure)(const Schedule& schedule, const Topology& topology,
                         const RealOptions& options);
};

const NamedTable<RealExecutor>& real_executors();

// So many threads as the options say, or as there are cores.
int host_threads(const RealOptions& options);
// In host memory, by threads. The machine plays no part.
Measurement measure_on_host(const Schedule& schedule, const Topology& topology,
                            const RealOptions& options);

// By the processes that mpirun started, participant p by process p. Throws, besides, JointFailure
// for what others found wrong, and BrokenOff for what befalls it in mid-run (saying.h).
Measurement measure_by_mpi(const Schedule& schedule, const Topology& topology,
                           const RealOptions& options);
// What stands in its place in a build without MPI: InputError.
Measurement refuse_without_mpi(const Schedule& schedule, const Topology& topology,
                               const RealOptions& options);

}  // namespace syncsim
