#include "strategies/ring_orders.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "sim/base/text.h"

namespace syncsim::strategy {
namespace {

constexpr int kMostMultiplicity = 1000;

std::vector<std::string_view> separated(std::string_view text, char separator) {
  std::vector<std::string_view> result;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    result.push_back(trimmed(text.substr(begin, end - begin)));
    begin = end + 1;
  }
  return result;
}

InputError bad_ring(std::string_view ring, const std::string& why, int ranks) {
  return {"parameter \"rings\": ring \"" + std::string(ring) + "\" " + why,
          "name each of the ranks 0 to " + std::to_string(ranks - 1) +
              " once, separated by commas, such as \"0,1,2\" or \"0,1,2 x2\""};
}

// A whole number in [0, most], or -1.
int whole_number(std::string_view text, int most) {
  int value = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool good = error == std::errc() && end == text.data() + text.size();
  return good && value >= 0 && value <= most ? value : -1;
}

Ring parse_ring(std::string_view text, int ranks) {
  Ring ring;
  std::string_view order = text;
  if (const auto times = text.find('x'); times != std::string_view::npos) {
    order = trimmed(text.substr(0, times));
    ring.multiplicity = whole_number(trimmed(text.substr(times + 1)), kMostMultiplicity);
    if (ring.multiplicity < 1)
      throw bad_ring(text, "has no multiplicity between 1 and 1000 after its x", ranks);
  }
  std::vector<bool> seen(static_cast<std::size_t>(ranks));
  for (const std::string_view item : separated(order, ',')) {
    const int rank = whole_number(item, ranks - 1);
    if (rank < 0)
      throw bad_ring(text, "names \"" + std::string(item) + "\", which is no rank", ranks);
    if (seen[static_cast<std::size_t>(rank)])
      throw bad_ring(text, "names rank " + std::to_string(rank) + " twice", ranks);
    seen[static_cast<std::size_t>(rank)] = true;
    ring.order.push_back(rank);
  }
  const auto missing = std::find(seen.begin(), seen.end(), false);
  if (missing != seen.end())
    throw bad_ring(text, "leaves out rank " + std::to_string(missing - seen.begin()), ranks);
  return ring;
}

Ring reversed(Ring ring) {
  std::reverse(ring.order.begin() + 1, ring.order.end());
  return ring;
}

}  // namespace

std::vector<Ring> parse_rings(std::string_view text, int ranks) {
  std::vector<Ring> rings;
  for (const std::string_view ring : separated(text, ';')) rings.push_back(parse_ring(ring, ranks));
  return rings;
}

std::vector<Ring> chosen_rings(const StrategyInput& input) {
  const std::string& written = input.parameters.text("rings");
  std::vector<Ring> rings = written == "auto"
                                ? find_rings(input.topology, input.ranks)
                                : parse_rings(written, static_cast<int>(input.ranks.size()));
  if (input.parameters.choice("directions", {"one", "both"}) == "one") return rings;
  std::vector<Ring> both;
  for (const Ring& ring : rings) {
    both.push_back(ring);
    both.push_back(reversed(ring));
  }
  return both;
}

}  // namespace syncsim::strategy
