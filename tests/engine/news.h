#pragma once
// What a solve says is new of a flow.

#include <algorithm>

#include "sim/engine/fair_share.h"

namespace syncsim::engine {

// The slot was added or has another bottleneck, or its bottleneck has another level.
inline bool is_news(const FairShare& share, FairShare::Slot slot) {
  const auto has = [](const auto& list, std::uint32_t x) {
    return std::find(list.begin(), list.end(), x) != list.end();
  };
  return has(share.moved(), slot) || has(share.changed(), share.bottleneck(slot));
}

}  // namespace syncsim::engine
