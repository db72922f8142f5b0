#include "sim/scenario/crossovers.h"

#include <algorithm>
#include <cmath>

namespace syncsim {
namespace {

Bytes size_of(const Report& report) { return report.facts.collective.bytes; }

// Three digits, so that people can say it; whole elements.
Bytes mean(Bytes low, Bytes high, std::int64_t element) {
  const double exact =
      std::sqrt(static_cast<double>(low.count)) * std::sqrt(static_cast<double>(high.count));
  const double unit = std::pow(10, std::max(0.0, std::floor(std::log10(exact)) - 2));
  const std::int64_t rounded = std::llround(exact / unit) * std::llround(unit);
  return {rounded - rounded % element};
}

bool close(Bytes low, Bytes high) {
  return static_cast<double>(high.count) <= kCrossoverFactor * static_cast<double>(low.count);
}

class Search {
 public:
  Search(Winners& winners, const WinnerAt& winner_at) : winners_(winners), winner_at_(winner_at) {}

  void between(const Report& low, const Report& high) const {
    if (low.facts.strategy == high.facts.strategy) return;
    const Bytes least = size_of(low);
    const Bytes most = size_of(high);
    const Bytes middle =
        least.count == 0 ? least : mean(least, most, low.facts.collective.element_size());
    if (close(least, most) || middle <= least || middle >= most) {
      winners_.crossovers.push_back({low, high});
      return;
    }
    const Report found = winner_at_(middle);
    between(low, found);
    between(found, high);
  }

 private:
  Winners& winners_;
  const WinnerAt& winner_at_;
};

}  // namespace

void add_crossovers(Winners& winners, const WinnerAt& winner_at) {
  const Search search(winners, winner_at);
  for (std::size_t i = 1; i < winners.sizes.size(); ++i)
    search.between(winners.sizes[i - 1], winners.sizes[i]);
}

}  // namespace syncsim
