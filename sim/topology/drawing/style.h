#pragma once
// Colours and widths. The kinds' colours are Okabe and Ito's, which colour-blind people tell apart;
// heat goes from grey (idle) through yellow to dark red (ColorBrewer, YlOrRd).

#include <span>
#include <string>
#include <string_view>

#include "sim/topology/drawing/picture.h"
#include "sim/topology/graphviz.h"

namespace syncsim::drawing {

std::string_view colour_of(LinkKind kind);
std::string colour_of_heat(double utilization);

struct FigureStyle {
  std::string_view shape;
  std::string_view style;
  std::string_view fill;
};
FigureStyle style_of(Role role);

// Line widths for bandwidths from the picture's least to its most: 1.2 points, 0.9 more for each
// doubling, less where the most would pass 8.
class Widths {
 public:
  explicit Widths(std::span<const Bundle> bundles);
  double of(const Bundle& bundle) const;
  double least() const { return least_; }  // bytes/s
  double most() const { return most_; }
  bool vary() const { return most_ > least_ * 1.001; }

 private:
  double least_ = 0;
  double most_ = 0;
  double per_doubling_ = 0;
};

// A little more where colour has to show heat.
double pen_of(const Widths& widths, const Bundle& bundle, const DrawingOptions& options);

}  // namespace syncsim::drawing
