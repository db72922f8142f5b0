#pragma once
// Events of links, as an option gives them.

#include <string>
#include <vector>

#include "sim/topology/link_events.h"

namespace syncsim::testing {

// Each has the place "event N", from 1 on.
inline std::vector<LinkEvent> link_events(const std::vector<std::string>& texts) {
  std::vector<LinkEvent> result;
  for (const std::string& text : texts) {
    result.push_back(parse_link_event(text));
    result.back().place = "event " + std::to_string(result.size());
  }
  return result;
}

}  // namespace syncsim::testing
