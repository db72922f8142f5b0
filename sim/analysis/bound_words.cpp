#include "sim/analysis/bound_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "sim/base/rank_list.h"

namespace syncsim {
namespace {

constexpr std::size_t kMostRanges = 8;  // of one side
constexpr int kMostParts = 8;
constexpr std::size_t kMostKindsOfLinks = 3;

// "0-3, 6".
std::string ranges(const std::vector<std::size_t>& ranks) {
  std::vector<std::string> texts = ranges_of(ranks);
  if (texts.size() <= kMostRanges) return fmt::format("{}", fmt::join(texts, ", "));
  texts.resize(kMostRanges);
  return fmt::format("{}, ... ({} in all)", fmt::join(texts, ", "), ranks.size());
}

// Links that cross, by the rate of one cable: how many.
struct Crossing {
  std::map<double, int> links;
  double rate = 0;
  std::vector<std::string> transits;
};

Crossing crossing_of(const BoundQuery& query, const CutGraph& graph, const std::vector<bool>& in) {
  Crossing crossing;
  for (const Link& link : query.topology.links()) {
    const std::uint32_t from = graph.gates[link.from].out;
    const std::uint32_t to = graph.gates[link.to].in;
    if (from == kNoCutNode || to == kNoCutNode || !in[from] || in[to]) continue;
    const double rate = link.rate(query.rates).bytes_per_second;
    crossing.links[rate / link.count] += link.count;
    crossing.rate += rate;
  }
  for (NodeId node = 0; node < graph.gates.size(); ++node) {
    const CutGate& gate = graph.gates[node];
    if (gate.in != kNoCutNode && gate.in != gate.out && in[gate.in] && !in[gate.out])
      crossing.transits.push_back(query.topology.nodes()[node].id);
  }
  return crossing;
}

std::string counted(int count) { return fmt::format("{} link{}", count, count == 1 ? "" : "s"); }

std::string words_of(const Crossing& crossing) {
  std::vector<std::string> texts;
  if (crossing.links.size() <= kMostKindsOfLinks) {
    for (auto kind = crossing.links.rbegin(); kind != crossing.links.rend(); ++kind)
      texts.push_back(
          fmt::format("{} of {}", counted(kind->second), to_string(Bandwidth{kind->first})));
  } else {
    int count = 0;
    for (const auto& [rate, links] : crossing.links) count += links;
    texts.push_back(fmt::format("{}, {}", counted(count), to_string(Bandwidth{crossing.rate})));
  }
  if (!crossing.transits.empty())
    texts.push_back(fmt::format("the transit of {}", fmt::join(crossing.transits, ", ")));
  return fmt::format("{}", fmt::join(texts, " and "));
}

}  // namespace

std::string rank_words(const BoundQuery& query, std::size_t rank) {
  const Time start = query.start_of(rank);
  return fmt::format("rank {} ({}){}", rank, query.topology.nodes()[query.ranks[rank]].id,
                     start.ps > 0 ? ", which comes at " + to_exact_string(start) : "");
}

std::string words_of(const BoundQuery& query, const TerminalSet& inside, Flow flow) {
  const CutGraph graph = cut_graph(query, Merge::no);
  CutOracle oracle(graph, flow);
  for (std::size_t terminal = 0; terminal < inside.size(); ++terminal)
    inside[terminal] ? oracle.set_inside(terminal) : oracle.set_outside(terminal);
  std::vector<bool> sending = oracle.least().nodes;
  if (flow == Flow::entering) sending.flip();
  std::vector<std::size_t> here, there;
  for (std::size_t rank = 0; rank < graph.ranks; ++rank)
    (inside[rank] ? here : there).push_back(rank);
  if (flow == Flow::entering) std::swap(here, there);
  return fmt::format("ranks {} | {}, {}", ranges(here), ranges(there),
                     words_of(crossing_of(query, graph, sending)));
}

std::string words_of(const Partition& partition, std::size_t ranks, double unit, Flow flow) {
  const std::string capacity = fmt::format(
      "{} {} them", to_string(Bandwidth{static_cast<double>(partition.capacity) * unit}),
      flow == Flow::leaving ? "out of" : "into");
  const int helpers =
      *std::max_element(partition.part.begin(), partition.part.end()) + 1 - partition.parts;
  const std::string beside = helpers == 0 ? "" : fmt::format(" and {} of helpers", helpers);
  if (static_cast<std::size_t>(partition.parts) == ranks)
    return fmt::format("{} parts of one rank{}, {}", partition.parts, beside, capacity);
  std::vector<std::vector<std::size_t>> members(static_cast<std::size_t>(partition.parts));
  for (std::size_t rank = 0; rank < ranks; ++rank)
    members[static_cast<std::size_t>(partition.part[rank])].push_back(rank);
  std::vector<std::string> texts;
  for (const auto& part : members)
    if (texts.size() < kMostParts) texts.push_back(ranges(part));
  return fmt::format("{} parts: ranks {}{}{}, {}", partition.parts, fmt::join(texts, " | "),
                     partition.parts > kMostParts ? " | ..." : "", beside, capacity);
}

}  // namespace syncsim
