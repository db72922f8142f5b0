#include "sim/exec/processes/launcher.h"

#include <cstdlib>
#include <string_view>

namespace syncsim {

bool is_one_of_several() {
  const char* size = std::getenv("OMPI_COMM_WORLD_SIZE");
  return size != nullptr && std::string_view(size) != "1";
}

std::string_view launched_rank() {
  const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
  return rank == nullptr ? "0" : rank;
}

bool is_follower() { return is_one_of_several() && launched_rank() != "0"; }

}  // namespace syncsim
