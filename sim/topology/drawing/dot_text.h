#pragma once
// A picture as DOT text. Nodes are called n0, n1, ...: ids of the user's stand in labels only, and
// escaped, so that none of them can end a string or change what is drawn.

#include <string>
#include <string_view>

#include "sim/topology/drawing/picture.h"
#include "sim/topology/graphviz.h"

namespace syncsim::drawing {

std::string dot_text(const Topology& topology, const Picture& picture,
                     const DrawingOptions& options);

// In double quotes. A line's end becomes "\n"; Graphviz reads entities such as "&lt;", so '&' is
// written as one.
std::string quoted(std::string_view text);

}  // namespace syncsim::drawing
