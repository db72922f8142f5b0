#include "sim/schedule/reduction.h"

#include <algorithm>

namespace syncsim {

const NamedTable<ReductionRow>& reductions() {
  static const NamedTable<ReductionRow> table(
      "reduction", {{"on-arrival", "sums are made while the bytes arrive", Reduction::on_arrival},
                    {"staged", "a message is added up when it is whole", Reduction::staged}});
  return table;
}

std::string_view to_string(Reduction reduction) {
  const auto& rows = reductions().rows();
  const auto named = [&](const ReductionRow& row) { return row.reduction == reduction; };
  return std::find_if(rows.begin(), rows.end(), named)->name;
}

Reduction parse_reduction(std::string_view text) { return reductions().at(text).reduction; }

}  // namespace syncsim
