#include "sim/exec/real/real_executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "sim/base/error.h"
#include "sim/exec/cuda/cuda_executors.h"

namespace syncsim {
namespace {

#ifdef SYNCSIM_MPI
constexpr auto kByMpi = measure_by_mpi;
#else
constexpr auto kByMpi = refuse_without_mpi;
#endif

}  // namespace

const NamedTable<RealExecutor>& real_executors() {
  static const NamedTable<RealExecutor> table(
      "executor",
      {{"host", "real copies and sums in this machine's memory, by threads", measure_on_host},
       {"cuda", "on this machine's GPUs, as one CUDA graph", measure_on_cuda},
       {"mpi", "real messages between the processes of mpirun, a process a participant", kByMpi},
       {"nccl", "NCCL's own collective on this machine's GPUs, for reference", measure_with_nccl}});
  return table;
}

Measurement refuse_without_mpi(const Schedule&, const Topology&, const RealOptions&) {
  throw InputError("this syncsim was built without MPI",
                   "install MPI (Debian: libopenmpi-dev openmpi-bin) and build it again",
                   "--executor");
}

std::string WrongElement::text() const {
  return fmt::format("rank {}: element {} of {} is {}, not {}", rank, element, buffer, found,
                     expected);
}

std::size_t median_of(const std::vector<Time>& times) {
  std::vector<std::size_t> order(times.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return times[a] < times[b]; });
  return order[(order.size() - 1) / 2];
}

Time Measurement::median() const { return times[median_of(times)]; }
Time Measurement::least() const { return *std::min_element(times.begin(), times.end()); }
Time Measurement::most() const { return *std::max_element(times.begin(), times.end()); }

Time Measurement::deviation() const {
  const Time middle = median();
  std::vector<Time> away;
  for (const Time time : times) away.push_back({std::abs(time.ps - middle.ps)});
  return away[median_of(away)];
}

}  // namespace syncsim
