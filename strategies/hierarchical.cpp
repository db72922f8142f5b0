// Two levels: one strategy inside of groups, such as boxes, and one across them; of more levels one
// of the two is a hierarchy again.
//   rails   reduce-scatter inside; the ranks that now have the same shard, one a group, do the
//           collective with it across; all-gather inside. With rings, an allreduce on m groups of g
//           takes 2(g-1) a + 2(g-1)/g n b inside and 2(m-1) A + 2(m-1)/m n/g B across.
//   leader  reduce inside to one rank a group; these do the collective across; broadcast inside.
// Chunks of the data follow each other: one goes across while the next is inside.

#include <algorithm>
#include <cmath>

#include "strategies/hierarchy.h"
#include "strategies/overheads.h"
#include "strategies/strategies.h"

namespace syncsim::strategy {
namespace {

using Kind = CollectiveKind;

Stages stages_by(Across across, Kind kind, bool roots_group) {
  const CollectiveRow& facts = row(kind);
  const bool sums = facts.contributors == Who::all;
  const bool everywhere = facts.holders == Who::all;
  Stages stages;
  if (across == Across::leader) {
    if (facts.contributors != Who::root) stages.before = sums ? Kind::reduce : Kind::gather;
    if (facts.holders != Who::root) stages.after = everywhere ? Kind::broadcast : Kind::scatter;
  } else if (roots_group && kind == Kind::reduce) {
    stages.after = Kind::reduce;  // of what came across, and what its ranks had
  } else if (roots_group && kind == Kind::broadcast) {
    stages.before = Kind::broadcast;
  } else {
    if (sums) stages.before = Kind::reduce_scatter;
    if (everywhere) stages.after = Kind::all_gather;
  }
  return stages;
}

// No more than there are elements to cut.
std::int64_t most_chunks(const ScheduleBuilder& builder) {
  const Collective& collective = builder.collective();
  const std::int64_t cut = has_blocks(collective.kind) ? builder.part(builder.ranks() - 1).size()
                                                       : builder.data().size();
  return std::max<std::int64_t>(1, cut / collective.element_size());
}

// What overheads make a chunk cost, in bytes, where rings are inside and rails of rings across: n
// ranks on m groups of g take 2 (m-1) k o + 2 (m-1)/m n/g b M across in k chunks, and 2 (g-1) k o +
// 2 (g-1)/g b M inside.
double overheads_of_chunk(const StrategyInput& input, const Groups& groups) {
  std::vector<NodeId> first;  // of each group
  std::vector<NodeId> inside;
  for (const std::vector<int>& ranks : groups.ranks)
    first.push_back(input.ranks[static_cast<std::size_t>(ranks.front())]);
  for (const int rank : groups.ranks.front())
    inside.push_back(input.ranks[static_cast<std::size_t>(rank)]);
  return std::max(
      static_cast<double>(input.ranks.size()) / 2 * overhead_bytes(input, hops_along(first)),
      static_cast<double>(inside.size()) / 2 * overhead_bytes(input, hops_along(inside)));
}

// The more groups, the more steps does every chunk take across.
int chunks_of_groups(const StrategyInput& input, const ScheduleBuilder& builder,
                     const Groups& groups) {
  constexpr std::int64_t kMost = 4'096;
  if (input.parameters.text("chunks") != "auto")
    return static_cast<int>(
        std::min(input.parameters.integer("chunks", 1, kMost), most_chunks(builder)));
  constexpr double kCost = 2'097'152;  // bytes
  constexpr double kMostByItself = 64;
  const auto bytes = static_cast<double>(builder.collective().bytes.count);
  const double cost =
      std::max(kCost * std::max(1, groups.count() - 1), overheads_of_chunk(input, groups));
  const double best = std::sqrt(bytes / cost);
  return static_cast<int>(std::clamp(best, 1.0, kMostByItself));
}

// So many chunks follow, each of which takes at least as many ops as there are since then.
void announce_alike(ScheduleBuilder& builder, std::uint64_t since, int chunks) {
  builder.expect({.ops = (builder.ops() - since) * static_cast<std::uint64_t>(chunks), .lanes = 1});
}

void emit_inside_alone(const StrategyInput& input, ScheduleBuilder& builder,
                       const std::vector<int>& ranks) {
  const NestedStrategy inner = nested_strategy(input, "inner");
  inner.require_does(builder.collective().kind);
  inner.emit(builder, {.ranks = {ranks.begin(), ranks.end()}, .phase_prefix = "inner "});
}

}  // namespace

void emit_hierarchical(const StrategyInput& input, ScheduleBuilder& builder) {
  const Groups groups = chosen_groups(input);
  const int chunks = chunks_of_groups(input, builder, groups);
  if (groups.count() == 1) return emit_inside_alone(input, builder, groups.ranks.front());
  const Hierarchy hierarchy(input, builder, groups, stages_by);
  const GroupedData data(builder, groups, hierarchy.leaders(), hierarchy.across(), chunks);
  data.lay_out();
  const std::uint64_t before = builder.ops();
  int after = 0;  // what comes after has channels of its own, and does not hold up chunks behind
  for (const Chunk& chunk : data.chunks()) {
    after = std::max(after, hierarchy.inside(chunk, &Stages::before, 0));
    hierarchy.go_across(chunk);
    hierarchy.inside(chunk, &Stages::after, after);
    if (&chunk == &data.chunks().front()) announce_alike(builder, before, chunks - 1);
  }
  data.bring_back();
}

}  // namespace syncsim::strategy
