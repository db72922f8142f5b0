#pragma once
// The ranks that mpirun started: all of them run points, one at a time each, and rank 0 hands them
// out, takes the outcomes and writes. The ranks of one machine share its memory. A rank that dies
// takes the job along: Open MPI tells the others to end, and rank 0 ends as after an interrupt,
// with all rows written that it got. Built without MPI there is no such crew.

#include "sim/cli/crew/crew.h"

namespace syncsim::cli {

class MpiCrew : public Crew {
 public:
  virtual bool leads() const = 0;  // rank 0: it calls run(), the others serve()
  virtual void serve(const Work& work) = 0;
};

// Throws InputError in a build without MPI.
std::unique_ptr<MpiCrew> mpi_crew();

}  // namespace syncsim::cli
