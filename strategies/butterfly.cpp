#include "strategies/butterfly.h"

#include <algorithm>
#include <numeric>

namespace syncsim::strategy {

// A position's bits, the highest first, say for each round on which side of it a member is: where
// the least member is that it meets in later rounds, or on the other.
Butterfly::Butterfly(const Fold& fold, std::vector<std::vector<int>> peers)
    : fold_(fold), peers_(std::move(peers)), positions_(static_cast<std::size_t>(fold.members())) {
  std::vector<int> least(positions_.size());
  std::iota(least.begin(), least.end(), 0);
  for (int round = rounds() - 1; round >= 0; --round) {
    const std::vector<int> own = least;
    const std::vector<int>& peer = peers_[static_cast<std::size_t>(round)];
    for (std::size_t member = 0; member < own.size(); ++member) {
      const int other = own[static_cast<std::size_t>(peer[member])];
      if (other < own[member]) positions_[member] += fold.members() >> (round + 1);
      least[member] = std::min(own[member], other);
    }
  }
}

std::vector<int> Butterfly::order() const {
  std::vector<int> result(positions_.size());
  for (int member = 0; member < fold_.members(); ++member)
    result[static_cast<std::size_t>(position(member))] = member;
  return result;
}

Slice Butterfly::held(int member, int round, const std::vector<Slice>& pieces) const {
  const int length = fold_.members() >> round;
  const auto first = static_cast<std::size_t>(position(member) / length * length);
  return joined(pieces[first], pieces[first + static_cast<std::size_t>(length) - 1]);
}

void Butterfly::reduce_scatter(Rounds& transfers, const std::vector<Slice>& pieces,
                               std::uint16_t channel) const {
  for (int round = 0; round < rounds(); ++round) {
    for (int member = 0; member < fold_.members(); ++member) {
      const int peer = peers_[static_cast<std::size_t>(round)][static_cast<std::size_t>(member)];
      transfers.reduce(fold_.rank(member), fold_.rank(peer), held(peer, round + 1, pieces),
                       channel);
    }
    transfers.next();
  }
}

void Butterfly::all_gather(Rounds& transfers, const std::vector<Slice>& pieces,
                           std::uint16_t channel) const {
  for (int round = rounds() - 1; round >= 0; --round) {
    for (int member = 0; member < fold_.members(); ++member) {
      const int peer = peers_[static_cast<std::size_t>(round)][static_cast<std::size_t>(member)];
      transfers.copy(fold_.rank(member), fold_.rank(peer), held(member, round + 1, pieces),
                     channel);
    }
    transfers.next();
  }
}

}  // namespace syncsim::strategy
