#pragma once
// The lower bound of a collective at many sizes. Where blocks divide, every bound but the latency
// is in proportion to the bytes, so that the cuts of a machine are searched once.

#include <vector>

#include "sim/analysis/bounds.h"

namespace syncsim {

class BoundsBySize {
 public:
  // Keeps what the query refers to, but for its collective. Of a query without changes and starts.
  explicit BoundsBySize(const BoundQuery& query);

  LowerBound at(Bytes bytes) const;  // as lower_bound

 private:
  std::vector<LowerBound> of(Bytes bytes) const;

  BoundQuery query_;
  Collective collective_;
  Bytes divided_;  // the least size in whole blocks
  Bytes known_;    // one of which the bounds are
  std::vector<LowerBound> bounds_;
};

}  // namespace syncsim
