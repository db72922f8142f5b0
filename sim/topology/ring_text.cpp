#include "sim/topology/ring_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace syncsim {

std::string ring_text(const Ring& ring) {
  const std::string order = fmt::format("{}", fmt::join(ring.order, ","));
  return ring.multiplicity == 1 ? order : fmt::format("{} x{}", order, ring.multiplicity);
}

std::string rings_text(std::span<const Ring> rings) {
  std::string text;
  for (const Ring& ring : rings) text += (text.empty() ? "" : "; ") + ring_text(ring);
  return text;
}

}  // namespace syncsim
