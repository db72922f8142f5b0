#include "sim/report/comparison.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace syncsim {

Comparison compared(std::vector<Report> reports, std::vector<LeftOut> left_out) {
  std::stable_sort(reports.begin(), reports.end(), [](const Report& a, const Report& b) {
    const auto key = [](const Report& report) {
      return std::tuple(report.time, !report.facts.changed.empty(), report.facts.strategy);
    };
    return key(a) < key(b);
  });
  return {std::move(reports), std::move(left_out)};
}

}  // namespace syncsim
