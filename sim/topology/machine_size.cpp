#include "sim/topology/machine_size.h"

#include <fmt/format.h>

#include "sim/base/error.h"

namespace syncsim {

void require_size_allowed(const MachineSize& size) {
  const auto require_at_most = [](std::uint64_t count, std::int64_t most, std::string_view things) {
    if (count > static_cast<std::uint64_t>(most))
      throw InputError(fmt::format("the machine would have {} {}", rough_count(count), things),
                       fmt::format("build one of at most {}", most));
  };
  require_at_most(size.nodes, kMostNodes, "nodes");
  require_at_most(size.links / 2, kMostCables, "cables");
}

void require_room_to_build(const MemoryLimit& limit, const MachineSize& size) {
  require_room(
      limit, building_bytes(size), "the machine",
      fmt::format("{} nodes, {} cables", rough_count(size.nodes), rough_count(size.links / 2)),
      "build a smaller one");
}

}  // namespace syncsim
