#pragma once
// What all processes do at once, each napping until the others have come.

#include <cstdint>
#include <type_traits>
#include <vector>

#include "sim/exec/mpi/mpi.h"
#include "sim/exec/processes/patience.h"

namespace syncsim {

inline void wait(MPI_Request request, Patience& patience) {
  patience.wait([&] {
    int there = 0;
    MPI_Test(&request, &there, MPI_STATUS_IGNORE);
    return there != 0;
  });
}

inline void barrier(Patience& patience) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  wait(request, patience);
}

// By rank.
template <class Figures>
std::vector<Figures> gathered(const Figures& own, Patience& patience) {
  static_assert(std::is_trivially_copyable_v<Figures>);
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::vector<Figures> all(static_cast<std::size_t>(size));
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallgather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, MPI_COMM_WORLD,
                 &request);
  wait(request, patience);
  return all;
}

// Each figure becomes the largest of all processes'.
inline void take_largest(std::vector<std::int64_t>& figures, Patience& patience) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(MPI_IN_PLACE, figures.data(), static_cast<int>(figures.size()), MPI_INT64_T,
                 MPI_MAX, MPI_COMM_WORLD, &request);
  wait(request, patience);
}

}  // namespace syncsim
