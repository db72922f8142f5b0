#pragma once
// What stands on figures and lines, in plain text; dot_text.h escapes it, label_places.h places it.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/topology/drawing/picture.h"
#include "sim/topology/graphviz.h"

namespace syncsim::drawing {

// One line of valid UTF-8, cut in the middle where it is longer than `most` characters.
std::string shown(std::string_view text, std::size_t most = 26);

// {"node0", "node1", "node3", "spine"} -> "node[0-1,3], spine". In the order of their first ones.
std::string ranges(std::span<const std::string> ids);

// "1 NIC", "6 NVSwitches".
std::string counted(std::size_t count, Role role);

// "2 x 25 GB/s", "16 GB/s"; where cables differ "12 cables, 275 GB/s"; where directions do
// "8 GB/s, back 16 GB/s".
std::string rate_text(const Bundle& bundle);

// Of a figure that stands for many, what each of them has: "8 a box"; "" where that is not whole.
std::string share_text(const Bundle& bundle, const Figure& figure);

// "50 %", or of several links that differ their mean and the busiest's: "25 %, up to 50 %"; where
// directions differ, a line with an arrow for each that is not idle. `from` and `to` are where the
// bundle's ends are drawn.
std::string heat_text(const Bundle& bundle, Spot from, Spot to);
std::string percent(double utilization);

// Whether some links that are drawn as one line are busier than others.
bool has_uneven_heat(const Bundle& bundle);

// The label of each bundle, once it has its curves: its heat, or its rate but for the one that most
// bundles of its kind have, which goes to the picture's common labels; "2 x" are two such cables.
// None at all where they would be more than `most`.
void label_bundles(Picture& picture, const DrawingOptions& options, std::size_t most);

}  // namespace syncsim::drawing
