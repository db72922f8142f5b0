#pragma once
// A link's figures as NCCL's format says them: the row of links.json and the number of lanes or
// cables that comes nearest.

#include <string_view>
#include <vector>

#include "sim/topology/import/link_rates.h"
#include "sim/topology/topology.h"

namespace syncsim {

struct PcieFigures {
  int generation = 0;
  int width = 0;
  bool exact = false;  // both figures of the link
};
// The link's own where it says them. Else, of several that fit, the widest of the usual widths;
// generation 1 only where no other fits.
PcieFigures pcie_figures(const LinkRates& rates, const Link& link);

struct RowFigures {
  std::string_view row;
  int count = 1;
  bool exact = false;
};
inline constexpr int kMostNcclCables = 1000;  // in one bundle, the importer's limit
// `link` in at most `most` cables of this row.
RowFigures figures_in_row(const LinkRates& rates, const Link& link, std::string_view row,
                          int most = kMostNcclCables);
// Of several rows that fit, the first.
RowFigures row_figures(const LinkRates& rates, const Link& link,
                       const std::vector<std::string_view>& rows, int most = kMostNcclCables);

}  // namespace syncsim
