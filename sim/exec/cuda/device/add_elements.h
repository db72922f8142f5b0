#pragma once
// The loop of an add kernel, which is the same on a device and, in tests, on the host.

#include <cstdint>

#ifdef __CUDACC__
#define SYNCSIM_BOTH __host__ __device__
#else
#define SYNCSIM_BOTH
#endif

namespace syncsim::cuda {

inline constexpr std::uint64_t kPackBytes = 16;  // of the widest load

template <class T>
struct alignas(kPackBytes) Pack {
  T elements[kPackBytes / sizeof(T)];
};

// The part of worker `self` of `workers` in to[i] = sum(to[i], from[i]), i < count. Whole packs
// where both are aligned alike; one by one what lies before and after them.
template <class T, class Sum>
SYNCSIM_BOTH void add_elements(T* to, const T* from, std::uint64_t count, std::uint64_t self,
                               std::uint64_t workers, Sum sum) {
  constexpr std::uint64_t kWide = kPackBytes / sizeof(T);
  const auto to_address = reinterpret_cast<std::uint64_t>(to);
  const auto from_address = reinterpret_cast<std::uint64_t>(from);
  std::uint64_t before = count;
  std::uint64_t packs = 0;
  if ((to_address ^ from_address) % kPackBytes == 0) {
    const std::uint64_t lead = (kPackBytes - to_address % kPackBytes) % kPackBytes / sizeof(T);
    before = lead < count ? lead : count;
    packs = (count - before) / kWide;
  }
  auto* const to_packs = reinterpret_cast<Pack<T>*>(to + before);
  const auto* const from_packs = reinterpret_cast<const Pack<T>*>(from + before);
  for (std::uint64_t i = self; i < packs; i += workers) {
    Pack<T> own = to_packs[i];
    const Pack<T> other = from_packs[i];
    for (std::uint64_t k = 0; k < kWide; ++k)  // unrolled, as its length is known
      own.elements[k] = sum(own.elements[k], other.elements[k]);
    to_packs[i] = own;
  }
  const std::uint64_t singles = count - packs * kWide;
  for (std::uint64_t i = self; i < singles; i += workers) {
    const std::uint64_t at = i < before ? i : i + packs * kWide;
    to[at] = sum(to[at], from[at]);
  }
}

}  // namespace syncsim::cuda
