#pragma once
// Where figures and lines go. Things of one role and nothing else: on a grid, or around a circle.
// Otherwise rows: GPUs, NICs and boxes in one; CPUs and PCIe switches above it, each over what
// hangs below it; NVSwitches below it, as wide as what they join; networks below those, or above
// where there is no PCIe tree. Links within a row are arcs, the longer the deeper.

#include <string_view>
#include <vector>

#include "sim/topology/drawing/grid.h"
#include "sim/topology/drawing/picture.h"

namespace syncsim::drawing {

// Sets places, sizes, curves, frames.
void lay_out(Picture& picture);

// So that everything, labels too, lies above and right of (0, 0), and inside of `size`.
void move_to_origin(Picture& picture);

// The parts of it.
void lay_out_grid(Picture& picture, const Grid& grid);
void lay_out_circle(Picture& picture);
void lay_out_rows(Picture& picture);
void draw_between_rows(Picture& picture, const std::vector<int>& rows);
void draw_arcs(Picture& picture, const std::vector<int>& rows);  // bundles within a row
void frame_sockets(Picture& picture, const std::vector<std::size_t>& parents);

// A straight line as a curve.
std::vector<Spot> line(Spot from, Spot to);

inline constexpr double kRowGap = 58;       // between figures of two rows, at least
inline constexpr double kTitleHeight = 16;  // of a frame

double text_width(std::string_view text);  // on a figure
Spot label_size(std::string_view label);   // of a line's label: width and height

}  // namespace syncsim::drawing
