#include "sim/topology/ring_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace syncsim {
namespace {

std::string order_with_nics(const Ring& ring) {
  std::string text;
  for (std::size_t i = 0; i < ring.order.size(); ++i) {
    const RingNics& nics = ring.nics[i];
    if (i > 0) text += ',';
    if (nics.in >= 0) text += fmt::format("nic{}>", nics.in);
    text += std::to_string(ring.order[i]);
    if (nics.out >= 0) text += fmt::format(">nic{}", nics.out);
  }
  return text;
}

}  // namespace

std::string ring_text(const Ring& ring) {
  std::string order = fmt::format("{}", fmt::join(ring.order, ","));
  if (!ring.nics.empty()) order = order_with_nics(ring);
  return ring.multiplicity == 1 ? order : fmt::format("{} x{}", order, ring.multiplicity);
}

std::string rings_text(std::span<const Ring> rings) {
  std::string text;
  for (const Ring& ring : rings) text += (text.empty() ? "" : "; ") + ring_text(ring);
  return text;
}

}  // namespace syncsim
