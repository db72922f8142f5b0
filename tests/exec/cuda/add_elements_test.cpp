#include "sim/exec/cuda/device/add_elements.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace syncsim::cuda::add_elements_test {
namespace {

constexpr std::size_t kPacks = 32;

// All workers' parts, from element `to_at` and `from_at` on of memory that is aligned to a pack; ""
// or what is wrong.
template <class T>
std::string fault_of(std::size_t to_at, std::size_t from_at, std::size_t count,
                     std::uint64_t workers) {
  std::vector<Pack<T>> to(kPacks);
  std::vector<Pack<T>> from(kPacks);
  T* const sums = to[0].elements;
  T* const addends = from[0].elements;
  const std::size_t all = kPacks * kPackBytes / sizeof(T);
  std::iota(sums, sums + all, T{1});
  std::iota(addends, addends + all, T{50});
  const std::vector<T> begin(sums, sums + all);
  for (std::uint64_t self = 0; self < workers; ++self)
    add_elements(sums + to_at, addends + from_at, count, self, workers,
                 [](T a, T b) { return static_cast<T>(a + b); });
  for (std::size_t i = 0; i < all; ++i) {
    const bool in = i >= to_at && i < to_at + count;
    const T right = in ? static_cast<T>(begin[i] + addends[i - to_at + from_at]) : begin[i];
    if (sums[i] != right) return "element " + std::to_string(i);
  }
  return "";
}

template <class T>
void check_all() {
  for (const std::size_t to_at : {0u, 1u, 2u, 3u, 5u})
    for (const std::size_t from_at : {0u, 1u, 3u, 5u, 17u})
      for (const std::size_t count : {0u, 1u, 2u, 7u, 8u, 15u, 16u, 17u})
        for (const std::uint64_t workers : {1u, 3u, 64u}) {
          INFO(to_at << ", " << from_at << ", " << count << ", " << workers);
          CHECK(fault_of<T>(to_at, from_at, count, workers) == "");
        }
}

}  // namespace

TEST_CASE("an add kernel's workers add each element once, of any alignment and number") {
  check_all<std::uint8_t>();
  check_all<std::uint16_t>();
  check_all<float>();
  check_all<double>();
  CHECK(fault_of<std::uint8_t>(3, 3, 240, 5) == "");  // before packs, packs, after packs
  CHECK(fault_of<float>(1, 1, 50, 7) == "");
}

}  // namespace syncsim::cuda::add_elements_test
