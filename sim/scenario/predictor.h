#pragma once
// Predictors of published tables: one row each in predictors(), a column each of validate.

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/named_table.h"
#include "sim/scenario/published_table.h"
#include "sim/scenario/setting.h"

namespace syncsim {

struct Predictor {
  std::string_view name;
  std::string_view description;
  // us of each row of the table, on its setting. Throws InputError, without a place, where it does
  // not apply.
  std::vector<double> (*predict)(const PublishedTable& table, const Setting& setting,
                                 const RunSettings& settings);
};
const NamedTable<Predictor>& predictors();

// alpha + beta x bytes with the least mean |predicted / measured - 1|, neither below zero. Exact: a
// best line passes through two rows, or through one and the origin or level.
struct Line {
  double alpha = 0;  // us
  double beta = 0;   // us a byte
  double at(Bytes bytes) const { return alpha + beta * static_cast<double>(bytes.count); }
};
Line best_line(const std::vector<PublishedRow>& rows);

}  // namespace syncsim
