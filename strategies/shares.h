#pragma once
// The data in equal shares, each cut into pieces in an order of its own: what several collectives
// at once work on, each with a channel of its own. Where blocks belong to ranks, the pieces are
// shares of the ranks' parts, which lie apart in the data: they are laid out in a scratch buffer,
// so that a run of pieces is one message. Copies within a rank cost nothing.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "strategies/fold.h"

namespace syncsim::strategy {

class Shares {
 public:
  // orders[share][position]: the member whose piece is there.
  Shares(ScheduleBuilder& builder, const Fold& fold, const std::vector<std::vector<int>>& orders);

  // Reduce-scatters, all-gathers or does both, as the collective asks. Exchanges, one a share, have
  // reduce_scatter(Rounds&, pieces by position, channel) and all_gather(...). All begin after the
  // rounds so far.
  template <class Exchange>
  void exchange(const std::vector<Exchange>& exchanges, const Rounds& rounds) const;

  // By position.
  const std::vector<Slice>& pieces(std::size_t share) const { return pieces_[share]; }
  // Before the exchanges: what every member has goes from the data to the layout. After them: what
  // a member has to end with, or to hand to its extra, comes back.
  void lay_out() const;
  void bring_back() const;
  // How many copies within ranks this takes.
  std::uint64_t copies() const;

 private:
  enum class Whose : std::uint8_t { own, others };
  template <class Act>
  void each_part(Whose whose, Act&& act) const;
  void copy_in(Whose whose) const;
  void copy_out(Whose whose) const;

  ScheduleBuilder& builder_;
  const Fold& fold_;
  std::vector<std::vector<Slice>> pieces_;
  // By rank and share, where its part is: in the data, and in the layout. Empty without a layout.
  std::vector<std::vector<Slice>> home_;
  std::vector<std::vector<Slice>> laid_out_;
};

template <class Exchange>
void Shares::exchange(const std::vector<Exchange>& exchanges, const Rounds& rounds) const {
  const CollectiveRow& facts = row(builder_.collective().kind);
  builder_.phase(facts.contributors == Who::all ? "reduce-scatter" : "all-gather");
  lay_out();
  for (std::size_t share = 0; share < exchanges.size(); ++share) {
    const auto channel = static_cast<std::uint16_t>(share);
    Rounds own = rounds;
    if (facts.contributors == Who::all) {
      builder_.phase("reduce-scatter");
      exchanges[share].reduce_scatter(own, pieces_[share], channel);
    }
    if (facts.holders == Who::all) {
      builder_.phase("all-gather");
      exchanges[share].all_gather(own, pieces_[share], channel);
    }
  }
  bring_back();
}

// The order() of each exchange.
template <class Exchange>
std::vector<std::vector<int>> orders_of(const std::vector<Exchange>& exchanges) {
  std::vector<std::vector<int>> result;
  for (const Exchange& each : exchanges) result.push_back(each.order());
  return result;
}

}  // namespace syncsim::strategy
