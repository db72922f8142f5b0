// Nested spans of time on threads.

#include "sim/workload/import/trace_windows.h"

#include <doctest/doctest.h>

namespace syncsim::trace_windows_test {
namespace {

using Found = std::optional<std::size_t>;

// Thread 0: 0 holds 1 (which holds 2) and 3, which meet at 40; thread 1: 4.
const TraceWindows& windows() {
  static const TraceWindows nested(
      {{0, 0, 100}, {0, 10, 40}, {0, 20, 30}, {0, 40, 60}, {1, 50, 70}});
  return nested;
}

}  // namespace

TEST_CASE("the innermost window around a point is found on its thread") {
  CHECK(windows().innermost({0, 5}) == Found(0));
  CHECK(windows().innermost({0, 15}) == Found(1));
  CHECK(windows().innermost({0, 25}) == Found(2));
  CHECK(windows().innermost({0, 35}) == Found(1));
  CHECK(windows().innermost({0, 40}) == Found(3));
  CHECK(windows().innermost({0, 80}) == Found(0));
  CHECK(windows().innermost({1, 60}) == Found(4));
  CHECK(windows().innermost({0, 101}) == Found());
  CHECK(windows().innermost({1, 49}) == Found());
  CHECK(windows().innermost({2, 0}) == Found());
}

TEST_CASE("the window that began last may have ended") {
  CHECK(windows().last_begun({0, 35}) == Found(2));
  CHECK(windows().last_begun({0, 500}) == Found(3));
  CHECK(windows().last_begun({1, 10}) == Found());
}

TEST_CASE("windows know what holds them") {
  CHECK(windows().enclosing(0) == Found());
  CHECK(windows().enclosing(2) == Found(1));
  CHECK(windows().enclosing(3) == Found(0));
  CHECK(windows().enclosing(4) == Found());
}

}  // namespace syncsim::trace_windows_test
