#pragma once
// Shares of a whole, exact for every int64.

#include <cstdint>

namespace syncsim {

__extension__ typedef __int128 WideInteger;

// floor(whole x numerator / denominator), where numerator <= denominator.
constexpr std::int64_t share(std::int64_t whole, std::int64_t numerator, std::int64_t denominator) {
  return static_cast<std::int64_t>(WideInteger{whole} * numerator / denominator);
}

}  // namespace syncsim
