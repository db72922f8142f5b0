#pragma once
// The participants at the ends of ops, where either may be a group (groups.h).

#include "sim/schedule/schedule.h"

namespace syncsim {

inline bool has_group(const Op& op) { return is_group(op.source) || is_group(op.destination); }

// The end that is no group.
inline ParticipantId single_end(const Op& op) {
  return is_group(op.destination) ? op.source : op.destination;
}

// Calls act(source, destination) for every two participants between which an op moves its chunks.
template <class Act>
void each_way(const Groups& groups, const Op& op, Act&& act) {
  for (const ParticipantId source : members(groups, op.source))
    for (const ParticipantId destination : members(groups, op.destination))
      if (source != destination || !has_group(op)) act(source, destination);
}

// Whether some participant is at an end of the op and is `id`, or a member of that group.
inline bool touches(const Groups& groups, const Op& op, ParticipantId id) {
  return have_common_member(groups, op.source, id) ||
         have_common_member(groups, op.destination, id);
}
inline bool share_participant(const Groups& groups, const Op& a, const Op& b) {
  return touches(groups, a, b.source) || touches(groups, a, b.destination);
}

}  // namespace syncsim
