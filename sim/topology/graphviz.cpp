#include "sim/topology/graphviz.h"

#include "sim/topology/drawing/dot_text.h"
#include "sim/topology/drawing/fold.h"
#include "sim/topology/drawing/label_places.h"
#include "sim/topology/drawing/layout.h"

namespace syncsim {

std::string graphviz(const Topology& topology, const DrawingOptions& options) {
  drawing::Picture picture = drawing::fold(topology, options);
  drawing::lay_out(picture);
  drawing::label(picture, options);
  return drawing::dot_text(topology, picture, options);
}

}  // namespace syncsim
