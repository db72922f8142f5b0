#pragma once
// Commands that the processes of mpirun carry out together: all do the same, the first one speaks
// for all, and all end with the same exit code. What is found wrong, by all or by some, is said
// once, and ends all.

#include <functional>
#include <span>

namespace syncsim::cli {

// Whether the words of the command line are "execute" with "--executor mpi".
bool is_for_all_processes(std::span<char*> words);

// Does `act`, which returns the exit code. In a build without MPI no more than that.
int in_one_voice(const std::function<int()>& act);

}  // namespace syncsim::cli
