#include "strategies/groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "sim/base/quote.h"
#include "sim/base/rank_list.h"
#include "sim/base/text.h"
#include "sim/topology/boxes.h"
#include "sim/topology/fabric.h"
#include "sim/topology/nearby.h"

namespace syncsim::strategy {
namespace {

using Lists = std::vector<std::vector<int>>;

Lists groups_of_machine(const StrategyInput& input) {
  const std::vector<Place> places = places_of(input.topology);
  Lists boxes = ranks_by(input.ranks, [&](NodeId node) { return places[node].box; });
  if (boxes.size() > 1) return boxes;
  const LinksOut links(input.topology);
  const std::vector<std::optional<NodeId>> cpus = nearest_cpus(input.topology, links);
  const bool all = std::all_of(input.ranks.begin(), input.ranks.end(),
                               [&](NodeId node) { return cpus[node].has_value(); });
  return all ? ranks_by(input.ranks, [&](NodeId node) { return *cpus[node]; }) : boxes;
}

InputError bad_groups(const StrategyInput& input, const std::string& why) {
  return input.parameters.error("groups", in_quotes(input.parameters.text("groups")) + " " + why,
                                "write auto, sizes such as 8 or 4x8, or ranks such as \"0-3;4-7\"");
}

// By level, the lowest last. No level has larger groups than it has ranks, or groups of the level
// below.
std::vector<int> sizes_in(const StrategyInput& input, const std::string& text) {
  constexpr std::size_t kMostLevels = 8;
  std::vector<int> sizes;
  try {
    sizes = parse_lengths(text, 1, kMostRanks, kMostLevels);
  } catch (const InputError&) {
    throw bad_groups(input, "is no size, and no list of up to 8 sizes with an x between");
  }
  auto count = static_cast<int>(input.ranks.size());
  for (auto size = sizes.rbegin(); size != sizes.rend(); ++size) {
    const std::string_view members = size == sizes.rbegin() ? "rank" : "group";
    if (*size > count)
      throw bad_groups(
          input, fmt::format("has groups of {}, but there {} {}", *size, count == 1 ? "is" : "are",
                             counted(static_cast<std::uint64_t>(count), members)));
    count = (count + *size - 1) / *size;
  }
  return sizes;
}

Groups of_sizes(const StrategyInput& input, const std::string& text) {
  const int size = sizes_in(input, text).back();
  const std::size_t cross = text.rfind('x');
  const auto ranks = static_cast<int>(input.ranks.size());
  Groups result{{}, cross == std::string::npos ? "" : text.substr(0, cross)};
  for (int rank = 0; rank < ranks; ++rank) {
    if (rank % size == 0) result.ranks.emplace_back();
    result.ranks.back().push_back(rank);
  }
  return result;
}

Groups of_lists(const StrategyInput& input, std::string_view text) {
  Groups result;
  std::vector<bool> seen(input.ranks.size());
  for (const std::string_view list : separated(text, ';')) {
    result.ranks.push_back(
        input.parameters.read("groups", [&](const std::string&) { return parse_ranks(list); }));
    for (const int rank : result.ranks.back()) {
      if (static_cast<std::size_t>(rank) >= seen.size())
        throw bad_groups(
            input, "names rank " + std::to_string(rank) + " of " + std::to_string(seen.size()));
      if (seen[static_cast<std::size_t>(rank)])
        throw bad_groups(input, "names rank " + std::to_string(rank) + " twice");
      seen[static_cast<std::size_t>(rank)] = true;
    }
  }
  const auto missing = std::find(seen.begin(), seen.end(), false) - seen.begin();
  if (static_cast<std::size_t>(missing) < seen.size())
    throw bad_groups(input, "leaves out rank " + std::to_string(missing));
  return result;
}

}  // namespace

bool Groups::equal() const {
  return std::all_of(ranks.begin(), ranks.end(),
                     [&](const auto& group) { return group.size() == ranks.front().size(); });
}

Groups chosen_groups(const StrategyInput& input) {
  const std::string& text = input.parameters.text("groups");
  if (text == "auto") return {groups_of_machine(input)};
  if (text.find_first_of(",-;") != std::string::npos) return of_lists(input, text);
  return of_sizes(input, text);
}

std::string description(const Groups& groups) {
  const auto [least, most] =
      std::minmax_element(groups.ranks.begin(), groups.ranks.end(),
                          [](const auto& a, const auto& b) { return a.size() < b.size(); });
  const std::string least_of = groups.equal() ? "" : std::to_string(least->size()) + " to ";
  return std::to_string(groups.count()) + " of " + least_of + counted(most->size(), "rank");
}

}  // namespace syncsim::strategy
