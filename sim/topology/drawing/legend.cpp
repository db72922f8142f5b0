#include "sim/topology/drawing/legend.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "sim/topology/drawing/labels.h"

namespace syncsim::drawing {
namespace {

constexpr std::size_t kMostEdits = 8;

bool some_label(const Picture& picture, LinkKind kind, std::string_view ending) {
  return std::any_of(picture.bundles.begin(), picture.bundles.end(), [&](const Bundle& bundle) {
    return bundle.kind == kind && !bundle.label.empty() && bundle.label.ends_with(ending);
  });
}

// ": 25 GB/s unless labelled"
std::string rate_note(const Picture& picture, LinkKind kind) {
  const std::string& label = picture.common_labels[static_cast<std::size_t>(kind)];
  if (label.empty()) return "";
  if (picture.unlabelled) return ": mostly " + label;
  if (!some_label(picture, kind, "")) return ": " + label;
  const bool has_multiples = some_label(picture, kind, " x");
  return ": " + label + " unless labelled" + (has_multiples ? "; \"2 x\": two of these" : "");
}

std::vector<LegendRow> kind_rows(const Picture& picture) {
  std::map<LinkKind, bool> present;  // as a line
  for (const LinkKind kind : picture.hidden) present[kind] = false;
  for (const Bundle& bundle : picture.bundles) present[bundle.kind] = true;
  std::vector<LegendRow> rows;
  for (const auto& [kind, is_line] : present) {
    const std::string text = std::string(to_string(kind)) +
                             (is_line ? rate_note(picture, kind) : ": within figures only");
    rows.push_back({{std::string(colour_of(kind))}, text});
  }
  return rows;
}

std::vector<LegendRow> heat_rows(const Picture& picture) {
  std::vector<LegendRow> rows(1);
  rows[0].text = "utilization of the busier direction: 0, 25, 50, 75, 100 %; grey: idle";
  for (const double utilization : {0.01, 0.25, 0.5, 0.75, 1.0})
    rows[0].colours.push_back(colour_of_heat(utilization));
  if (std::any_of(picture.bundles.begin(), picture.bundles.end(), has_uneven_heat))
    rows.push_back({{}, "of several links as one line: mean, up to the busiest, which colours it"});
  const auto is_warm = [](const Figure& figure) { return figure.heat >= kIdle; };
  if (std::any_of(picture.figures.begin(), picture.figures.end(), is_warm))
    rows.push_back({{}, "inside: the busiest link or transit within, which colours the edge"});
  return rows;
}

std::vector<LegendRow> edit_rows(const std::vector<std::string>& edits) {
  std::vector<LegendRow> rows;
  for (const std::string& edit : edits) {
    if (rows.size() < kMostEdits) {
      rows.push_back({{}, "edit: " + shown(edit, 100)});
      continue;
    }
    rows.push_back({{}, fmt::format("and {} more edits", edits.size() - kMostEdits)});
    break;
  }
  return rows;
}

}  // namespace

std::vector<LegendRow> legend_of(const Picture& picture, const Widths& widths,
                                 const DrawingOptions& options) {
  std::vector<LegendRow> rows = edit_rows(options.edits);
  const auto add = [&](std::vector<LegendRow> more) {
    rows.insert(rows.end(), more.begin(), more.end());
  };
  if (!picture.bundles.empty() || !picture.hidden.empty())
    add(options.heat ? heat_rows(picture) : kind_rows(picture));
  if (widths.vary())
    add({{{},
          fmt::format("width: logarithm of the bandwidth per direction ({} rates), {} to {}",
                      to_string(options.rates), to_string(Bandwidth{widths.least()}),
                      to_string(Bandwidth{widths.most()}))}});
  if (picture.unlabelled) add({{{}, "too many lines for labels: point at one for its figures"}});
  if (picture.wrapped) add({{{}, "lines that end in the open lead to the opposite side"}});
  return rows;
}

}  // namespace syncsim::drawing
