#include "sim/base/named_table.h"

#include <cctype>
#include <cstddef>
#include <numeric>

namespace syncsim {
namespace {

constexpr std::size_t kMostListed = 12;

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

// Levenshtein distance, one row at a time.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
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
    if (distance >= best) continue;
    best = distance;
    result = candidate;
  }
  return result;
}

InputError unknown_name(std::string_view what, std::string_view name,
                        const std::vector<std::string>& candidates) {
  const std::string wrong = "unknown " + std::string(what) + " \"" + std::string(name) + "\"";
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
