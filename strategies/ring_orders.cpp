#include "strategies/ring_orders.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "sim/base/quote.h"
#include "sim/base/text.h"
#include "sim/topology/boxes.h"
#include "sim/topology/ring_text.h"
#include "sim/topology/routing.h"

namespace syncsim::strategy {
namespace {

constexpr int kMostMultiplicity = 1000;
constexpr int kMostNic = 1'000'000;
constexpr std::ptrdiff_t kMostRings = 1'024;  // NCCL has at most 64 channels

InputError bad_ring(std::string_view ring, const std::string& why, int ranks) {
  return {"ring " + in_quotes(ring) + " " + why,
          "name each of the ranks 0 to " + std::to_string(ranks - 1) +
              " once, separated by commas, such as \"0,1,2\" or \"0,1,2 x2\""};
}

// A number in the text of a ring; `or_else` says what it should have been.
int number_in(std::string_view ring, std::string_view text, int least, int most,
              const std::string& or_else, int ranks) {
  try {
    return static_cast<int>(parse_integer(text, least, most));
  } catch (const InputError&) {
    throw bad_ring(ring, or_else, ranks);
  }
}

// "nic3" beside a rank.
int parse_nic(std::string_view ring, std::string_view text, int ranks) {
  const std::string wrong = "names " + in_quotes(text) + ", which is no nic such as nic0";
  if (!text.starts_with("nic")) throw bad_ring(ring, wrong, ranks);
  return number_in(ring, text.substr(3), 0, kMostNic, wrong, ranks);
}

// Takes the nics off an item such as "nic2>7>nic3": what is left is the rank.
RingNics take_nics(std::string_view ring, std::string_view& item, int ranks) {
  RingNics nics;
  const std::vector<std::string_view> parts = separated(item, '>');
  const bool comes = parts.size() > 1 && parts.front().starts_with("nic");
  const bool goes = parts.size() > 1 && (!comes || parts.size() > 2);
  if (comes) nics.in = parse_nic(ring, parts.front(), ranks);
  if (goes) nics.out = parse_nic(ring, parts.back(), ranks);
  if (parts.size() == std::size_t{1} + (comes ? 1 : 0) + (goes ? 1 : 0))
    item = parts[comes ? 1 : 0];
  return nics;
}

Ring parse_ring(std::string_view text, int ranks) {
  Ring ring;
  std::string_view order = text;
  if (const auto times = text.find('x'); times != std::string_view::npos) {
    order = trimmed(text.substr(0, times));
    ring.multiplicity = number_in(text, trimmed(text.substr(times + 1)), 1, kMostMultiplicity,
                                  "has no multiplicity between 1 and 1000 after its x", ranks);
  }
  std::vector<bool> seen(static_cast<std::size_t>(ranks));
  bool has_nics = false;
  for (std::string_view item : separated(order, ',')) {
    ring.nics.push_back(take_nics(text, item, ranks));
    has_nics = has_nics || ring.nics.back() != RingNics{};
    const int rank = number_in(text, item, 0, ranks - 1,
                               "names " + in_quotes(item) + ", which is no rank", ranks);
    if (seen[static_cast<std::size_t>(rank)])
      throw bad_ring(text, "names rank " + std::to_string(rank) + " twice", ranks);
    seen[static_cast<std::size_t>(rank)] = true;
    ring.order.push_back(rank);
  }
  const auto missing = std::find(seen.begin(), seen.end(), false);
  if (missing != seen.end())
    throw bad_ring(text, "leaves out rank " + std::to_string(missing - seen.begin()), ranks);
  if (!has_nics) ring.nics.clear();
  return ring;
}

}  // namespace

std::vector<Ring> parse_rings(std::string_view text, int ranks) {
  const auto count = std::count(text.begin(), text.end(), ';') + 1;
  if (count > kMostRings)
    throw InputError("gives " + std::to_string(count) + " rings",
                     "give at most " + std::to_string(kMostRings));
  std::vector<Ring> rings;
  for (const std::string_view ring : separated(text, ';')) rings.push_back(parse_ring(ring, ranks));
  return rings;
}

namespace {

std::vector<Ring> given_rings(const StrategyInput& input, std::string_view parameter) {
  return input.parameters.read(parameter, [&](const std::string& text) {
    return parse_rings(text, static_cast<int>(input.ranks.size()));
  });
}

const std::vector<Ring>& machine_rings(const StrategyInput& input) {
  return input.findings->of("rings", input.ranks,
                            [&] { return find_rings(input.topology, input.ranks); });
}

}  // namespace

std::vector<Ring> chosen_rings(const StrategyInput& input) {
  std::vector<Ring> rings =
      input.parameters.text("rings") == "auto" ? machine_rings(input) : given_rings(input, "rings");
  const bool one = input.parameters.choice("directions", {"one", "both"}) == "one";
  return one ? rings : both_directions(rings);
}

std::vector<int> chosen_path(const StrategyInput& input, std::string_view parameter, int first) {
  if (input.parameters.text(parameter) == "auto") {
    std::vector<int> order = machine_rings(input).front().order;
    std::rotate(order.begin(), std::find(order.begin(), order.end(), first), order.end());
    return order;
  }
  const std::vector<Ring> given = given_rings(input, parameter);
  if (given.size() > 1 || given.front().multiplicity > 1 || !given.front().nics.empty())
    throw input.parameters.error(parameter, "gives more than the order of the ranks",
                                 "write one order alone, such as \"0,1,2\"");
  return given.front().order;
}

namespace {

// The id of the nic of a number in a rank's box; empty for none.
std::string nic_id(const BoxNics& nics, const StrategyInput& input, int rank, int number) {
  if (number < 0) return "";
  const NodeId node = input.ranks[static_cast<std::size_t>(rank)];
  if (number < nics.count(node)) return input.topology.nodes()[nics.at(node, number)].id;
  throw input.parameters.error("rings",
                               "nic" + std::to_string(number) + " is none of the box of rank " +
                                   std::to_string(rank) + ", which has " +
                                   std::to_string(nics.count(node)),
                               "nics are numbered from 0 in the order of the machine");
}

}  // namespace

void give_nics(const std::vector<Ring>& rings, const StrategyInput& input,
               ScheduleBuilder& builder) {
  const auto has_nics = [](const Ring& ring) { return !ring.nics.empty(); };
  if (std::none_of(rings.begin(), rings.end(), has_nics)) return;
  const BoxNics& nics = input.findings->of("nics", {}, [&] { return BoxNics(input.topology); });
  for (std::size_t i = 0; i < rings.size(); ++i)
    for (std::size_t k = 0; k < rings[i].nics.size(); ++k) {
      if (rings[i].nics[k] == RingNics{}) continue;
      const int rank = rings[i].order[k];
      builder.nics(static_cast<std::uint16_t>(i), static_cast<ParticipantId>(rank),
                   {nic_id(nics, input, rank, rings[i].nics[k].out),
                    nic_id(nics, input, rank, rings[i].nics[k].in)});
    }
}

namespace {

using Cables = std::set<std::pair<NodeId, NodeId>>;

Cables direct_cables(const Topology& topology) {
  Cables cables;
  for (const Link& link : topology.links())
    if (is_direct(topology, link)) cables.emplace(link.from, link.to);
  return cables;
}

bool is_direct(const Ring& ring, const StrategyInput& input, const Cables& cables) {
  const std::size_t n = ring.order.size();
  const auto node = [&](std::size_t i) {
    return input.ranks[static_cast<std::size_t>(ring.order[i % n])];
  };
  for (std::size_t i = 0; i < n; ++i)
    if (!cables.contains({node(i), node(i + 1)})) return false;
  return true;
}

}  // namespace

std::string description(const std::vector<Ring>& rings, const StrategyInput& input) {
  constexpr std::size_t kMostWritten = 64;  // ranks, in all rings
  const bool brief = rings.size() * input.ranks.size() > kMostWritten;
  std::string text =
      brief ? std::to_string(rings.size()) + " of " + std::to_string(input.ranks.size()) + " ranks"
            : "";
  bool direct = true;
  const Cables& cables =
      input.findings->of("direct cables", {}, [&] { return direct_cables(input.topology); });
  for (const Ring& ring : rings) {
    direct = direct && is_direct(ring, input, cables);
    if (!brief) text += (text.empty() ? "" : "; ") + ring_text(ring);
  }
  return "rings: " + text + (direct || input.ranks.size() == 1 ? "" : " (over routes)");
}

}  // namespace syncsim::strategy
