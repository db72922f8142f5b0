#pragma once
// Rings as people write them: "0,3,2,1 x2; 0,1,3,2"; with nics "nic2>0,1>nic3,nic2>2,3>nic3", which
// comes to rank 0 by the nic of number 2 in its box and goes on from rank 1 by the one of number 3.

#include <span>
#include <string>

#include "sim/topology/embedding.h"

namespace syncsim {

std::string ring_text(const Ring& ring);
std::string rings_text(std::span<const Ring> rings);

}  // namespace syncsim
