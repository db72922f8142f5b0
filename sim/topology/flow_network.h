#pragma once
// Maximum flow and minimum cut with whole capacities, by Boost's push-relabel.
//   max_flow(s, t) = the least capacity that leaves a set of nodes with s inside and t outside
// Capacities are 0 or more; their sum must stay below 2^62. Same calls, same cut.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace syncsim {

class FlowNetwork {
 public:
  using NodeIndex = std::size_t;
  using ArcIndex = std::size_t;

  explicit FlowNetwork(std::size_t nodes);
  ~FlowNetwork();
  FlowNetwork(FlowNetwork&&) noexcept;
  FlowNetwork& operator=(FlowNetwork&&) noexcept;

  ArcIndex add_arc(NodeIndex from, NodeIndex to, std::int64_t capacity);
  void set_capacity(ArcIndex arc, std::int64_t capacity);

  std::int64_t max_flow(NodeIndex from, NodeIndex to);
  std::int64_t flow(ArcIndex arc) const;  // of the last one
  // Of the last flow: the smallest set with its source that a minimum cut leaves.
  std::vector<bool> source_side() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace syncsim
