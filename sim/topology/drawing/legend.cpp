#include "sim/topology/drawing/legend.h"

#include <fmt/format.h>

#include <map>

#include "sim/topology/drawing/labels.h"

namespace syncsim::drawing {
namespace {

constexpr std::size_t kManyAlike = 6;

std::vector<LegendRow> kind_rows(const Picture& picture, const CommonLabels& common) {
  std::map<LinkKind, std::size_t> present;
  for (const Bundle& bundle : picture.bundles) ++present[bundle.kind];
  std::vector<LegendRow> rows;
  for (const auto& [kind, count] : present) {
    const std::string& label = common[static_cast<std::size_t>(kind)];
    rows.push_back({{std::string(colour_of(kind))}, std::string(to_string(kind))});
    if (!label.empty()) rows.back().text += ": " + label + " unless labelled";
  }
  return rows;
}

LegendRow heat_row() {
  LegendRow row{{}, "utilization of the busier direction: 0, 25, 50, 75, 100 %; grey: idle"};
  for (const double utilization : {0.01, 0.25, 0.5, 0.75, 1.0})
    row.colours.push_back(colour_of_heat(utilization));
  return row;
}

std::string rate(double bytes_per_second) { return to_string(Bandwidth{bytes_per_second}); }

}  // namespace

CommonLabels common_labels(const Picture& picture) {
  std::array<std::map<std::string, std::size_t>, 7> counts;
  for (const Bundle& bundle : picture.bundles)
    ++counts[static_cast<std::size_t>(bundle.kind)][rate_text(bundle)];
  CommonLabels common;
  for (std::size_t kind = 0; kind < counts.size(); ++kind) {
    std::size_t most = 0;
    for (const auto& [label, count] : counts[kind]) {
      const bool shorter = label.size() < common[kind].size();
      if (count < kManyAlike || count < most || (count == most && !shorter)) continue;
      common[kind] = label;
      most = count;
    }
  }
  return common;
}

std::vector<LegendRow> legend_of(const Picture& picture, const CommonLabels& common,
                                 const Widths& widths, const DrawingOptions& options) {
  std::vector<LegendRow> rows;
  if (picture.bundles.empty()) return rows;
  if (options.heat)
    rows.push_back(heat_row());
  else
    rows = kind_rows(picture, common);
  if (widths.vary())
    rows.push_back(
        {{},
         fmt::format("width: logarithm of the bandwidth per direction ({} rates), {} "
                     "to {}",
                     to_string(options.rates), rate(widths.least()), rate(widths.most()))});
  if (picture.wrapped) rows.push_back({{}, "lines that end in the open lead to the opposite side"});
  return rows;
}

}  // namespace syncsim::drawing
