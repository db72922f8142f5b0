#include "sim/analysis/bounds_by_size.h"

#include <utility>

namespace syncsim {
namespace {

constexpr std::int64_t kBlocks = std::int64_t{1} << 20;  // of the size that is known
constexpr double kEqualAtSize = 1e-12;                   // of equal bounds the first is told

}  // namespace

BoundsBySize::BoundsBySize(const BoundQuery& query)
    : query_(query),
      collective_(query.collective),
      divided_{collective_.element_size() * collective_.ranks},
      known_{divided_.count * kBlocks} {
  require(query.changes.empty() && query.starts.empty() && query.overhead.ps == 0,
          "a bound by size has times of its own");
  bounds_ = of(known_);
}

std::vector<LowerBound> BoundsBySize::of(Bytes bytes) const {
  Collective collective = collective_;
  collective.bytes = bytes;
  return lower_bounds({.topology = query_.topology,
                       .ranks = query_.ranks,
                       .collective = collective,
                       .rates = query_.rates,
                       .helpers = query_.helpers});
}

LowerBound BoundsBySize::at(Bytes bytes) const {
  if (bytes.count % divided_.count != 0) return of(bytes).front();
  const double share = static_cast<double>(bytes.count) / static_cast<double>(known_.count);
  LowerBound largest;
  for (LowerBound bound : bounds_) {
    if (bound.kind != "latency") bound.seconds *= share;
    if (bound.seconds > largest.seconds * (1 + kEqualAtSize)) largest = std::move(bound);
  }
  return largest;
}

}  // namespace syncsim
