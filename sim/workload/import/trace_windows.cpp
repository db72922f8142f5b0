#include "sim/workload/import/trace_windows.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace syncsim {

TraceWindows::TraceWindows(std::vector<Window> windows) : windows_(std::move(windows)) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < windows_.size(); ++i) {
    const Window& window = windows_[i];
    while (!open.empty() && (windows_[open.back()].thread != window.thread ||
                             windows_[open.back()].end < window.end))
      open.pop_back();
    enclosing_.push_back(open.empty() ? std::nullopt : std::optional(open.back()));
    open.push_back(i);
  }
}

std::optional<std::size_t> TraceWindows::innermost(TracePoint point) const {
  std::optional<std::size_t> window = last_begun(point);
  while (window && windows_[*window].end < point.at) window = enclosing_[*window];
  return window;
}

std::optional<std::size_t> TraceWindows::last_begun(TracePoint point) const {
  const auto after = std::ranges::upper_bound(
      windows_, std::tuple(point.thread, point.at), {},
      [](const Window& window) { return std::tuple(window.thread, window.begin); });
  if (after == windows_.begin() || std::prev(after)->thread != point.thread) return std::nullopt;
  return static_cast<std::size_t>(std::prev(after) - windows_.begin());
}

}  // namespace syncsim
