#include "sim/schedule/groups.h"

#include <algorithm>

namespace syncsim {

bool have_common_member(const Groups& groups, ParticipantId a, ParticipantId b) {
  if (a == b) return true;
  if (!is_group(a) && !is_group(b)) return false;
  const auto of_a = members(groups, a);
  const auto of_b = members(groups, b);
  if (of_a.size() == 1) return std::binary_search(of_b.begin(), of_b.end(), of_a.front());
  auto other = of_b.begin();
  for (const ParticipantId member : of_a) {
    other = std::find_if(other, of_b.end(), [&](ParticipantId id) { return id >= member; });
    if (other == of_b.end()) return false;
    if (*other == member) return true;
  }
  return false;
}

}  // namespace syncsim
