#include "sim/report/link_flows.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "sim/exec/op_routes.h"
#include "sim/schedule/lane_index.h"

namespace syncsim {
namespace {

// What a lane carries in all.
struct LaneLoad {
  Op op;  // one of its ops
  double bytes = 0;
  double added = 0;  // of them, into sums
  std::uint64_t transfers = 0;
  std::uint64_t additions = 0;
};

std::vector<LaneLoad> lane_loads(const Schedule& schedule) {
  LaneIndex index;
  std::vector<LaneLoad> loads;
  for (const Op& op : schedule.ops) {
    const std::uint32_t lane = index.number(op);
    if (lane == kNone) continue;
    if (lane == loads.size()) loads.push_back({op});
    if (!schedule.moves_data(op)) continue;
    const auto bytes = static_cast<double>(schedule.bytes(op).count);
    LaneLoad& load = loads[lane];
    load.bytes += bytes;
    ++load.transfers;
    if (op.kind != OpKind::reduce) continue;
    load.added += bytes;
    ++load.additions;
  }
  return loads;
}

// What a pair of participants sends over a resource.
struct Use {
  ResourceId resource = 0;
  ParticipantId source = 0;
  ParticipantId destination = 0;
  double bytes = 0;
  std::uint64_t transfers = 0;

  auto pair() const { return std::tuple(resource, source, destination); }
};

void add_uses(std::vector<Use>& uses, const LaneLoad& load, OpRoutes& routes,
              const Resources& resources) {
  if (load.transfers == 0) return;
  const auto& [op, bytes, added, transfers, additions] = load;
  for (const ResourceUse& use : routes.of(op).uses)
    uses.push_back({use.resource, op.source, op.destination, use.coefficient * bytes, transfers});
  if (additions == 0 || has_group(op)) return;  // a group's tree has its adders on its way
  if (const auto adder = resources.reduce(routes.node(op.destination)))
    uses.push_back({*adder, op.source, op.destination, added, additions});
}

// One of each resource and pair, in order.
void merge(std::vector<Use>& uses) {
  std::stable_sort(uses.begin(), uses.end(),
                   [](const Use& a, const Use& b) { return a.pair() < b.pair(); });
  std::size_t kept = 0;
  for (const Use& use : uses) {
    if (kept > 0 && uses[kept - 1].pair() == use.pair()) {
      uses[kept - 1].bytes += use.bytes;
      uses[kept - 1].transfers += use.transfers;
    } else {
      uses[kept++] = use;
    }
  }
  uses.resize(kept);
}

void require_room_for(std::size_t uses, const MemoryLimit& memory) {
  constexpr std::uint64_t kNames = 64;
  require_room(memory, uses * (sizeof(Use) + sizeof(LinkFlow) + kNames), "the table of links",
               fmt::format("{} pairs", rough_count(uses)), "leave out --links");
}

}  // namespace

void add_link_flows(Report& report, const Topology& topology, const Schedule& schedule,
                    const MemoryLimit& memory) {
  const Resources resources(topology, report.facts.rates);
  OpRoutes routes(schedule, topology, resources, report.facts.seed);
  std::vector<Use> uses;
  for (const LaneLoad& load : lane_loads(schedule)) add_uses(uses, load, routes, resources);
  require_room_for(uses.size(), memory);
  merge(uses);
  for (LinkReport& link : report.links) {
    auto use = std::lower_bound(uses.begin(), uses.end(), link.resource,
                                [](const Use& a, ResourceId id) { return a.resource < id; });
    for (; use != uses.end() && use->resource == link.resource; ++use)
      link.flows.push_back({nodes_of(schedule, use->source), nodes_of(schedule, use->destination),
                            use->bytes, use->transfers});
    std::stable_sort(link.flows.begin(), link.flows.end(),
                     [](const LinkFlow& a, const LinkFlow& b) { return a.bytes > b.bytes; });
  }
}

}  // namespace syncsim
