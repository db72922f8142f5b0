#pragma once
// Tasks that do not depend on each other, on as many threads as whoever runs them has.

#include <cstddef>
#include <functional>

namespace syncsim {

// Does task(0) to task(count - 1), in any order, several at once perhaps, and returns when all are
// done. Throws what the first of those that failed, by number, threw.
using SideBySide =
    std::function<void(std::size_t count, const std::function<void(std::size_t number)>& task)>;

inline void one_by_one(std::size_t count, const std::function<void(std::size_t number)>& task) {
  for (std::size_t number = 0; number < count; ++number) task(number);
}

}  // namespace syncsim
