#pragma once
// What mpirun says of this process before MPI itself has begun. Of Open MPI; in every build.

#include <string_view>

namespace syncsim {

// Whether mpirun started this process as one of several, and not as their first, which says what
// all of them find wrong.
bool is_one_of_several();
bool is_follower();
std::string_view launched_rank();  // "0" where mpirun started nobody

}  // namespace syncsim
