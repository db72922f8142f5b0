#pragma once
// Whether a schedule's groups, and the ops that name them, mean anything.

#include <optional>
#include <string>

#include "sim/schedule/check.h"

namespace syncsim::checking {

// That a schedule, or this op of it, means nothing.
Violation malformed(std::string message, OpId op = kNone);

// Members exist and ascend, one at least.
std::optional<Violation> check_groups(const Schedule& schedule);

// Of an op with a group at an end that is not known yet to exist: a reduce comes from a group, a
// copy goes to one, a signal may do either; and some member is not the other end.
std::optional<Violation> check_group_op(const Schedule& schedule, OpId id);

}  // namespace syncsim::checking
