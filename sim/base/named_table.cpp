#include "sim/base/named_table.h"

#include <cctype>
#include <cstddef>
#include <numeric>

#include "sim/base/quote.h"

namespace syncsim {
namespace {

constexpr std::size_t kMostListed = 12;

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Characters replaced, dropped, added, or swapped with their neighbour, each once: the optimal
// string alignment distance. Row i holds the distances of the first i characters of `a`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  const auto same = [&](std::size_t i, std::size_t j) { return lower(a[i]) == lower(b[j]); };
  for (std::size_t i = 0; i < a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({last[j] + (same(i, j) ? 0 : 1), row[j] + 1, last[j + 1] + 1});
      if (i > 0 && j > 0 && same(i, j - 1) && same(i - 1, j))
        row[j + 1] = std::min(row[j + 1], before_last[j - 1] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::string closest(std::string_view name, const std::vector<std::string>& candidates) {
  constexpr std::size_t kLongestName = 200;  // keeps hostile input from costing a square
  if (name.size() > kLongestName) return "";
  std::size_t best = std::max<std::size_t>(1, name.size() / 3) + 1;
  std::string result;
  for (const std::string& candidate : candidates) {
    const std::size_t distance = edit_distance(name, candidate);
    if (distance >= best || distance >= std::max(name.size(), candidate.size())) continue;
    best = distance;
    result = candidate;
  }
  return result;
}

InputError unknown_name(std::string_view what, std::string_view name,
                        const std::vector<std::string>& candidates) {
  const std::string wrong = "unknown " + std::string(what) + " " + in_quotes(name);
  if (const std::string guess = closest(name, candidates); !guess.empty())
    return {wrong, "did you mean \"" + guess + "\"?"};
  if (candidates.empty()) return {wrong, "there are none"};
  std::string listed;
  for (std::size_t i = 0; i < candidates.size() && i < kMostListed; ++i)
    listed += (i == 0 ? "" : ", ") + candidates[i];
  if (candidates.size() > kMostListed) listed += ", ...";
  return {wrong, "choose one of " + listed};
}

}  // namespace syncsim
