#include "sim/topology/export/nccl_figures.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/topology/pcie.h"

namespace syncsim {
namespace {

bool same(const Link& one, double bandwidth, double usable) {
  return one.bandwidth.bytes_per_second == bandwidth && one.usable.bytes_per_second == usable;
}

// How far apart two rates are, as a ratio of at least 1.
double distance(double one, double other) { return std::max(one / other, other / one); }

// What a link's figures are nearest to, where it does not say both its generation and its lanes.
PcieFigures nearest_figures(const LinkRates& rates, const Link& link) {
  PcieFigures nearest;
  double least = std::numeric_limits<double>::infinity();
  const auto consider = [&](int generation, int width) {
    if (link.generation != 0 && generation != link.generation) return;
    if (link.lanes != 0 && width != link.lanes) return;
    const Link found = rates.pcie(generation, width);
    const double apart =
        same(found, link.bandwidth.bytes_per_second, link.usable.bytes_per_second)
            ? 0
            : distance(found.bandwidth.bytes_per_second, link.bandwidth.bytes_per_second);
    if (apart >= least) return;
    least = apart;
    nearest = {generation, width, apart == 0};
  };
  const std::vector<int> widths =
      link.lanes != 0 ? std::vector<int>{link.lanes}
                      : std::vector(kUsualPcieWidths.begin(), kUsualPcieWidths.end());
  for (const int width : widths)
    for (int generation = 2; generation <= kLastPcieGeneration; ++generation)
      consider(generation, width);
  for (const int width : widths) consider(1, width);
  // Odd widths only where they are exact: nobody builds them, but files have them. Not 32, but for
  // generation 6: Gen2 x32 is what many call Gen3 x16, 16 GB/s.
  const PcieFigures usual = nearest;
  for (const int generation : {2, 3, 4, 5, 6, 1})
    for (int width = 1; width <= (generation == 6 ? 32 : 31) && !nearest.exact; ++width)
      consider(generation, width);
  return nearest.exact ? nearest : usual;
}

}  // namespace

PcieFigures pcie_figures(const LinkRates& rates, const Link& link) {
  if (link.lanes == 0 || link.generation == 0) return nearest_figures(rates, link);
  const Link stated = rates.pcie(link.generation, link.lanes);
  return {link.generation, link.lanes,
          same(stated, link.bandwidth.bytes_per_second, link.usable.bytes_per_second)};
}

RowFigures figures_in_row(const LinkRates& rates, const Link& link, std::string_view row,
                          int most) {
  const Link& cable = rates.link(row);
  const auto is_exact = [&](int count) {
    return same(link, cable.bandwidth.bytes_per_second * count,
                cable.usable.bytes_per_second * count);
  };
  if (link.count <= most && is_exact(link.count)) return {row, link.count, true};
  const double ratio = link.bandwidth.bytes_per_second / cable.bandwidth.bytes_per_second;
  const int count = static_cast<int>(std::clamp(std::round(ratio), 1.0, static_cast<double>(most)));
  return {row, count, is_exact(count) && link.count == count};
}

RowFigures row_figures(const LinkRates& rates, const Link& link,
                       const std::vector<std::string_view>& rows, int most) {
  RowFigures nearest;
  double least = std::numeric_limits<double>::infinity();
  for (const std::string_view row : rows) {
    const RowFigures found = figures_in_row(rates, link, row, most);
    const Link& cable = rates.link(row);
    const double apart = found.exact ? 0
                                     : distance(cable.usable.bytes_per_second * found.count,
                                                link.usable.bytes_per_second) *
                                           distance(cable.bandwidth.bytes_per_second * found.count,
                                                    link.bandwidth.bytes_per_second);
    if (apart >= least) continue;
    least = apart;
    nearest = found;
  }
  return nearest;
}

}  // namespace syncsim
