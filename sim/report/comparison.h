#pragma once
// Strategies beside each other, each with the parameters that make it fastest: the fastest first,
// with the bound and its busiest link, and those that could not run, with the reason. JSON keys are
// stable.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/report/report.h"

namespace syncsim {

struct LeftOut {
  std::string strategy;
  std::string why;
  bool broken = false;  // by a fault of ours
};

struct Comparison {
  std::vector<Report> ranking;  // of equal times defaults first, then by name
  std::vector<LeftOut> left_out;
};

// `reports` in any order.
Comparison compared(std::vector<Report> reports, std::vector<LeftOut> left_out);

// What sets a row off for people, such as colour.
using Emphasis = std::function<std::string(std::string_view row)>;

// `best`: of the fastest one's row.
std::string comparison_text(const Comparison& comparison, const Emphasis& best = {});
std::string comparison_json(const Comparison& comparison);
std::string comparison_csv(const Comparison& comparison);

}  // namespace syncsim
