#include "sim/analysis/structure_bound.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "sim/analysis/cut_graph.h"
#include "sim/analysis/demand.h"
#include "sim/analysis/node_groups.h"

namespace syncsim {
namespace {

// A group's capacities, in bytes per second, and what it holds.
struct Part {
  double out = 0;
  double in = 0;
  std::size_t ranks = 0;
  Demand demand;
};

struct Parts {
  std::string name;
  std::vector<Part> all;  // also groups without ranks
  std::size_t with_ranks = 0;
  double out = 0;  // of those with ranks or helpers
  double in = 0;
  bool whole = true;  // every rank is in one
};

// Helpers outside of all groups become groups.
NodeGroups with_helpers(NodeGroups groups, const BoundQuery& query) {
  for (const NodeId helper : query.helpers)
    if (groups.of[helper] == NodeGroups::kNoGroup) groups.of[helper] = groups.count++;
  return groups;
}

void add_links(Parts& parts, const NodeGroups& groups, const BoundQuery& query,
               const std::vector<double>& rates) {
  for (LinkId link = 0; link < rates.size(); ++link) {
    const std::uint32_t from = groups.of[query.topology.links()[link].from];
    const std::uint32_t to = groups.of[query.topology.links()[link].to];
    if (from == to) continue;
    if (from != NodeGroups::kNoGroup) parts.all[from].out += rates[link];
    if (to != NodeGroups::kNoGroup) parts.all[to].in += rates[link];
  }
}

void add_ranks(Parts& parts, const NodeGroups& groups, const BoundQuery& query) {
  std::vector<std::uint32_t> group;
  for (const NodeId rank : query.ranks) group.push_back(groups.of[rank]);
  parts.whole = std::find(group.begin(), group.end(), NodeGroups::kNoGroup) == group.end();
  if (!parts.whole) return;
  const std::vector<Demand> all = demands(query.collective, group, parts.all.size());
  for (std::size_t i = 0; i < all.size(); ++i) parts.all[i].demand = all[i];
  for (const std::uint32_t number : group) ++parts.all[number].ranks;
}

Parts parts_of(const NodeGroups& given, const BoundQuery& query, const std::vector<double>& rates) {
  const NodeGroups groups = with_helpers(given, query);
  Parts parts{groups.name, std::vector<Part>(groups.count), 0, 0, 0, true};
  add_links(parts, groups, query, rates);
  add_ranks(parts, groups, query);
  std::vector<bool> counts(groups.count, false);
  for (std::uint32_t group = 0; group < groups.count; ++group)
    counts[group] = parts.all[group].ranks > 0;
  for (const NodeId helper : query.helpers) counts[groups.of[helper]] = true;
  for (std::uint32_t group = 0; group < groups.count; ++group) {
    const Part& part = parts.all[group];
    if (part.ranks > 0) ++parts.with_ranks;
    if (counts[group]) parts.out += part.out;
    if (counts[group]) parts.in += part.in;
  }
  return parts;
}

// The ranks, in their order, in so many groups; the nodes between are in none.
NodeGroups ranks_in(const BoundQuery& query, std::size_t groups, std::string name) {
  NodeGroups result{std::move(name), {}, static_cast<std::uint32_t>(groups)};
  result.of.resize(query.topology.nodes().size(), NodeGroups::kNoGroup);
  for (std::size_t rank = 0; rank < query.ranks.size(); ++rank)
    result.of[query.ranks[rank]] = static_cast<std::uint32_t>(rank * groups / query.ranks.size());
  return result;
}

std::vector<NodeGroups> groupings(const BoundQuery& query) {
  std::vector<NodeGroups> all = node_groups(query.topology);
  all.push_back(ranks_in(query, query.ranks.size(), "rank"));
  all.push_back(ranks_in(query, 2, "half"));
  return all;
}

// Calls see(parts) for every grouping that separates ranks.
void each_grouping(const BoundQuery& query, const std::function<void(const Parts&)>& see) {
  const std::vector<double> rates = highest_rates(query);
  for (const NodeGroups& groups : groupings(query)) {
    const Parts parts = parts_of(groups, query, rates);
    if (parts.whole && parts.with_ranks > 1) see(parts);
  }
}

}  // namespace

LowerBound partition_by_structure(const BoundQuery& query) {
  LowerBound best{0, "partition (by structure)", "nothing has to move"};
  each_grouping(query, [&](const Parts& parts) {
    const double capacity = std::min(parts.out, parts.in);
    const double least = 2 * static_cast<double>(parts.with_ranks - 1) *
                         static_cast<double>(query.collective.bytes.count) / capacity;
    if (least <= best.seconds) return;
    best.seconds = least;
    best.binds =
        fmt::format("{} parts: every {}, {} {} them", parts.with_ranks, parts.name,
                    to_string(Bandwidth{capacity}), parts.out <= parts.in ? "out of" : "into");
  });
  return best;
}

LowerBound cut_by_structure(const BoundQuery& query) {
  LowerBound best{0, "cut (by structure)", "nothing has to move"};
  each_grouping(query, [&](const Parts& parts) {
    for (std::size_t group = 0; group < parts.all.size(); ++group) {
      const Part& part = parts.all[group];
      if (part.ranks == 0) continue;
      const auto consider = [&](double bytes, double capacity, std::string_view way) {
        if (bytes == 0 || bytes / capacity <= best.seconds) return;
        best.seconds = bytes / capacity;
        best.binds = fmt::format("{} {} of {} ranks, {} {} it", parts.name, group, part.ranks,
                                 to_string(Bandwidth{capacity}), way);
      };
      consider(part.demand.out, part.out, "out of");
      consider(part.demand.in, part.in, "into");
    }
  });
  return best;
}

}  // namespace syncsim
