// Runs a schedule by processes that mpirun started: process p is participant p, and all others
// beyond the participants nap. Each of them emits, proves and simulates the same schedule first.

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>

#include "sim/base/hash.h"
#include "sim/base/text.h"
#include "sim/exec/mpi/agreement.h"
#include "sim/exec/mpi/mpi_run.h"
#include "sim/exec/mpi/session.h"
#include "sim/schedule/size.h"

namespace syncsim {
namespace {

void require_processes(const Schedule& schedule, int processes) {
  const std::size_t participants = schedule.participants.size();
  if (static_cast<std::size_t>(processes) >= participants) return;
  std::string who = counted(schedule.ranks, "rank");
  for (std::size_t helper = schedule.ranks; helper < participants; ++helper)
    who += (helper + 1 < participants ? ", " : " and ") + schedule.participants[helper];
  throw InputError(fmt::format("the schedule is run by {}, a process each, and {} not enough", who,
                               processes == 1 ? "1 is" : fmt::format("{} are", processes)),
                   fmt::format("start \"mpirun -n {} syncsim execute ...\"", participants),
                   "mpirun");
}

template <class Vector>
std::uint64_t hashed_of(const Vector& things, std::uint64_t hash) {
  const std::size_t bytes = things.size() * sizeof(things[0]);
  return hashed({reinterpret_cast<const char*>(things.data()), bytes}, hash);
}

// Of all that decides which messages there are, and how often.
std::uint64_t digest_of(const Schedule& schedule, const RealOptions& options) {
  std::uint64_t hash =
      hashed(fmt::format("{} {} {}", schedule.ranks, options.iterations, options.warmup));
  for (const std::string& node : schedule.participants) hash = hashed(node + "\n", hash);
  for (const Buffer& buffer : schedule.buffers) hash = hashed_of(buffer.boundaries, hash);
  for (const PlacedCollective& placed : schedule.collectives)
    hash = hashed(fmt::format("{} {} {}", to_string(placed.collective.kind),
                              placed.collective.datatype, placed.collective.root),
                  hash);
  hash = hashed_of(schedule.durations, hash);
  return hashed_of(schedule.edges, hashed_of(schedule.ops, hash));
}

void require_same_schedule(const std::vector<Saying>& sayings) {
  for (std::size_t rank = 1; rank < sayings.size(); ++rank)
    if (sayings[rank].digest != sayings[0].digest)
      throw InputError(fmt::format("rank {} of mpirun has another schedule than rank 0", rank),
                       "start all with the same arguments, files and program", "mpirun");
}

void require_room_here(const std::vector<Saying>& sayings, const Saying& own,
                       const RealOptions& options) {
  std::uint64_t need = 0;
  std::uint64_t processes = 0;
  for (const Saying& saying : sayings) {
    if (saying.machine != own.machine) continue;
    need += saying.need;
    ++processes;
  }
  require_room(options.memory, need, "a run by MPI",
               fmt::format("{} on this machine", processes_text(processes)),
               "start them on more machines, or use less data or fewer iterations");
}

// From here on others count on this process.
template <class Act>
decltype(auto) committed(Act&& act) {
  try {
    return act();
  } catch (const Interrupted&) {
    throw;
  } catch (...) {
    std::throw_with_nested(BrokenOff());
  }
}

}  // namespace

Measurement measure_by_mpi(const Schedule& schedule, const Topology&, const RealOptions& options) {
  const MpiSession session;
  if (options.threads > 0)
    throw InputError("the mpi executor runs one thread in each process", "leave it out",
                     "--threads");
  require_processes(schedule, session.size());
  require_messages_will_do(schedule);
  MpiRun run(schedule, options, session);
  Saying own{.digest = digest_of(schedule, options),
             .need = schedule_bytes(size_of(schedule)) + run.needed_bytes(),
             .machine = session.machine()};
  const std::vector<Saying> sayings = agree(own, options.watch);
  require_same_schedule(sayings);
  require_room_here(sayings, own, options);
  run.allocate();
  agree(own, options.watch);
  return committed([&] { return run.measure(); });
}

}  // namespace syncsim
