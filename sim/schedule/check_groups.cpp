#include "sim/schedule/check_groups.h"

#include <fmt/format.h>

#include <string>

#include "sim/base/text.h"
#include "sim/schedule/check_chunks.h"
#include "sim/schedule/op_ends.h"

namespace syncsim::checking {
namespace {

using Result = std::optional<Violation>;

Result check_group(const Schedule& schedule, std::size_t index) {
  const std::vector<ParticipantId>& group = schedule.groups[index];
  if (group.empty())
    return malformed(fmt::format("group {} has no members; it needs at least 1", index));
  for (std::size_t i = 0; i < group.size(); ++i) {
    if (group[i] >= schedule.participants.size())
      return malformed(fmt::format("group {}: participant {} does not exist; {}", index, group[i],
                                   there_are(schedule.participants.size())));
    if (i > 0 && group[i] <= group[i - 1])
      return malformed(fmt::format("group {}: {} comes after {}; members must ascend", index,
                                   name_of(schedule, group[i]), name_of(schedule, group[i - 1])));
  }
  return {};
}

}  // namespace

Violation malformed(std::string message, OpId op) {
  return {Violation::Kind::structure, std::move(message), kNone, kNone, op};
}

Result check_groups(const Schedule& schedule) {
  for (std::size_t index = 0; index < schedule.groups.size(); ++index)
    if (Result violation = check_group(schedule, index)) return violation;
  return {};
}

Result check_group_op(const Schedule& schedule, OpId id) {
  const Op& op = schedule.ops[id];
  const auto fault = [&](const std::string& message) {
    return malformed(fmt::format("{}: {}", describe(schedule, id), message), id);
  };
  for (const ParticipantId end : {op.source, op.destination})
    if (is_group(end) && group_index(end) >= schedule.groups.size())
      return fault(fmt::format("group {} does not exist; {}", group_index(end),
                               there_are(schedule.groups.size())));
  const bool transfer = op.kind == OpKind::copy || op.kind == OpKind::reduce;
  if (!transfer) return fault("it is at a group; computes and joins are at one participant");
  if (is_group(op.source) && is_group(op.destination))
    return fault("both of its ends are groups; one must be a participant");
  if (!schedule.moves_data(op)) return {};
  if (op.kind == OpKind::copy && is_group(op.source))
    return fault("a copy has one source; add a group's chunks up by a reduce");
  if (op.kind == OpKind::reduce && is_group(op.destination))
    return fault("a reduce has one destination; from there a copy goes to a group");
  const auto group = members(schedule.groups, is_group(op.source) ? op.source : op.destination);
  if (group.size() > 1 || group.front() != single_end(op)) return {};
  return fault(fmt::format("the group has no member but {}", name_of(schedule, single_end(op))));
}

}  // namespace syncsim::checking
