// Rings along the dimensions of a torus, one dimension after the other (the bucket algorithm: Jain
// and Sabharwal, IPDPS 2010; as on TPUs). A reduce-scatter goes around the first dimension with all
// data, around the next with what is left of it, and so on; the all-gather goes back. With lengths
// d an allreduce takes 2 sum(d - 1) steps and 2 (n-1)/n M / B in all.
// The data is shared by 2D such collectives, one for each link of a rank: they begin in each
// dimension, and go either way round, so that all links are busy: 2 (n-1)/n M / 2DB on a cube.

#include <numeric>

#include "strategies/announce.h"
#include "strategies/shares.h"
#include "strategies/strategies.h"
#include "strategies/torus.h"

namespace syncsim::strategy {
namespace {

// As square as the number of ranks allows.
Torus square_torus(int ranks) {
  int side = 1;
  for (int divisor = 2; divisor <= ranks / divisor; ++divisor)
    if (ranks % divisor == 0) side = divisor;
  return side == 1 ? Torus{{ranks}} : Torus{{side, ranks / side}};
}

Torus chosen_torus(const StrategyInput& input, ScheduleBuilder& builder) {
  if (const std::optional<Torus> given = given_torus(input)) return *given;
  const std::optional<Torus> found = find_torus(input);
  const Torus torus = found ? *found : square_torus(builder.ranks());
  builder.note("dimensions: " + torus.text() + (found ? ", as in the machine" : ""));
  return torus;
}

// One share's way through the torus.
class Bucket {
 public:
  Bucket(const Torus& torus, const Crossing& crossing, int places)
      : torus_(torus), places_(places), direction_(crossing.backward ? -1 : 1) {
    for (int turn = 0; turn < torus.dimensions(); ++turn)
      dimensions_.push_back((crossing.first_dimension + turn) % torus.dimensions());
  }

  // Places by position: those with the same coordinate in the first dimension are neighbours, among
  // them those with the same in the second, and so on.
  std::vector<int> order() const {
    std::vector<int> result(static_cast<std::size_t>(places_));
    for (int place = 0; place < places_; ++place)
      result[static_cast<std::size_t>(block(place, torus_.dimensions(), 0).first)] = place;
    return result;
  }

  // A block goes once around, from after the place that it is for, to it.
  void reduce_scatter(Rounds& rounds, const std::vector<Slice>& pieces,
                      std::uint16_t channel) const {
    for (int turn = 0; turn < torus_.dimensions(); ++turn)
      travel(turn, 1, rounds, [&](ParticipantId from, ParticipantId to, const Block& block) {
        rounds.reduce(from, to, slice_of(block, pieces), channel);
      });
  }
  void all_gather(Rounds& rounds, const std::vector<Slice>& pieces, std::uint16_t channel) const {
    for (int turn = torus_.dimensions() - 1; turn >= 0; --turn)
      travel(turn, 0, rounds, [&](ParticipantId from, ParticipantId to, const Block& block) {
        rounds.copy(from, to, slice_of(block, pieces), channel);
      });
  }

 private:
  struct Block {
    int first;  // position
    int pieces;
  };
  // What places share with this one: its coordinates in the dimensions before `turn`, and `of`
  // there.
  Block block(int place, int turn, int of) const {
    Block result{0, places_};
    for (int before = 0; before <= turn && before < torus_.dimensions(); ++before) {
      const int dimension = dimensions_[static_cast<std::size_t>(before)];
      const int coordinate = before < turn ? torus_.coordinate(place, dimension) : of;
      result.pieces /= torus_.length(dimension);
      result.first += coordinate * result.pieces;
    }
    return result;
  }

  // Around the rings of a dimension, each block beginning `shift` after the coordinate it is of.
  template <class Send>
  void travel(int turn, int shift, Rounds& rounds, Send&& send) const {
    const int dimension = dimensions_[static_cast<std::size_t>(turn)];
    const int length = torus_.length(dimension);
    for (int hop = shift; hop < length - 1 + shift; ++hop) {
      for (int place = 0; place < places_; ++place) {
        const int here = torus_.coordinate(place, dimension);
        const int of = ((here - direction_ * hop) % length + length) % length;
        const int next = torus_.moved(place, dimension, here + direction_);
        send(static_cast<ParticipantId>(place), static_cast<ParticipantId>(next),
             block(place, turn, of));
      }
      rounds.next();
    }
  }
  static Slice slice_of(const Block& block, const std::vector<Slice>& pieces) {
    const auto first = static_cast<std::size_t>(block.first);
    return joined(pieces[first], pieces[first + static_cast<std::size_t>(block.pieces) - 1]);
  }

  const Torus& torus_;
  int places_;
  int direction_;
  std::vector<int> dimensions_;  // in turn
};

}  // namespace

void emit_torus_rings(const StrategyInput& input, ScheduleBuilder& builder) {
  const Fold all(builder, builder.ranks());
  const Torus torus = chosen_torus(input, builder);
  std::vector<Bucket> buckets;
  for (const Crossing& crossing : chosen_crossings(input, torus))
    buckets.emplace_back(torus, crossing, builder.ranks());
  const Shares shares(builder, all, orders_of(buckets));
  const auto n = static_cast<std::uint64_t>(builder.ranks());
  const std::uint64_t times = sums_everywhere(builder.collective().kind) ? 2 : 1;
  const std::uint64_t ways = buckets.size() * n;
  const auto hops = static_cast<std::uint64_t>(
      std::accumulate(torus.lengths.begin(), torus.lengths.end(), -torus.dimensions()));
  announce(builder, times * ways * hops + shares.copies(), ways * torus.lengths.size() + n,
           times * ways * n + shares.copies());
  shares.exchange(buckets, Rounds(builder));
}

}  // namespace syncsim::strategy
