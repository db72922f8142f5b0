#pragma once
// Strategies beside each other, each with the parameters that make it fastest: the fastest first,
// with the bound and its busiest link, and those that could not run, with the reason. JSON keys are
// stable.

#include <string>
#include <vector>

#include "sim/report/report.h"

namespace syncsim {

struct LeftOut {
  std::string strategy;
  std::string why;
};

struct Comparison {
  std::vector<Report> ranking;  // of equal times defaults first, then by name
  std::vector<LeftOut> left_out;
};

// `reports` in any order.
Comparison compared(std::vector<Report> reports, std::vector<LeftOut> left_out);

std::string comparison_text(const Comparison& comparison);
std::string comparison_json(const Comparison& comparison);
std::string comparison_csv(const Comparison& comparison);

}  // namespace syncsim
