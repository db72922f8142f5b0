#include <doctest/doctest.h>

#include <cstdlib>
#include <new>

#include "tests/engine/plain_work.h"
#include "tests/engine/random_numbers.h"

namespace {
std::size_t allocations = 0;
}  // namespace

// Of the whole test program: the only way to see what a library allocates.
void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace syncsim::engine {
namespace {

struct AllocationWatch {
  void record(std::uint32_t, std::int64_t, std::int64_t, std::int64_t) {
    if (records++ == 0) first = allocations;
    last = allocations;
  }
  std::size_t records = 0;
  std::size_t first = 0;
  std::size_t last = 0;
};

// A hub where all meet, contention that comes and goes with every op, and capacities that change.
TEST_CASE("from its first op to its last a run allocates nothing") {
  constexpr std::uint32_t kPorts = 12;
  Draw draw(1);
  Network network(std::vector<double>(kPorts, 1e9));
  PlainWork work;
  const auto begin = work.join();
  for (std::uint32_t route = 0; route < 60; ++route) {
    const ResourceIndex port = draw.below(kPorts);
    const Use uses[] = {{port, 1}, {(port + 1 + draw.below(kPorts - 1)) % kPorts, 1.5}};
    network.add_route(uses);
  }
  for (std::uint32_t lane = 0; lane < 60; ++lane)
    work.add_lane({Time{draw.below(1'000)}, Time{draw.below(10)}, 1.0 + draw.below(3),
                   draw.chance(20) ? 5e7 : 0});
  for (int op = 0; op < 3'000; ++op) {
    const auto lane = draw.below(60);
    const auto next =
        draw.chance(5) ? work.join() : work.transfer(lane, draw.below(60), 1 + draw.below(10'000));
    work.edge(begin, next);
    if (draw.chance(50)) work.edge(draw.below(next), next);
    if (draw.chance(10)) work.release(next, draw.below(1'000'000'000));
  }
  std::vector<CapacityChange> changes;
  for (std::uint32_t change = 1; change < 500; ++change)
    changes.push_back({change * kMicrosecond, draw.below(kPorts), draw.chance(20) ? 0 : 5e8});
  for (ResourceIndex port = 0; port < kPorts; ++port)
    changes.push_back({500 * kMicrosecond, port, 1e9});
  AllocationWatch watch;
  const std::size_t before = allocations;
  run(network, work, watch, Audit::off, changes);
  CHECK(watch.records == work.size());
  CHECK(watch.first > before);  // the set-up allocates, and the count sees it
  CHECK(watch.last == watch.first);
}

}  // namespace
}  // namespace syncsim::engine
