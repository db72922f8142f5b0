#pragma once
// The whole way from a machine to its picture: folded, laid out, with labels in their places.

#include "sim/topology/drawing/picture.h"
#include "sim/topology/graphviz.h"

namespace syncsim::drawing {

// Throws InputError, see graphviz.h.
Picture draw(const Topology& topology, const DrawingOptions& options);

}  // namespace syncsim::drawing
