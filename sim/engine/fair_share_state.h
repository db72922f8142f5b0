#pragma once
// What the max-min solver keeps of flows and resources. A flow has one Place on each resource of
// its route, and the resource one Member for it; each knows where the other is.

#include <cstdint>
#include <limits>

#include "sim/engine/network.h"

namespace syncsim::engine::fair_share {

inline constexpr double kUnlimited = std::numeric_limits<double>::infinity();

struct Flow {  // one cache line
  double weight = 1;
  double maximum = kUnlimited;
  double line_rate = 0;
  double rate = 0;
  double level = 0;         // at which it was fixed; unlimited while it has no rate yet
  std::uint32_t begin = 0;  // of its places
  std::uint32_t uses = 0;
  RouteIndex route = 0;
  bool active : 1 = false;   // as the caller sees it
  bool linked : 1 = false;   // on the lists of its resources
  bool pending : 1 = false;  // in pending_
  bool renewed : 1 = false;  // to be reported, whatever its rate
  bool open : 1 = false;     // reached, and not yet fixed by the running fill
};
struct Place {  // of a flow on one resource
  ResourceIndex resource;
  std::uint32_t position;  // among its members
  double coefficient;
};
struct Member {  // the same, as the resource sees it
  std::uint32_t slot;
  std::uint32_t place;
};
struct Port {  // a resource and who is on it
  double capacity = 0;
  double load = 0;
  double potential = 0;      // load if all its flows had their line rates
  double open_weight = 0;    // sum of coefficient x weight of its open flows
  double summed_weight = 0;  // open_weight when it was last summed anew
  std::uint32_t begin = 0;   // of its members
  std::uint32_t size = 0;
  std::uint32_t open = 0;
  bool contended : 1 = false;  // not slack
  bool dirty : 1 = false;      // in dirty_
  bool joined : 1 = false;     // has new flows
  bool reached : 1 = false;    // in reached_
  bool touched : 1 = false;    // in touched_
};

}  // namespace syncsim::engine::fair_share
