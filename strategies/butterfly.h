#pragma once
// Reduce-scatter and all-gather of a power of two of members in rounds of pairs, as
// halving_doubling and swing do them; they differ in who meets whom. In each round of the
// reduce-scatter a member sends its peer one half of what it still adds up, and gets the other
// half; the all-gather goes back the same way. So that halves are contiguous, the pieces are in the
// order of positions: those whom a member still meets from some round on have positions next to
// each other.

#include <cstdint>
#include <utility>
#include <vector>

#include "strategies/fold.h"

namespace syncsim::strategy {

class Butterfly {
 public:
  // peers[round][member]. Rounds are counted as in the reduce-scatter.
  Butterfly(const Fold& fold, std::vector<std::vector<int>> peers);

  int position(int member) const { return positions_[static_cast<std::size_t>(member)]; }
  // Members by position.
  std::vector<int> order() const;
  // `pieces` by position, contiguous.
  void reduce_scatter(Rounds& transfers, const std::vector<Slice>& pieces,
                      std::uint16_t channel = 0) const;
  void all_gather(Rounds& transfers, const std::vector<Slice>& pieces,
                  std::uint16_t channel = 0) const;

 private:
  // What a member holds, or adds up, before that round of the reduce-scatter.
  Slice held(int member, int round, const std::vector<Slice>& pieces) const;
  int rounds() const { return static_cast<int>(peers_.size()); }

  const Fold& fold_;
  std::vector<std::vector<int>> peers_;
  std::vector<int> positions_;
};

}  // namespace syncsim::strategy
