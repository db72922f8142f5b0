// Swing (De Sensi, Bonato, Saam and Hoefler, NSDI 2024), the variant that is best for bandwidth:
// halving and doubling in which a rank meets near ones first, on a torus of powers of two. In its
// k-th round along a dimension of length d, an even coordinate x meets x + (1 - (-2)^(k+1)) / 3
// modulo d, so that the distances are 1, 1, 3, 5, 11, ...; the rounds take the dimensions in turn.
// The data is shared by 2D collectives, one for each link of a rank: begun in each dimension, and
// each mirrored (x - ...). Reduce-scatter: lg n steps and M / 2DB times what links are shared,
// 19 % more in two dimensions, 4 % in three. Ranks that are no power of two fold (fold.h).

#include <algorithm>
#include <bit>

#include "strategies/announce.h"
#include "strategies/butterfly.h"
#include "strategies/shares.h"
#include "strategies/strategies.h"
#include "strategies/torus.h"

namespace syncsim::strategy {
namespace {

bool is_power_of_two(int length) { return std::has_single_bit(static_cast<unsigned>(length)); }

bool has_powers_of_two(const Torus& torus) {
  return std::all_of(torus.lengths.begin(), torus.lengths.end(), is_power_of_two);
}

Torus chosen_torus(const StrategyInput& input, ScheduleBuilder& builder, const Fold& fold) {
  if (const std::optional<Torus> given = given_torus(input)) {
    if (has_powers_of_two(*given)) return *given;
    throw input.parameters.error("dimensions", given->text() + " has a length of no power of two",
                                 "write powers of two; auto folds other numbers of ranks");
  }
  const std::optional<Torus> found = find_torus(input);
  const Torus torus = found && has_powers_of_two(*found) ? *found : Torus{{fold.members()}};
  builder.note("dimensions: " + torus.text());
  return torus;
}

// The coordinate that `coordinate` meets in a dimension's k-th round, not yet modulo its length.
int met(int coordinate, int k, bool backward) {
  int step = 1;  // the sum of (-2)^i up to k
  for (int power = -2; k > 0; --k, power *= -2) step += power;
  return coordinate + ((coordinate % 2 == 0) != backward ? step : -step);
}

Butterfly swing(const Fold& fold, const Torus& torus, const Crossing& crossing) {
  std::vector<std::vector<int>> peers;
  std::vector<int> done(torus.lengths.size());  // rounds, by dimension
  for (int turn = crossing.first_dimension; static_cast<int>(peers.size()) < fold.rounds();
       ++turn) {
    const int dimension = turn % torus.dimensions();
    int& k = done[static_cast<std::size_t>(dimension)];
    if (1 << k == torus.length(dimension)) continue;
    std::vector<int>& peer = peers.emplace_back();
    for (int member = 0; member < fold.members(); ++member)
      peer.push_back(torus.moved(member, dimension,
                                 met(torus.coordinate(member, dimension), k, crossing.backward)));
    ++k;
  }
  return {fold, std::move(peers)};
}

}  // namespace

void emit_swing(const StrategyInput& input, ScheduleBuilder& builder) {
  const Fold fold(builder);
  const Torus torus = chosen_torus(input, builder, fold);
  std::vector<Butterfly> butterflies;
  for (const Crossing& crossing : chosen_crossings(input, torus))
    butterflies.push_back(swing(fold, torus, crossing));
  const Shares shares(builder, fold, orders_of(butterflies));
  const auto n = static_cast<std::uint64_t>(builder.ranks());
  const auto members = static_cast<std::uint64_t>(fold.members());
  const std::uint64_t times = sums_everywhere(builder.collective().kind) ? 2 : 1;
  const std::uint64_t pairs =
      butterflies.size() * members * static_cast<std::uint64_t>(fold.rounds());
  const std::uint64_t moves = (times * butterflies.size() * n + 2 * (n - members)) * n;
  announce(builder, times * pairs + 2 * (n - members) + shares.copies(), pairs + 2 * n,
           moves + shares.copies());
  Rounds rounds(builder);
  fold.fold(rounds);
  shares.exchange(butterflies, rounds);
  fold.unfold(rounds);
}

}  // namespace syncsim::strategy
