#include "bench/flat_work.h"

namespace syncsim::bench {

void FlatWork::finish() {
  begin_.assign(ops_.size() + 1, 0);
  for (const Edge& edge : edges_) ++begin_[edge.from + 1];
  for (std::size_t op = 0; op < ops_.size(); ++op) begin_[op + 1] += begin_[op];
  successors_.resize(edges_.size());
  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  for (const Edge& edge : edges_) successors_[next[edge.from]++] = edge.to;
  edges_.clear();
  edges_.shrink_to_fit();
}

}  // namespace syncsim::bench
