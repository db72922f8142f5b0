#pragma once
// Bytes that a run of the engine keeps, all allocated before its first event. The figures are sums
// of what each part holds, without what is reserved for the worst case and hardly ever touched; a
// test compares them with what is really allocated.

#include <cstdint>

#include "sim/base/memory.h"

namespace syncsim::engine {

struct RunSize {
  std::uint64_t ops = 0;
  std::uint64_t lanes = 0;
  std::uint64_t uses = 0;  // of the lanes' longest routes, in all
  std::uint64_t resources = 0;
  std::uint64_t routes = 0;
};

inline constexpr std::uint64_t kBytesAnOp = 12;    // RunState
inline constexpr std::uint64_t kBytesALane = 170;  // its state, event and flow
inline constexpr std::uint64_t kBytesAUse = 48;  // FairShare's place and member, Completions' place
inline constexpr std::uint64_t kBytesAResource =
    290;  // FairShare's port, Completions' clock, UsageMeter
inline constexpr std::uint64_t kBytesARoute = 8;  // UsageMeter

inline constexpr std::uint64_t run_bytes(const RunSize& size) {
  return capped_product(size.ops, kBytesAnOp) + capped_product(size.lanes, kBytesALane) +
         capped_product(size.uses, kBytesAUse) + capped_product(size.resources, kBytesAResource) +
         capped_product(size.routes, kBytesARoute);
}

// Beside it: the network that the run is on.
inline constexpr std::uint64_t network_bytes(std::uint64_t routes, std::uint64_t uses) {
  constexpr std::uint64_t kARoute = 12;
  constexpr std::uint64_t kAUse = 16;
  return capped_product(routes, kARoute) + capped_product(uses, kAUse);
}

}  // namespace syncsim::engine
