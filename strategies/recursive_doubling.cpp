// Recursive doubling (Thakur, Rabenseifner and Gropp, Int. J. High Perform. Comput. Appl. 19(1),
// 2005): in round k every rank exchanges all that it has with the rank 2^k away, so that after lg n
// rounds each has everything. An allreduce exchanges whole sums, lg n (a + M / B): few steps, many
// bytes. An all-gather doubles what a rank has, lg n a + (n-1)/n M / B. A reduce-scatter leaves out
// what only the sender's side needs. Of n that is no power of two the ranks fold (fold.h).
// Sums go to and fro between the data and a scratch buffer, since both of a pair read while they
// add; copies within a rank cost nothing.

#include <utility>

#include "strategies/announce.h"
#include "strategies/butterfly.h"
#include "strategies/strategies.h"

namespace syncsim::strategy {
namespace {

Slice moved(const Slice& slice, const Slice& from, const Slice& to) {
  const std::int64_t shift = to.begin - from.begin;
  return {to.buffer, slice.begin + shift, slice.end + shift};
}

class Doubling {
 public:
  explicit Doubling(ScheduleBuilder& builder)
      : builder_(builder), fold_(builder), rounds_(builder) {
    if (has_blocks(builder.collective().kind)) parts_ = fold_.parts();
    announce_all();
  }

  void emit() {
    fold_.fold(rounds_);
    if (gathers())
      all_gather();
    else
      exchange_sums();
    fold_.unfold(rounds_);
  }

 private:
  bool gathers() const { return builder_.collective().kind == CollectiveKind::all_gather; }

  // A sum moves about all parts, the rounds of an all-gather together all but one.
  void announce_all() const {
    const auto n = static_cast<std::uint64_t>(builder_.ranks());
    const auto members = static_cast<std::uint64_t>(fold_.members());
    const auto rounds = static_cast<std::uint64_t>(fold_.rounds());
    const std::uint64_t slices = gathers() || parts_.empty() ? 1 : 2;
    const std::uint64_t transfers = members * rounds * slices + 2 * (n - members);
    const std::uint64_t kept = gathers() ? 0 : members * (rounds * slices + rounds % 2);
    const std::uint64_t parts = parts_.empty() ? 1 : n;
    announce(builder_, transfers + kept, transfers + members,
             gathers() ? n * (n + 1) : (transfers + kept) * parts);
  }

  void all_gather() {
    builder_.phase("all-gather");
    for (int round = 0; round < fold_.rounds(); ++round) {
      for (int member = 0; member < fold_.members(); ++member)
        rounds_.copy(fold_.rank(member), fold_.rank(peer(member, round)), of_side(member, round));
      rounds_.next();
    }
  }

  static int peer(int member, int round) { return member ^ (1 << round); }

  // The parts of the members that a member has met before a round, and its own.
  Slice of_side(int member, int round) const {
    const auto first = static_cast<std::size_t>(member >> round << round);
    return joined(parts_[first], parts_[first + (std::size_t{1} << round) - 1]);
  }
  // What a member's peer needs of its sums: two slices, sent side by side.
  std::vector<Slice> sent(int member, int round) const {
    const Slice data = builder_.data();
    if (parts_.empty()) return {data};
    const Slice own = of_side(member, round);
    return {{data.buffer, data.begin, own.begin}, {data.buffer, own.end, data.end}};
  }

  // Each round adds to a copy of what was there: from the data to scratch, or back. The first of an
  // odd number begins in scratch, so that the last one ends in the data.
  void exchange_sums() {
    builder_.phase(parts_.empty() ? "exchange" : "reduce-scatter");
    const Slice data = builder_.data();
    Slice now = data;
    Slice next = builder_.scratch("doubling", {data.size()});
    if (fold_.rounds() % 2 == 1) {
      for (int member = 0; member < fold_.members(); ++member)
        builder_.copy(fold_.rank(member), now, fold_.rank(member), next);
      std::swap(now, next);
    }
    for (int round = 0; round < fold_.rounds(); ++round) {
      keep(round, now, next);
      add(round, now, next);
      rounds_.next();
      std::swap(now, next);
    }
  }
  // What each member will add to, where it will.
  void keep(int round, const Slice& now, const Slice& next) const {
    for (int member = 0; member < fold_.members(); ++member)
      for (const Slice& slice : sent(peer(member, round), round))
        builder_.copy(fold_.rank(member), moved(slice, builder_.data(), now), fold_.rank(member),
                      moved(slice, builder_.data(), next));
  }
  void add(int round, const Slice& now, const Slice& next) {
    const Slice data = builder_.data();
    for (int member = 0; member < fold_.members(); ++member) {
      std::uint16_t channel = 0;
      for (const Slice& slice : sent(member, round))
        rounds_.reduce(fold_.rank(member), moved(slice, data, now), fold_.rank(peer(member, round)),
                       moved(slice, data, next), channel++);
    }
  }

  ScheduleBuilder& builder_;
  Fold fold_;
  Rounds rounds_;
  std::vector<Slice> parts_;  // by member; none of allreduce
};

}  // namespace

void emit_recursive_doubling(const StrategyInput&, ScheduleBuilder& builder) {
  Doubling(builder).emit();
}

}  // namespace syncsim::strategy
