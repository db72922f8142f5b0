// Runs share nothing but what they are given to read: any number of them at once gives the bits
// that each gives alone. (Clean under the tsan preset.)

#include <doctest/doctest.h>

#include <bit>
#include <future>
#include <latch>
#include <vector>

#include "tests/engine/plain_work.h"
#include "tests/engine/random_works.h"

namespace syncsim::engine::threads_test {
namespace {

constexpr std::size_t kSimulations = 12;

struct Simulation {
  explicit Simulation(std::uint64_t seed)
      : draw(seed),
        network(RandomMachine(draw).network(16)),
        work(random_work(draw, network, {.lanes = 24, .ops = 400})) {}
  Draw draw;
  Network network;
  PlainWork work;
};

using Bits = std::vector<std::uint64_t>;

// All that comes of a run: times, order, accounts.
Bits bits_of(const Result& result) {
  Bits bits;
  const auto add = [&](auto value) { bits.push_back(static_cast<std::uint64_t>(value)); };
  for (const OpRecord& op : result.table.ops)
    for (const std::int64_t time : {op.ready, op.start, op.finish}) add(time);
  for (const std::uint32_t op : result.table.order) add(op);
  add(result.totals.finish.ps);
  add(result.totals.ops_done);
  add(result.totals.solves);
  for (const ResourceUsage& usage : result.totals.resources) {
    add(std::bit_cast<std::uint64_t>(usage.bytes));
    add(usage.busy);
    add(usage.saturated);
  }
  return bits;
}

// All simulations, the `first` first, so that threads run different ones at a time.
std::vector<Bits> run_all(const std::vector<Simulation>& simulations, std::size_t first) {
  std::vector<Bits> results(simulations.size());
  for (std::size_t i = 0; i < simulations.size(); ++i) {
    const std::size_t next = (first + i) % simulations.size();
    results[next] = bits_of(simulate(simulations[next].network, simulations[next].work));
  }
  return results;
}

std::vector<std::vector<Bits>> run_in_threads(const std::vector<Simulation>& simulations,
                                              std::size_t threads) {
  std::latch all_here(static_cast<std::ptrdiff_t>(threads));
  std::vector<std::future<std::vector<Bits>>> running;
  for (std::size_t thread = 0; thread < threads; ++thread)
    running.push_back(std::async(std::launch::async, [&, thread] {
      all_here.arrive_and_wait();
      return run_all(simulations, thread);
    }));
  std::vector<std::vector<Bits>> results;
  for (auto& thread : running) results.push_back(thread.get());
  return results;
}

TEST_CASE("runs in 1, 2, 4 and 8 threads, and again, give the bits of runs one by one") {
  std::vector<Simulation> simulations;
  for (std::uint64_t seed = 0; seed < kSimulations; ++seed) simulations.emplace_back(seed);
  const std::vector<Bits> alone = run_all(simulations, 0);
  for (const std::size_t threads : {1, 2, 4, 8})
    for (int repetition = 0; repetition < 3; ++repetition)
      for (const std::vector<Bits>& results : run_in_threads(simulations, threads))
        for (std::size_t i = 0; i < results.size(); ++i) {
          CAPTURE(threads);
          CAPTURE(i);
          REQUIRE(results[i] == alone[i]);
        }
}

}  // namespace
}  // namespace syncsim::engine::threads_test
