#pragma once
// Rings as people write them: "0,3,2,1 x2; 0,1,3,2".

#include <span>
#include <string>

#include "sim/topology/embedding.h"

namespace syncsim {

std::string ring_text(const Ring& ring);
std::string rings_text(std::span<const Ring> rings);

}  // namespace syncsim
