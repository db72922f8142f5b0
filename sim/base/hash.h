#pragma once
// FNV-1a: the same figure on every machine, to tell texts and arrays apart. Nobody is kept from
// making two that collide.

#include <cstdint>
#include <string_view>

namespace syncsim {

inline constexpr std::uint64_t kHashBasis = 0xcbf29ce484222325u;

// Goes on from `hash`.
inline std::uint64_t hashed(std::string_view text, std::uint64_t hash = kHashBasis) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

}  // namespace syncsim
