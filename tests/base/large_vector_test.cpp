#include "sim/base/large_vector.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <numeric>

namespace syncsim::large_vector_test {

TEST_CASE("large vectors hold what they are given while they grow past a huge page") {
  LargeVector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < 2'000'000; ++i) numbers.push_back(i);
  CHECK(std::accumulate(numbers.begin(), numbers.end(), std::uint64_t{0}) == 1'999'999'000'000);
  CHECK(reinterpret_cast<std::uintptr_t>(numbers.data()) % kHugePage == 0);
  numbers.resize(10);
  numbers.shrink_to_fit();
  CHECK(numbers.back() == 9);
}

TEST_CASE("small ones are aligned for what they hold") {
  struct alignas(64) Line {
    char bytes[64];
  };
  for (std::size_t size = 1; size < 20; ++size) {
    const LargeVector<Line> lines(size);
    CHECK(reinterpret_cast<std::uintptr_t>(lines.data()) % 64 == 0);
  }
}

}  // namespace syncsim::large_vector_test
