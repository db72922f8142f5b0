#pragma once
// Spans of time on threads, nested as calls are.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace syncsim {

// A point on a thread's time.
struct TracePoint {
  int thread = 0;
  std::int64_t at = 0;  // nanoseconds
};

class TraceWindows {
 public:
  struct Window {
    int thread = 0;
    std::int64_t begin = 0;
    std::int64_t end = 0;
  };

  // By thread, then by begin, the longer first. Each is known by its place in this list.
  explicit TraceWindows(std::vector<Window> windows);

  // The shortest window that holds the point; of two that meet there, the later one.
  std::optional<std::size_t> innermost(TracePoint point) const;
  // The window that began last at or before the point, whether or not it holds it.
  std::optional<std::size_t> last_begun(TracePoint point) const;
  // The shortest of the others that hold the window whole.
  std::optional<std::size_t> enclosing(std::size_t window) const { return enclosing_[window]; }

 private:
  std::vector<Window> windows_;
  std::vector<std::optional<std::size_t>> enclosing_;
};

}  // namespace syncsim
