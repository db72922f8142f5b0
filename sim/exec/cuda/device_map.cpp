#include "sim/exec/cuda/device_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/base/error.h"
#include "sim/base/text.h"

namespace syncsim {
namespace {

void require_devices(const std::vector<int>& asked, const CudaFacts& facts) {
  const auto count = facts.devices.size();
  std::vector<bool> named(count);
  for (const int device : asked) {
    if (device < 0 || static_cast<std::size_t>(device) >= count)
      throw InputError(
          fmt::format("there is no device {}", device),
          count == 1 ? "write 0, the only one" : fmt::format("write some of 0 to {}", count - 1),
          "--devices");
    if (named[static_cast<std::size_t>(device)])
      throw InputError(fmt::format("device {} is named twice", device),
                       "name each once: more ranks than devices share them in turn", "--devices");
    named[static_cast<std::size_t>(device)] = true;
  }
}

}  // namespace

std::size_t DeviceMap::ranks_on(std::uint32_t place) const {
  return static_cast<std::size_t>(std::count(place_of.begin(), place_of.end(), place));
}

DeviceMap map_devices(const Schedule& schedule, const std::vector<int>& asked,
                      const CudaFacts& facts) {
  require_devices(asked, facts);
  DeviceMap map{asked, {}};
  if (asked.empty()) {
    map.devices.resize(facts.devices.size());
    std::iota(map.devices.begin(), map.devices.end(), 0);
  }
  if (map.devices.size() > schedule.ranks) map.devices.resize(schedule.ranks);
  const auto devices = static_cast<std::uint32_t>(map.devices.size());
  for (ParticipantId id = 0; id < schedule.participants.size(); ++id)
    map.place_of.push_back(id < schedule.ranks ? 1 + id % devices : kHostPlace);
  return map;
}

std::vector<std::string> notes_of(const DeviceMap& map, const Schedule& schedule,
                                  const CudaFacts& facts) {
  std::vector<std::string> notes;
  for (std::uint32_t place = 1; place < map.places(); ++place) {
    const std::string& name = facts.devices[static_cast<std::size_t>(map.device(place))].name;
    const std::size_t ranks = map.ranks_on(place);
    std::string note =
        fmt::format("device {}: {}, {}", map.device(place), name, counted(ranks, "rank"));
    if (ranks > 1) note += " that share its memory and kernels";
    notes.push_back(std::move(note));
  }
  if (schedule.participants.size() > schedule.ranks)
    notes.push_back(fmt::format("{} in pinned host memory, where the CPU adds up",
                                counted(schedule.participants.size() - schedule.ranks, "helper")));
  return notes;
}

}  // namespace syncsim
