#include "strategies/torus.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <unordered_map>
#include <utility>

#include "sim/base/quote.h"
#include "sim/base/text.h"

namespace syncsim::strategy {

int Torus::stride(int dimension) const {
  return std::accumulate(lengths.begin() + dimension + 1, lengths.end(), 1, std::multiplies<>());
}

int Torus::coordinate(int place, int dimension) const {
  return place / stride(dimension) % length(dimension);
}

int Torus::moved(int place, int dimension, int coordinate) const {
  const int n = length(dimension);
  const int there = (coordinate % n + n) % n;
  return place + (there - this->coordinate(place, dimension)) * stride(dimension);
}

std::string Torus::text() const {
  std::string result;
  for (const int each : lengths) result += (result.empty() ? "" : "x") + std::to_string(each);
  return result;
}

namespace {

using RankCables = std::set<std::pair<int, int>>;  // between ranks, the lower one first

RankCables cables_between_ranks(const StrategyInput& input) {
  std::unordered_map<NodeId, int> ranks;
  for (const NodeId node : input.ranks) ranks.emplace(node, static_cast<int>(ranks.size()));
  RankCables cables;
  for (const Link& link : input.topology.links()) {
    const auto from = ranks.find(link.from);
    const auto to = ranks.find(link.to);
    if (from != ranks.end() && to != ranks.end() && from->second < to->second)
      cables.emplace(from->second, to->second);
  }
  return cables;
}

// Rank 0's line of neighbours `step` apart, while there are cables.
int line_length(const RankCables& cables, int step, int ranks) {
  int length = 1;
  while (length * step < ranks && cables.contains({(length - 1) * step, length * step})) ++length;
  return length;
}

// Every two neighbours have a cable, and there is no other but those that close a dimension.
bool is_grid(const Torus& torus, const RankCables& cables, int ranks) {
  std::size_t found = 0;
  for (int place = 0; place < ranks; ++place)
    for (int dimension = 0; dimension < torus.dimensions(); ++dimension) {
      const int next = torus.moved(place, dimension, torus.coordinate(place, dimension) + 1);
      const bool is_there = cables.contains(std::minmax(place, next));
      if (next > place && !is_there) return false;
      const bool counted_before = torus.length(dimension) == 2 && next < place;
      if (is_there && !counted_before) ++found;
    }
  return found == cables.size();
}

}  // namespace

std::optional<Torus> find_torus(const StrategyInput& input) {
  const auto ranks = static_cast<int>(input.ranks.size());
  const RankCables cables = cables_between_ranks(input);
  Torus torus;
  for (int step = 1; step < ranks;) {
    const int length = line_length(cables, step, ranks);
    if (length == 1 || ranks % (step * length) != 0) return std::nullopt;
    torus.lengths.insert(torus.lengths.begin(), length);
    step *= length;
  }
  if (torus.lengths.empty() || !is_grid(torus, cables, ranks)) return std::nullopt;
  return torus;
}

std::optional<Torus> given_torus(const StrategyInput& input) {
  const std::string& text = input.parameters.text("dimensions");
  constexpr std::size_t kMostDimensions = 64;
  const auto ranks = static_cast<int>(input.ranks.size());
  if (text == "auto") return std::nullopt;
  const auto error = [&](const std::string& why) {
    return input.parameters.error("dimensions", in_quotes(text) + " " + why,
                                  "write lengths whose product is " + std::to_string(ranks) +
                                      ", joined by x, such as \"4x2\"");
  };
  Torus torus;
  try {
    torus.lengths = parse_lengths(text, 1, ranks, kMostDimensions);
  } catch (const InputError&) {
    throw error("is no list of lengths from 1 to " + std::to_string(ranks));
  }
  std::int64_t places = 1;
  for (const int length : torus.lengths)
    places = std::min(places * length, ranks + std::int64_t{1});
  if (places != ranks)
    throw error("has " + std::string(places > ranks ? "more" : "fewer") + " places than the " +
                counted(input.ranks.size(), "rank"));
  // Lengths of 1 are no dimensions.
  if (ranks > 1) std::erase(torus.lengths, 1);
  return torus;
}

std::vector<Crossing> chosen_crossings(const StrategyInput& input, const Torus& torus) {
  const bool each = input.parameters.choice("starts", {"first", "each"}) == "each";
  const bool both = input.parameters.choice("directions", {"one", "both"}) == "both";
  std::vector<Crossing> result;
  if (torus.lengths == std::vector{1}) return {{0, false}};  // one rank
  for (int dimension = 0; dimension < (each ? torus.dimensions() : 1); ++dimension) {
    result.push_back({dimension, false});
    if (both) result.push_back({dimension, true});
  }
  return result;
}

}  // namespace syncsim::strategy
