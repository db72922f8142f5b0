#include "sim/exec/background_work.h"

#include <limits>

#include "sim/base/error.h"

namespace syncsim {

BackgroundWork::BackgroundWork(const TransferWork& schedule, const FlowWork& background)
    : schedule_(schedule),
      background_(background),
      network_(schedule.network()),
      own_ops_(schedule.size()),
      own_lanes_(schedule.lane_count()),
      own_routes_(static_cast<std::uint32_t>(schedule.network().route_count())) {
  require(background.size() < std::numeric_limits<std::uint32_t>::max() - own_ops_,
          "a schedule and its background have more than 2^32 ops");
  const engine::Network& more = background.network();
  for (engine::RouteIndex route = 0; route < more.route_count(); ++route)
    network_.add_route(more.route(route));
}

}  // namespace syncsim
