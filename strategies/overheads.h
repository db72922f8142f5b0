#pragma once
// What transfers cost beside their bytes: the run's overhead and the largest of their links'. A
// lane pays it for every op (engine, rule 7), so that a pipeline of k chunks over h hops takes
// (h + k - 1) (o + S / (k B)), which is least at k = sqrt((h - 1) S / (o B)). Latency is paid once,
// however many chunks there are.

#include <vector>

#include "sim/schedule/strategy.h"

namespace syncsim::strategy {

struct NodeHop {
  NodeId from = 0;
  NodeId to = 0;
};

// The largest of the hops; none where there are none.
Time largest_overhead(const StrategyInput& input, const std::vector<NodeHop>& hops);

// o B: the bytes that the slowest of the hops could carry, at line rate and alone, within the
// largest overhead of them. 0 where nothing costs anything.
double overhead_bytes(const StrategyInput& input, const std::vector<NodeHop>& hops);
// The same where transfers have a rate of their own.
double overhead_bytes(const StrategyInput& input, const std::vector<NodeHop>& hops, double rate);

// From each node to the next.
std::vector<NodeHop> hops_along(const std::vector<NodeId>& nodes);

}  // namespace syncsim::strategy
