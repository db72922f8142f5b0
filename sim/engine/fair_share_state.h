#pragma once
// What the max-min solver keeps of flows and resources. A flow has one Place on each resource of
// its route, and the resource one Member for it; each knows where the other is.

#include <cstdint>
#include <limits>

#include "sim/engine/network.h"

namespace syncsim::engine::fair_share {

inline constexpr double kUnlimited = std::numeric_limits<double>::infinity();
inline constexpr ResourceIndex kNowhere = 0xffffffffu;
inline constexpr std::uint32_t kNobody = 0xffffffffu;

struct Flow {  // one cache line
  double weight = 1;
  double line_rate = 0;
  double line_level = 0;  // line_rate / weight
  double rate = 0;
  double level = 0;                     // rate / weight, at which filling stops it
  ResourceIndex bottleneck = kNowhere;  // what stops it; nowhere: its line rate
  std::uint32_t begin = 0;              // of its places
  std::uint32_t uses = 0;
  RouteIndex route = 0;
  std::uint32_t stopped_in = 0;  // filling: the last fill that stopped it
  bool active : 1 = false;       // as the caller sees it
  bool linked : 1 = false;       // as its resources see it
  bool lone : 1 = false;         // alone on all its resources: they know it, it has no places
  bool pending : 1 = false;      // in pending_
  bool renewed : 1 = false;      // to be reported, whatever its rate
  bool moved : 1 = false;        // rippling: in moved_
};
static_assert(sizeof(Flow) == 64);
struct Place {  // of a flow on one resource
  ResourceIndex resource;
  std::uint32_t position;  // among its members
  double coefficient;
};
struct Member {  // the same, as the resource sees it
  std::uint32_t slot;
  std::uint32_t place;
  double share;  // coefficient x weight: what the flow takes of the resource a unit of level
};
struct Port {  // a resource and who is on it; one cache line
  double capacity = 0;
  double potential = 0;       // its load if all its flows had their line rates
  double level = kUnlimited;  // at which it is full; unlimited: it stops nobody
  std::uint32_t begin = 0;    // of its members
  std::uint32_t size = 0;
  std::uint32_t narrow = 0;      // flows whose line rate other resources or maxima set
  std::uint32_t position = 0;    // in contended_
  std::uint32_t lone = kNobody;  // its only flow, when that is a lone one
  bool contended = false;        // not slack
  bool full = false;             // slack, but its flows' line rates are just what it has
  bool dirty = false;            // in dirty_
  bool touched = false;          // in touched_
};
struct Account {             // of a resource that is being filled
  double load = 0;           // of the flows already stopped
  double open_weight = 0;    // of the others, the sum of their shares
  double summed_weight = 0;  // open_weight when it was last summed anew
  std::uint32_t open = 0;    // flows not yet stopped
};
struct Wave {                    // what a ripple knows of a resource
  double estimate = kUnlimited;  // its new level, at least
  bool entered : 1 = false;
  bool stale : 1 = false;     // the estimate is out of date
  bool falling : 1 = false;   // in falling_
  bool released : 1 = false;  // its flows have outgrown its old level
  bool settled : 1 = false;   // its new level stands
};

}  // namespace syncsim::engine::fair_share
