#pragma once
// Groups: several participants as one end of an op, for what the network adds up or multiplies on
// the way.
//   reduce from a group   adds every member's chunks, but the destination's own, into the
//                         destination's; a member that receives the sum so keeps its own part once
//   copy to a group       sets the chunks of every member, but the source's own
// The ids of groups have a bit that those of participants lack; without it they are indices into
// Schedule::groups. A group lists its members, all different, in ascending order.

#include <cstdint>
#include <span>
#include <vector>

namespace syncsim {

using ParticipantId = std::uint32_t;
using Groups = std::vector<std::vector<ParticipantId>>;

inline constexpr ParticipantId kGroupBit = 0x80000000u;

constexpr bool is_group(ParticipantId id) { return (id & kGroupBit) != 0; }
constexpr std::uint32_t group_index(ParticipantId id) { return id & ~kGroupBit; }

// The members of a group that exists; a participant by itself is its only member.
inline std::span<const ParticipantId> members(const Groups& groups, const ParticipantId& id) {
  if (is_group(id)) return groups[group_index(id)];
  return {&id, 1};
}
std::span<const ParticipantId> members(const Groups& groups, ParticipantId&& id) = delete;

// Whether two ids, of participants or groups, stand for some participant in common.
bool have_common_member(const Groups& groups, ParticipantId a, ParticipantId b);

}  // namespace syncsim
