#pragma once
// What a run says of one resource.

#include <doctest/doctest.h>

#include <string>

#include "sim/schedule/timeline.h"

namespace syncsim::testing {

inline const ResourceTotals& resource(const Timeline& timeline, const std::string& name) {
  for (const ResourceTotals& totals : timeline.resources)
    if (totals.name == name) return totals;
  FAIL("no resource " << name);
  return timeline.resources.front();
}

}  // namespace syncsim::testing
