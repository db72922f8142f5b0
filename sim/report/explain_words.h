#pragma once
// Sentences on a report, for its explanation.

#include <string>

#include "sim/report/report.h"

namespace syncsim {

// A node's own capacity: transit or reduce.
bool is_of_node(const LinkReport& link);

// What binds: the link that is full for longest, and who shares it; or that none is, and where the
// time of the critical path goes. The report has its links' flows and its critical path.
std::string binding_sentence(const Report& report);
// First of all, which rank the run waits for because it comes late, and what the time would be were
// it, or were all, on time; or "". The report has its critical path.
std::string late_sentence(const Report& report, const std::vector<TriedChange>& tried);
// How far the run is from its lower bound, and why that binds.
std::string bound_sentence(const Report& report);

}  // namespace syncsim
