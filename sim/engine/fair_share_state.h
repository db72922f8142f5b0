#pragma once
// What the max-min solver keeps of flows and resources. A flow has one Place on each resource of
// its route, and the resource one Member for it; each knows where the other is: O(1) for a flow to
// leave a resource, at 32 bytes a use. A resource lists the flows that it stops first ("own"), then
// those that are stopped elsewhere ("foreign").

#include <cstdint>
#include <limits>

#include "sim/engine/network.h"

namespace syncsim::engine::fair_share {

inline constexpr double kUnlimited = std::numeric_limits<double>::infinity();
inline constexpr ResourceIndex kNowhere = 0xffffffffu;
inline constexpr std::uint32_t kNobody = 0xffffffffu;
inline constexpr double kSaturated = 1 - 1e-9;  // this part of the capacity is all of it
// Weights that shrink by subtraction are summed anew below this part of the last full sum.
inline constexpr double kLeastWeight = 1.0 / 16;
// A sum that passes so many times the capacity loses digits: it counts as updated so often.
inline constexpr double kOverfull = 2;
inline constexpr std::uint32_t kWornOut = 0x80000000u;

struct Flow {
  double weight = 1;
  double maximum = kUnlimited;
  double line_rate = 0;
  double line_level = 0;                // line_rate / weight
  ResourceIndex bottleneck = kNowhere;  // what stops it; nowhere: its line rate
  std::uint32_t begin = 0;              // of its places
  std::uint32_t uses = 0;
  RouteIndex route = 0;
  std::uint32_t filled_in = 0;  // filling: the last fill that stopped it
  bool active : 1 = false;      // as the caller sees it
  bool linked : 1 = false;      // as its resources see it
  bool lone : 1 = false;        // alone on all its resources: they know it, it has no places
  bool pending : 1 = false;     // in pending_
  bool moved : 1 = false;       // in moved_
};
static_assert(sizeof(Flow) == 56);

struct Place {  // of a flow on one resource
  ResourceIndex resource;
  std::uint32_t position;  // among its members
  double share;            // coefficient x weight: what the flow takes of it a unit of level
};
struct Member {  // the same, as the resource sees it
  std::uint32_t slot;
  std::uint32_t place;
  double share;
};

// A resource and who is on it. The first cache line is all that a ripple needs of resources that it
// only passes.
struct alignas(64) Port {
  double capacity = 0;
  double level = kUnlimited;  // of its own flows, at which it is full; unlimited: it has none
  // While contended (else of no meaning):
  double foreign = 0;               // sum of share x level of the foreign flows
  double own_weight = 0;            // sum of the shares of the own ones
  double top = 0;                   // no foreign flow has a higher level
  double least_calm = -kUnlimited;  // where `foreign` may go without a review
  double most_calm = kUnlimited;
  std::uint32_t updates = 0;  // of `foreign`, since it was last summed anew
  bool contended = false;     // not slack
  bool waiting = false;       // in waiting_
  bool changed = false;       // in changed_
  bool full = false;          // it stops nobody, but its flows take just what it has

  std::uint32_t own = 0;
  std::uint32_t size = 0;
  std::uint32_t begin = 0;         // of its members
  std::uint32_t lone = kNobody;    // its only flow, when that is a lone one
  bool dirty = false;              // in dirty_
  bool touched = false;            // in touched_
  bool binding = false;            // filling: it is full at the present level
  bool near = false;               // its potential is near its capacity
  std::uint32_t line_changes = 0;  // of `potential`, since it was last summed anew
  double potential = 0;            // its load if all its flows had their line rates
  double summed_weight = 0;        // own_weight when it was last summed anew, or more
  double least_line_level = 0;     // no own flow has a lower one
  std::uint32_t narrow = 0;        // flows whose line rate other resources or maxima set
  std::uint32_t position = 0;      // in contended_
  std::uint32_t open = 0;          // filling: flows not yet stopped
  std::uint32_t stopped = 0;       // flows that are not at their line rates
};
static_assert(sizeof(Port) == 128);

}  // namespace syncsim::engine::fair_share
