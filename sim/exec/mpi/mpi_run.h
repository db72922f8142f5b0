#pragma once
// The iterations of a schedule by all processes together, as one of them goes through them. Between
// iterations they wait for each other; an iteration begins with the first of them, and ends when
// the last op is finished anywhere, by the clock of rank 0.

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "sim/exec/host/host_memory.h"
#include "sim/exec/host/host_mover.h"
#include "sim/exec/mpi/courier.h"
#include "sim/exec/mpi/library_run.h"
#include "sim/exec/mpi/part.h"
#include "sim/exec/mpi/session.h"
#include "sim/exec/processes/patience.h"
#include "sim/exec/real/real_executor.h"
#include "sim/exec/real/run_data.h"

namespace syncsim {

class MpiRun {
 public:
  // Keeps references. Holds little until it is told to allocate.
  MpiRun(const Schedule& schedule, const RealOptions& options, const MpiSession& session);

  std::uint64_t needed_bytes() const;  // besides the schedule
  void allocate();
  // What all processes return: the same.
  Measurement measure();

 private:
  using Nanoseconds = std::chrono::nanoseconds;
  struct Ended;

  Nanoseconds common(std::chrono::steady_clock::time_point at) const;
  void run_once(Measurement& measurement, bool timed);
  Ended ended() const;
  std::optional<WrongElement> first_wrong(const std::vector<Ended>& all) const;
  void keep(Time after);
  Timeline merged(std::size_t iteration);
  void time_library(Measurement& measurement);

  const Schedule& schedule_;
  const RealOptions& options_;
  const MpiSession& session_;
  const ParticipantId self_;
  RunData data_;
  BufferExtents extents_;
  OwnPart part_;
  MpiLibrary library_;
  Patience patience_;
  std::unique_ptr<HostMemory> memory_;
  std::unique_ptr<HostMover> mover_;
  Nanoseconds offset_{};
  std::unique_ptr<MpiCourier> courier_;
  std::vector<std::vector<OpTimes>> kept_;  // of the iterations, by op of the part
};

}  // namespace syncsim
