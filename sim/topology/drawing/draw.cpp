#include "sim/topology/drawing/draw.h"

#include "sim/topology/drawing/fold.h"
#include "sim/topology/drawing/label_places.h"
#include "sim/topology/drawing/layout.h"

namespace syncsim::drawing {

Picture draw(const Topology& topology, const DrawingOptions& options) {
  Picture picture = fold(topology, options);
  lay_out(picture);
  label(picture, options);
  return picture;
}

}  // namespace syncsim::drawing
