#include "sim/exec/calibration/hold_out.h"

#include <iterator>
#include <map>
#include <set>

namespace syncsim {

std::vector<bool> held_out(const std::vector<SizedPoint>& points, int every) {
  std::map<std::string, std::set<Bytes>> sizes;
  for (const SizedPoint& point : points) sizes[point.series].insert(point.bytes);
  std::vector<bool> held;
  for (const SizedPoint& point : points) {
    const std::set<Bytes>& own = sizes[point.series];
    const auto place = std::distance(own.begin(), own.find(point.bytes)) + 1;
    held.push_back(every > 0 && place % every == 0 && point.bytes != *own.rbegin());
  }
  return held;
}

}  // namespace syncsim
