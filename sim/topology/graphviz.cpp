#include "sim/topology/graphviz.h"

#include "sim/topology/drawing/dot_text.h"
#include "sim/topology/drawing/draw.h"

namespace syncsim {

std::string graphviz(const Topology& topology, const DrawingOptions& options) {
  return drawing::dot_text(topology, drawing::draw(topology, options), options);
}

}  // namespace syncsim
