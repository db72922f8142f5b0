#include "sim/exec/cuda/device_room.h"

#include <fmt/format.h>

#include "sim/base/text.h"
#include "sim/exec/real/run_data.h"
#include "sim/schedule/size.h"

namespace syncsim {
namespace {

constexpr std::uint64_t kNodeBytes = 2'048;  // of the two graphs, for each op: their nodes here and
                                             // in the driver, roughly

}  // namespace

void require_host_room(const Schedule& schedule, std::uint64_t buffers, const MemoryLimit& limit) {
  const std::uint64_t need = schedule_bytes(size_of(schedule)) + RunData::needed_bytes(schedule) +
                             buffers + capped_product(schedule.ops.size(), kNodeBytes);
  require_room(limit, need, "a run on GPUs",
               "in host memory: what is sent there and looked at, and what is staged",
               "use fewer ranks or less data");
}

void require_device_room(std::span<const std::uint64_t> bytes, const DeviceMap& map,
                         const CudaFacts& facts) {
  for (std::uint32_t place = 1; place < map.places(); ++place) {
    const CudaDevice& device = facts.devices[static_cast<std::size_t>(map.device(place))];
    if (bytes[place] <= device.free) continue;
    throw InputError(fmt::format("device {} ({}) has {} free; the data of {} there takes {}",
                                 map.device(place), device.name, rough_bytes(device.free),
                                 counted(map.ranks_on(place), "rank"), rough_bytes(bytes[place])),
                     "use less data, or fewer ranks a device");
  }
}

}  // namespace syncsim
