#pragma once
// From a machine to figures and bundles, by rules 1 to 3 of graphviz.h.

#include "sim/topology/drawing/picture.h"
#include "sim/topology/graphviz.h"

namespace syncsim::drawing {

// Without places. Throws InputError, see graphviz.h.
Picture fold(const Topology& topology, const DrawingOptions& options);

}  // namespace syncsim::drawing
