#pragma once
// A plan: a schedule in a file, as JSON (schedule_json.h) or as MSCCL XML (msccl_xml.h). XML begins
// with "<", which tells the two apart.
//
// XML counts chunks and says neither bytes nor root; JSON says all. A JSON plan made for other
// bytes is stretched: every boundary times new / old bytes, which must be whole and lie on an
// element.

#include <optional>
#include <string>

#include "sim/schedule/check.h"
#include "sim/schedule/schedule.h"

namespace syncsim {

// What a plan is read for, as far as it is known.
struct PlanUse {
  std::optional<CollectiveKind> collective = {};  // also what an XML plan of "custom" computes
  std::optional<Bytes> bytes = {};                // absent: as written; XML: an element a chunk
  std::string_view datatype = {};                 // empty: as written; XML: int8
  std::optional<int> root = {};                   // absent: as written; XML: 0
};

struct Plan {
  Schedule schedule;
  bool names_nodes = true;             // false: participants have the names of ranks, as in XML
  std::optional<Violation> violation;  // found in reading: messages that nobody takes or sends
};

// Throws InputError for a file that is no plan, and for a plan that does not serve the use.
Plan load_plan(const std::string& path, const PlanUse& use);

// Of a plan of one collective: what it then computes. Throws InputError without a place.
void fit(Schedule& schedule, const PlanUse& use);

// The longest chain of transfers that wait for each other.
std::uint64_t longest_chain(const Schedule& schedule);

}  // namespace syncsim
