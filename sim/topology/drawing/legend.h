#pragma once
// Which edits are in force, what the colours, widths and missing labels mean, below the picture.

#include <string>
#include <vector>

#include "sim/topology/drawing/picture.h"
#include "sim/topology/drawing/style.h"
#include "sim/topology/graphviz.h"

namespace syncsim::drawing {

struct LegendRow {
  std::vector<std::string> colours;  // of swatches side by side
  std::string text;
};
std::vector<LegendRow> legend_of(const Picture& picture, const Widths& widths,
                                 const DrawingOptions& options);

}  // namespace syncsim::drawing
