// Recursive halving and doubling (Rabenseifner's algorithm; Thakur, Rabenseifner and Gropp, Int. J.
// High Perform. Comput. Appl. 19(1), 2005). Reduce-scatter in lg n rounds: with the rank half of
// all ranks away exchange halves of the data, with the one a quarter away halves of those, ...; the
// all-gather goes back. An allreduce takes 2 lg n steps and 2 (n-1)/n M / B.
//   reduce      reduce-scatter, then the parts are gathered up a binomial tree
//   broadcast   the parts are scattered down a binomial tree, then all-gather
// Of n that is no power of two, q the largest below: the ranks fold (fold.h), which costs an
// allreduce two more steps of M / B. Of a reduce-scatter or an all-gather, members exchange whole
// parts, one or two each, so that halves are uneven: 5 ranks take 2.2 M / B, 13 take 2.08, a little
// more than the 2 that even halves would.

#include "strategies/announce.h"
#include "strategies/butterfly.h"
#include "strategies/strategies.h"

namespace syncsim::strategy {
namespace {

class HalvingDoubling {
 public:
  explicit HalvingDoubling(ScheduleBuilder& builder)
      : builder_(builder), fold_(builder), butterfly_(fold_, peers()), rounds_(builder) {
    const auto n = static_cast<std::uint64_t>(builder.ranks());
    const auto steps = static_cast<std::uint64_t>(2 * fold_.rounds());
    const bool twice = sums_everywhere(kind());
    // Beside the rounds, in which a member moves every piece but one, a tree or extras, twice.
    announce(builder, static_cast<std::uint64_t>(fold_.members()) * steps / (twice ? 1 : 2) + 2 * n,
             n * steps + 2 * n, 2 * n * (n + steps));
    pieces_ = has_blocks(kind()) ? fold_.parts() : builder.split(builder.data(), fold_.members());
  }

  void emit() {
    const CollectiveRow& facts = row(kind());
    fold_.fold(rounds_);
    if (facts.contributors == Who::all) reduce_scatter();
    if (facts.contributors == Who::root) scatter();
    if (facts.holders == Who::root) gather();
    if (facts.holders == Who::all) all_gather();
    fold_.unfold(rounds_);
  }

 private:
  CollectiveKind kind() const { return builder_.collective().kind; }
  int half(int round) const { return fold_.members() >> (round + 1); }

  std::vector<std::vector<int>> peers() const {
    std::vector<std::vector<int>> result;
    for (int round = 0; round < fold_.rounds(); ++round) {
      std::vector<int>& peer = result.emplace_back();
      for (int member = 0; member < fold_.members(); ++member) peer.push_back(member ^ half(round));
    }
    return result;
  }

  void reduce_scatter() {
    builder_.phase("reduce-scatter");
    butterfly_.reduce_scatter(rounds_, pieces_);
  }
  void all_gather() {
    builder_.phase("all-gather");
    butterfly_.all_gather(rounds_, pieces_);
  }

  // The branches of a binomial tree over the members whose length is `reach`: act(child, parent,
  // the pieces of the child's subtree).
  template <class Act>
  void each_branch(int reach, Act&& act) {
    const int root = fold_.member(builder_.collective().root);
    for (int member = 0; member < fold_.members(); ++member) {
      const int away = member ^ root;
      if (away % reach != 0 || away / reach % 2 == 0) continue;
      const auto first = static_cast<std::size_t>(member / reach * reach);
      const std::size_t last = first + static_cast<std::size_t>(reach) - 1;
      act(fold_.rank(member), fold_.rank(member ^ reach), joined(pieces_[first], pieces_[last]));
    }
    rounds_.next();
  }
  void gather() {
    builder_.phase("gather");
    for (int round = fold_.rounds() - 1; round >= 0; --round)
      each_branch(half(round), [&](ParticipantId child, ParticipantId parent, const Slice& slice) {
        rounds_.copy(child, parent, slice);
      });
  }
  void scatter() {
    builder_.phase("scatter");
    for (int round = 0; round < fold_.rounds(); ++round)
      each_branch(half(round), [&](ParticipantId child, ParticipantId parent, const Slice& slice) {
        rounds_.copy(parent, child, slice);
      });
  }

  ScheduleBuilder& builder_;
  Fold fold_;
  Butterfly butterfly_;
  Rounds rounds_;
  std::vector<Slice> pieces_;
};

}  // namespace

void emit_halving_doubling(const StrategyInput&, ScheduleBuilder& builder) {
  HalvingDoubling(builder).emit();
}

}  // namespace syncsim::strategy
