#include "sim/base/rank_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "sim/base/error.h"
#include "sim/base/quote.h"

namespace syncsim {
namespace {

InputError bad_ranks(std::string_view text, const std::string& why) {
  return {"ranks " + in_quotes(text) + ": " + why,
          "write ranks and ranges such as \"0-3\" or \"0,2,5-7\""};
}

// Reads one whole number off the front of `rest`, or gives -1.
int take_number(std::string_view& rest) {
  int value = -1;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error != std::errc() || value < 0 || value >= kMostRanks) return -1;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  return value;
}

}  // namespace

std::vector<int> parse_ranks(std::string_view text) {
  std::vector<int> ranks;
  std::string_view rest = text;
  do {
    if (!ranks.empty()) rest.remove_prefix(1);  // the comma
    const int first = take_number(rest);
    int last = first;
    if (rest.starts_with('-')) {
      rest.remove_prefix(1);
      last = take_number(rest);
    }
    if (first < 0 || last < 0) throw bad_ranks(text, "a rank is missing or too large");
    const int step = first <= last ? 1 : -1;
    for (int rank = first; rank != last + step; rank += step) ranks.push_back(rank);
  } while (rest.starts_with(','));
  if (!rest.empty()) throw bad_ranks(text, "unexpected " + in_quotes(rest.substr(0, 20)));
  std::vector<int> sorted = ranks;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
    throw bad_ranks(text, "rank " + std::to_string(*twice) + " stands twice");
  return ranks;
}

std::vector<std::string> ranges_of(std::span<const std::size_t> ranks) {
  std::vector<std::string> texts;
  for (std::size_t first = 0; first < ranks.size();) {
    std::size_t last = first;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    texts.push_back(first == last ? fmt::format("{}", ranks[first])
                                  : fmt::format("{}-{}", ranks[first], ranks[last]));
    first = last + 1;
  }
  return texts;
}

}  // namespace syncsim
