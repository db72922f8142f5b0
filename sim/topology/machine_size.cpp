#include "sim/topology/machine_size.h"

#include <fmt/format.h>

namespace syncsim {

void require_room_to_build(const MemoryLimit& limit, const MachineSize& size) {
  require_room(
      limit, building_bytes(size), "the machine",
      fmt::format("{} nodes, {} cables", rough_count(size.nodes), rough_count(size.links / 2)),
      "build a smaller one");
}

}  // namespace syncsim
