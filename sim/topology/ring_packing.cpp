#include "sim/topology/ring_packing.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <utility>

namespace syncsim {
namespace {

constexpr int kQuickPackings = 64;
constexpr std::int64_t kQuickSteps = 20'000;    // to find one cycle
constexpr std::int64_t kListSteps = 2'000'000;  // to list them all
constexpr std::size_t kMostListed = 20'000;     // cycles
constexpr std::int64_t kExactChecks = 500'000;  // of one cycle against what is left, per sum
                                                // and number of rings
constexpr std::int64_t kAllChecks = 5'000'000;  // in all

int sum(const std::vector<Ring>& rings) {
  int result = 0;
  for (const Ring& ring : rings) result += ring.multiplicity;
  return result;
}

bool better(const std::vector<Ring>& a, const std::vector<Ring>& b) {
  if (sum(a) != sum(b)) return sum(a) > sum(b);
  return a.size() < b.size();
}

std::optional<Cycle> find_cycle(const Neighbours& neighbours) {
  std::optional<Cycle> result;
  search_cycles(neighbours, kQuickSteps, [&](const Cycle& cycle) {
    result = cycle;
    return false;
  });
  return result;
}

// Fisher-Yates, written out: std::shuffle differs between libraries.
void shuffle(std::vector<int>& values, std::mt19937& random) {
  for (std::size_t left = values.size(); left > 1; --left)
    std::swap(values[left - 1], values[random() % left]);
}

// `random` orders the neighbours; none: ascending.
std::vector<Ring> pack_quickly(CableMatrix cables, std::mt19937* random) {
  std::map<Cycle, int> packed;
  for (;;) {
    Neighbours order = neighbours(cables);
    if (random != nullptr)
      for (std::vector<int>& others : order) shuffle(others, *random);
    const std::optional<Cycle> cycle = find_cycle(order);
    if (!cycle) break;
    const int units = cables.slack(*cycle);
    cables.take(*cycle, units);
    packed[*cycle] += units;
  }
  std::vector<Ring> rings;
  for (const auto& [order, multiplicity] : packed) rings.push_back({order, multiplicity});
  return rings;
}

std::vector<Ring> best_quick_packing(const CableMatrix& cables) {
  std::vector<Ring> best = pack_quickly(cables, nullptr);
  for (std::uint32_t seed = 1; seed < kQuickPackings; ++seed) {
    if (sum(best) == cables.most_rings()) break;
    std::mt19937 random(seed);
    std::vector<Ring> rings = pack_quickly(cables, &random);
    if (better(rings, best)) best = std::move(rings);
  }
  return best;
}

// All cycles in ascending order; nothing when they are too many.
std::optional<std::vector<Cycle>> list_cycles(const CableMatrix& cables) {
  std::vector<Cycle> cycles;
  const SearchEnd end = search_cycles(neighbours(cables), kListSteps, [&](const Cycle& cycle) {
    cycles.push_back(cycle);
    return cycles.size() < kMostListed;
  });
  if (end != SearchEnd::exhausted) return std::nullopt;
  return cycles;
}

// Looks for a given number of different rings with a given sum of multiplicities. Multiplicities
// never rise along the choice, and cycles ascend among equal ones, so no set is tried twice.
class ExactPacking {
 public:
  ExactPacking(const CableMatrix& cables, const std::vector<Cycle>& cycles)
      : left_(cables), cycles_(cycles) {
    for (std::size_t i = 0; i < cycles.size(); ++i) all_.push_back({i, cables.slack(cycles[i])});
  }

  // Nothing when there is none, or when the budget is spent.
  std::optional<std::vector<Ring>> find(int sum, int rings) {
    checks_ = std::min(kExactChecks, all_checks_);
    const std::int64_t before = checks_;
    chosen_.clear();
    const bool found = extend(all_, {sum, rings, sum, 0});
    all_checks_ -= before - checks_ + 1;
    if (!found) return std::nullopt;
    std::reverse(chosen_.begin(), chosen_.end());
    return chosen_;
  }

  bool out_of_checks() const { return all_checks_ <= 0; }

 private:
  struct Candidate {
    std::size_t cycle = 0;
    int slack = 0;
  };
  struct Wanted {
    int sum = 0;
    int rings = 0;
    int most = 0;           // multiplicity
    std::size_t first = 0;  // cycle of that multiplicity
  };

  bool extend(const std::vector<Candidate>& candidates, const Wanted& wanted) {
    int widest = 0;
    for (const Candidate& candidate : candidates) widest = std::max(widest, candidate.slack);
    const int high = std::min({wanted.most, widest, wanted.sum - (wanted.rings - 1)});
    const int low = (wanted.sum + wanted.rings - 1) / wanted.rings;
    for (int multiplicity = high; multiplicity >= low; --multiplicity)
      for (const Candidate& candidate : candidates) {
        const bool seen = multiplicity == wanted.most && candidate.cycle < wanted.first;
        if (candidate.slack < multiplicity || seen) continue;
        if (choose(candidates, candidate.cycle, multiplicity, wanted)) return true;
        if (checks_ <= 0) return false;
      }
    return false;
  }

  // Tries one cycle; on success the chosen rings are listed from the last to the first.
  bool choose(const std::vector<Candidate>& candidates, std::size_t cycle, int multiplicity,
              const Wanted& wanted) {
    bool found = wanted.rings == 1;
    if (!found) {
      left_.take(cycles_[cycle], multiplicity);
      found = extend(still_fitting(candidates),
                     {wanted.sum - multiplicity, wanted.rings - 1, multiplicity, cycle + 1});
      left_.take(cycles_[cycle], -multiplicity);
    }
    if (found) chosen_.push_back({cycles_[cycle], multiplicity});
    return found;
  }

  std::vector<Candidate> still_fitting(const std::vector<Candidate>& candidates) {
    checks_ -= static_cast<std::int64_t>(candidates.size());
    std::vector<Candidate> result;
    for (const Candidate& candidate : candidates)
      if (const int slack = left_.slack(cycles_[candidate.cycle]); slack > 0)
        result.push_back({candidate.cycle, slack});
    return result;
  }

  CableMatrix left_;
  const std::vector<Cycle>& cycles_;
  std::vector<Candidate> all_;
  std::vector<Ring> chosen_;
  std::int64_t checks_ = 0;
  std::int64_t all_checks_ = kAllChecks;
};

std::vector<Ring> improve(const CableMatrix& cables, std::vector<Ring> quick) {
  const std::optional<std::vector<Cycle>> cycles = list_cycles(cables);
  if (!cycles) return quick;
  ExactPacking exact(cables, *cycles);
  const int quick_sum = sum(quick);
  for (int wanted = cables.most_rings(); wanted >= quick_sum; --wanted) {
    const int most_rings = wanted == quick_sum ? static_cast<int>(quick.size()) : wanted;
    for (int rings = 1; rings <= most_rings; ++rings) {
      if (exact.out_of_checks()) return quick;
      if (auto found = exact.find(wanted, rings)) return *std::move(found);
    }
  }
  return quick;
}

}  // namespace

std::vector<Ring> pack_rings(const CableMatrix& cables) {
  std::vector<Ring> rings = best_quick_packing(cables);
  if (rings.empty()) return rings;
  rings = improve(cables, std::move(rings));
  sort_rings(rings);
  return rings;
}

void sort_rings(std::vector<Ring>& rings) {
  std::stable_sort(rings.begin(), rings.end(), [](const Ring& a, const Ring& b) {
    if (a.multiplicity != b.multiplicity) return a.multiplicity > b.multiplicity;
    return a.order < b.order;
  });
}

}  // namespace syncsim
