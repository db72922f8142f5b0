#pragma once
// What groups of ranks have to send to the ranks outside and to get from them, whatever the
// algorithm. For a block of s bytes that the ranks C contribute to and the ranks H must hold:
//   leaves a group with a rank of C   if some rank of H is outside
//   enters a group with a rank of H   if some rank of C is outside
// What is summed up counts once: it can be added up on either side.

#include <vector>

#include "sim/schedule/collective.h"

namespace syncsim {

struct Demand {
  double out = 0;  // bytes
  double in = 0;
};

// `group` says of each rank in which of `groups` it lies; no group holds all of them.
std::vector<Demand> demands(const Collective& collective, const std::vector<std::uint32_t>& group,
                            std::size_t groups);

}  // namespace syncsim
