#include "sim/topology/embedding.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <utility>

#include "sim/base/error.h"
#include "sim/topology/cycles.h"
#include "sim/topology/large_rings.h"
#include "sim/topology/network_rings.h"
#include "sim/topology/ring_packing.h"
#include "sim/topology/route_ring.h"
#include "sim/topology/routing.h"

namespace syncsim {
namespace {

using Pair = std::pair<int, int>;  // of ranks, the smaller index first

struct DirectLinks {
  std::map<Pair, double> bandwidths;
  std::vector<double> cable_rates;  // of each link, ascending
};

constexpr double kRounding = 1e-9;  // two thirds of 3 cables are 2 cables
constexpr int kMostParts = 16;      // of a cable, so that no more than a sixteenth is lost
constexpr int kMostCut = 128;       // rings that cutting may leave

// A ring goes both ways, so a cable counts with its slower direction.
DirectLinks direct_links(const Topology& topology, std::span<const NodeId> ranks) {
  std::unordered_map<NodeId, int> rank_of;
  for (const NodeId node : ranks) rank_of.emplace(node, static_cast<int>(rank_of.size()));
  require(rank_of.size() == ranks.size(), "a ring needs distinct ranks");
  DirectLinks result;
  for (LinkId id = 0; id < topology.links().size(); id += 2) {
    const Link& link = topology.links()[id];
    const auto from = rank_of.find(link.from);
    const auto to = rank_of.find(link.to);
    if (!is_direct(topology, link) || from == rank_of.end() || to == rank_of.end()) continue;
    const double bandwidth =
        std::min(link.bandwidth, topology.links()[id + 1].bandwidth).bytes_per_second;
    result.bandwidths[std::minmax({from->second, to->second})] += bandwidth;
    result.cable_rates.push_back(bandwidth / link.count);
  }
  std::sort(result.cable_rates.begin(), result.cable_rates.end());
  return result;
}

int whole_units(double bandwidth, double unit) {
  constexpr double kMostUnits = 1e6;  // keeps sums of units in int
  return static_cast<int>(std::min(bandwidth / unit * (1 + kRounding), kMostUnits));
}

DirectUnits in_units(const DirectLinks& links, double unit) {
  DirectUnits units;
  for (const auto& [pair, bandwidth] : links.bandwidths) units[pair] = whole_units(bandwidth, unit);
  return units;
}

CableMatrix matrix_of(const DirectUnits& units, int ranks) {
  CableMatrix cables(ranks);
  for (const auto& [pair, count] : units) cables.set(pair.first, pair.second, count);
  return cables;
}

// The rate that most links' cables have; of equally common ones the fastest.
double commonest(const std::vector<double>& ascending) {
  auto best = ascending.begin();
  std::ptrdiff_t most = 0;
  for (auto first = ascending.begin(); first != ascending.end();) {
    const auto last = std::upper_bound(first, ascending.end(), *first * (1 + kRounding));
    if (last - first >= most) best = first;
    most = std::max(most, last - first);
    first = last;
  }
  return *best;
}

template <class Function>
void for_each_hop(const Ring& ring, const Function& function) {
  for (std::size_t i = 0; i < ring.order.size(); ++i) {
    const int next = ring.order[i + 1 == ring.order.size() ? 0 : i + 1];
    function(Pair(std::minmax({ring.order[i], next})));
  }
}

// What each ring gets at least when all are busy: a link is shared evenly, whatever the
// multiplicities.
std::vector<double> least_shares(const DirectLinks& links, const std::vector<Ring>& rings) {
  std::map<Pair, int> rings_over;
  for (const Ring& ring : rings) for_each_hop(ring, [&](const Pair& pair) { ++rings_over[pair]; });
  std::vector<double> shares;
  for (const Ring& ring : rings) {
    double least = std::numeric_limits<double>::infinity();
    for_each_hop(ring, [&](const Pair& pair) {
      least = std::min(least, links.bandwidths.at(pair) / rings_over.at(pair));
    });
    shares.push_back(least);
  }
  return shares;
}

// With each ring that would get less than its multiplicity in units cut into single ones.
std::vector<Ring> with_unfair_cut(const DirectLinks& links, double unit,
                                  const std::vector<Ring>& rings) {
  const std::vector<double> shares = least_shares(links, rings);
  std::vector<Ring> result;
  for (std::size_t i = 0; i < rings.size(); ++i) {
    const Ring& ring = rings[i];
    const bool unfair = shares[i] * (1 + kRounding) < ring.multiplicity * unit;
    if (unfair && ring.multiplicity <= kMostCut)
      result.insert(result.end(), static_cast<std::size_t>(ring.multiplicity), {ring.order, 1});
    else
      result.push_back(ring);
  }
  return result;
}

// Cutting one ring leaves the others on its links less, so again until each gets its multiplicity.
// Single rings always do: there are no more of them over a link than it has units.
std::vector<Ring> shared_fairly(const DirectLinks& links, double unit, std::vector<Ring> rings) {
  for (;;) {
    std::vector<Ring> cut = with_unfair_cut(links, unit, rings);
    if (cut.size() == rings.size() || cut.size() > kMostCut) break;
    rings = std::move(cut);
  }
  sort_rings(rings);
  return rings;
}

struct Packing {
  std::vector<Ring> rings;
  double bandwidth = 0;  // of all rings together, at least
};

// The data is split by multiplicity, so the ring that gets the least for its own sets the pace.
double bandwidth_of(const DirectLinks& links, const std::vector<Ring>& rings) {
  const std::vector<double> shares = least_shares(links, rings);
  double pace = std::numeric_limits<double>::infinity();
  int sum = 0;
  for (std::size_t i = 0; i < rings.size(); ++i) {
    pace = std::min(pace, shares[i] / rings[i].multiplicity);
    sum += rings[i].multiplicity;
  }
  return sum * pace;
}

// Nothing when no packing into such units could carry more than `enough`.
Packing packed(const DirectLinks& links, double unit, int ranks, double enough) {
  const CableMatrix cables = matrix_of(in_units(links, unit), ranks);
  if (cables.most_rings() * unit <= enough * (1 + kRounding)) return {};
  std::vector<Ring> rings = pack_rings(cables);
  if (rings.empty()) return {};
  int factor = 0;
  for (const Ring& ring : rings) factor = std::gcd(factor, ring.multiplicity);
  for (Ring& ring : rings) ring.multiplicity /= factor;
  rings = shared_fairly(links, unit * factor, std::move(rings));
  const double bandwidth = bandwidth_of(links, rings);
  return {std::move(rings), bandwidth};
}

// Units that stay the same when an odd link gets faster, so that the rings never get worse.
std::vector<Ring> packed_in_parts(const DirectLinks& links, int ranks) {
  const double cable = commonest(links.cable_rates);
  Packing best;
  for (int parts = 1; parts <= kMostParts; ++parts)
    if (Packing next = packed(links, cable / parts, ranks, best.bandwidth);
        next.bandwidth > best.bandwidth * (1 + kRounding))
      best = std::move(next);
  // Every cycle needs a thinner cable: as thick a one as there can be.
  const std::vector<double>& rates = links.cable_rates;
  for (auto rate = rates.rbegin(); best.rings.empty() && rate != rates.rend(); ++rate)
    best = packed(links, *rate, ranks, 0);
  return std::move(best.rings);
}

std::vector<Ring> packed_rings(const DirectLinks& links, int ranks) {
  const double thinnest = links.cable_rates.front();
  const bool uniform = links.cable_rates.back() <= thinnest * (1 + kRounding);
  return uniform ? pack_rings(matrix_of(in_units(links, thinnest), ranks))
                 : packed_in_parts(links, ranks);
}

// Empty when there is no cycle of direct links, or none was found. One ring needs no more than its
// order; its multiplicity says how many of the thinnest cables.
std::vector<Ring> direct_rings(const DirectLinks& links, std::size_t ranks) {
  if (links.cable_rates.empty()) return {};
  if (ranks > 2 && ranks <= kMostMatrixRanks) return packed_rings(links, static_cast<int>(ranks));
  const DirectUnits units = in_units(links, links.cable_rates.front());
  if (ranks == 2) return {{{0, 1}, units.begin()->second}};
  return rings_of_many(units, ranks);
}

Ring ring_over_routes(const Topology& topology, std::span<const NodeId> ranks) {
  if (ranks.size() == 2 || ranks.size() > kMostMatrixRanks)
    return {ranks_in_order(ranks.size()), 1};
  return canonical_ring(order_over_routes(topology, ranks), 1);
}

// What came in by a nic goes out by it.
Ring reversed(Ring ring) {
  std::reverse(ring.order.begin() + 1, ring.order.end());
  for (RingNics& nics : ring.nics) std::swap(nics.in, nics.out);
  if (!ring.nics.empty()) std::reverse(ring.nics.begin() + 1, ring.nics.end());
  return ring;
}

}  // namespace

std::vector<Ring> both_directions(std::span<const Ring> rings) {
  std::vector<Ring> both;
  for (const Ring& ring : rings) {
    both.push_back(ring);
    both.push_back(reversed(ring));
  }
  return both;
}

std::vector<Ring> find_rings(const Topology& topology, std::span<const NodeId> ranks) {
  require(!ranks.empty(), "a ring needs ranks");
  if (ranks.size() == 1) return {{{0}, 1}};
  const DirectLinks links = direct_links(topology, ranks);
  std::vector<Ring> rings = direct_rings(links, ranks.size());
  if (rings.empty()) rings = rings_by_nics(topology, ranks);
  if (rings.empty()) rings.push_back(ring_over_routes(topology, ranks));
  return rings;
}

}  // namespace syncsim
