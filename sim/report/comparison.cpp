#include "sim/report/comparison.h"

#include <algorithm>
#include <utility>

namespace syncsim {

Comparison compared(std::vector<Report> reports, std::vector<LeftOut> left_out) {
  std::stable_sort(reports.begin(), reports.end(), [](const Report& a, const Report& b) {
    return std::pair(a.time, a.facts.strategy) < std::pair(b.time, b.facts.strategy);
  });
  return {std::move(reports), std::move(left_out)};
}

}  // namespace syncsim
