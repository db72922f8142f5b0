#include "strategies/network_shares.h"

namespace syncsim::strategy {
namespace {

std::vector<NetworkShare> of_each_rank(const ScheduleBuilder& builder) {
  std::vector<NetworkShare> shares;
  for (int rank = 0; rank < builder.ranks(); ++rank)
    shares.push_back({static_cast<ParticipantId>(rank), builder.part(rank)});
  return shares;
}

std::vector<NetworkShare> of_switches(ScheduleBuilder& builder, const AbleSwitches& switches) {
  const std::vector<AbleSwitches::Root>& roots = switches.roots();
  std::vector<int> weights;
  for (const AbleSwitches::Root& root : roots) weights.push_back(root.weight);
  const std::vector<Slice> slices = builder.split(builder.data(), weights);
  std::vector<NetworkShare> shares;
  for (std::size_t i = 0; i < roots.size(); ++i)
    shares.push_back({builder.helper(roots[i].node), slices[i], static_cast<std::uint16_t>(i)});
  return shares;
}

}  // namespace

std::vector<NetworkShare> network_shares(const StrategyInput& input, ScheduleBuilder& builder,
                                         const AbleSwitches& switches) {
  const Collective& collective = builder.collective();
  const auto algorithm = input.parameters.choice("algorithm", {"auto", "nvls", "sharp"});
  const bool by_ranks = algorithm == "nvls" || (algorithm == "auto" && switches.on_nvlink());
  if (has_blocks(collective.kind)) return of_each_rank(builder);
  if (!sums_everywhere(collective.kind))
    return {{static_cast<ParticipantId>(collective.root), builder.data()}};
  return by_ranks ? of_each_rank(builder) : of_switches(builder, switches);
}

}  // namespace syncsim::strategy
