#pragma once
// Plans as MSCCL XML, to run on real GPUs or to prove a stranger's. What stands in such a file and
// what it means: msccl/algorithm.h, msccl/layout.h, msccl/ops.h.
//
// Written are schedules of one collective that MSCCL has, in place, on GPUs alone, without compute
// ops and signals, in equal chunks. Thread blocks are (send peer, receive peer, channel)s. What two
// of them would add to one chunk at the same time goes through scratch first. Channels' weights,
// rates, planes and nics are lost.

#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "sim/schedule/check.h"
#include "sim/schedule/schedule.h"

namespace syncsim {

struct MscclPlan {
  Schedule schedule;  // participants "0", "1", ...; empty of ops where there is a violation
  std::optional<Violation> violation;  // messages that nobody takes or sends, deadlocks, ...
};

// What the file does not say.
struct MscclUse {
  std::optional<CollectiveKind> collective = {};  // needed where the file says "custom"
  std::optional<Bytes> bytes = {};                // absent: an element a chunk
  std::string_view datatype = "int8";
  int root = 0;
};

// `name` begins the places of its InputErrors.
MscclPlan read_msccl(std::string_view text, const std::string& name, const MscclUse& use);

// Returns what the runtime that reads it may not stand, for people. Throws InputError without a
// place for a schedule that MSCCL cannot express.
std::vector<std::string> write_msccl(const Schedule& schedule, const std::string& name,
                                     std::ostream& out);

}  // namespace syncsim
