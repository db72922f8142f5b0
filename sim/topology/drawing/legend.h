#pragma once
// What the colours, widths and missing labels mean, below the picture.

#include <array>
#include <string>
#include <vector>

#include "sim/topology/drawing/picture.h"
#include "sim/topology/drawing/style.h"
#include "sim/topology/graphviz.h"

namespace syncsim::drawing {

// The label that many bundles of a kind bear: it stands in the legend, not on them. "": none.
using CommonLabels = std::array<std::string, 7>;  // by LinkKind
CommonLabels common_labels(const Picture& picture);

struct LegendRow {
  std::vector<std::string> colours;  // of swatches side by side
  std::string text;
};
std::vector<LegendRow> legend_of(const Picture& picture, const CommonLabels& common,
                                 const Widths& widths, const DrawingOptions& options);

}  // namespace syncsim::drawing
