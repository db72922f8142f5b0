// What the engine takes from the heap, and when.

#include <doctest/doctest.h>

#include <cstdlib>
#include <new>
#include <vector>

#include "sim/engine/due_lanes.h"
#include "sim/engine/event_queue.h"
#include "sim/engine/fair_share.h"
#include "sim/engine/level_queue.h"
#include "sim/engine/lowest_level.h"
#include "sim/engine/usage_meter.h"
#include "tests/engine/allocations.h"
#include "tests/engine/plain_work.h"
#include "tests/engine/random_numbers.h"

namespace syncsim::engine {

thread_local std::size_t allocations = 0;
thread_local std::size_t allocated_bytes = 0;

}  // namespace syncsim::engine

namespace {

void* counted(void* memory, std::size_t size) {
  ++syncsim::engine::allocations;
  syncsim::engine::allocated_bytes += size;
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// Of the whole test program: the only way to see what a library allocates. (Inlined, `delete` looks
// to GCC like a free() of what no malloc() gave.)
void* operator new(std::size_t size) { return counted(std::malloc(size), size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto unit = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(unit, (size + unit - 1) / unit * unit), size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace syncsim::engine::allocation_test {
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

// --- Memory: what one more entity costs, from the difference of two sizes. The headers state it.

constexpr std::uint32_t kMany = 1'000;

// Calls make(count), and holds what it returns while the bytes are counted.
template <class Make>
double bytes_each(Make&& make) {
  const auto bytes_of = [&](std::uint32_t count) {
    const std::size_t before = allocated_bytes;
    [[maybe_unused]] const auto made = make(count);
    return static_cast<double>(allocated_bytes - before);
  };
  return (bytes_of(2 * kMany) - bytes_of(kMany)) / kMany;
}

Network links(std::uint32_t count) { return Network(std::vector<double>(count, 1e9)); }

TEST_CASE("an event queue takes 48 bytes an entity, due lanes 4 a lane") {
  CHECK(bytes_each([](std::uint32_t entities) { return EventQueue(entities); }) == 48);
  CHECK(bytes_each([](std::uint32_t lanes) { return DueLanes(lanes); }) == 4);
}

TEST_CASE("queues of levels take at most 20 bytes a resource and 32 a limit") {
  CHECK(bytes_each([](std::uint32_t resources) { return LevelQueue(resources); }) <= 20);
  CHECK(bytes_each([](std::uint32_t limits) { return LowestLevel(limits); }) == 32);
}

TEST_CASE("the usage meter takes at most 40 bytes a resource, beside the network's 8") {
  CHECK(bytes_each([](std::uint32_t resources) { return UsageMeter(links(resources)); }) <= 48);
}

TEST_CASE("the solver takes at most 120 bytes a slot, 200 a resource, 32 a use") {
  const auto bytes = [](const Network& network, std::uint32_t slots, std::uint32_t uses_of_slot) {
    const std::vector<std::uint32_t> most_uses(slots, uses_of_slot);
    const std::vector<std::uint32_t> most_flows(network.resource_count(), slots);
    const std::size_t before = allocated_bytes;
    const FairShare share(network, most_uses, most_flows);
    return static_cast<double>(allocated_bytes - before);
  };
  const Network none = links(0);
  const Network one = links(1);
  const Network many = links(kMany);
  CHECK(bytes(none, 2 * kMany, 0) - bytes(none, kMany, 0) <= 120 * kMany);
  CHECK(bytes(many, 0, 0) - bytes(none, 0, 0) <= 200 * kMany);
  CHECK(bytes(one, 2 * kMany, 1) - bytes(one, kMany, 1) <= (120 + 32) * kMany);
}

// Runs transfers of lanes over the first `uses` resources, and joins.
struct Counts {
  std::uint32_t lanes = 10;
  std::uint32_t ops_of_lane = 1;
  std::uint32_t joins = 0;
  std::uint32_t resources = 10;
  std::uint32_t uses = 2;
};

std::size_t bytes_of_run(const Counts& counts) {
  Network network = links(counts.resources);
  std::vector<Use> route;
  for (ResourceIndex r = 0; r < counts.uses; ++r) route.push_back({r, 1});
  network.add_route(route);
  PlainWork work;
  for (std::uint32_t lane = 0; lane < counts.lanes; ++lane) work.add_lane();
  for (std::uint32_t op = 0; op < counts.ops_of_lane; ++op)
    for (std::uint32_t lane = 0; lane < counts.lanes; ++lane) work.transfer(lane, 0, 1'000);
  for (std::uint32_t join = 0; join < counts.joins; ++join) work.join();
  AllocationWatch watch;
  const std::size_t before = allocated_bytes;
  run(network, work, watch, Audit::off);
  return allocated_bytes - before;
}

double bytes_each(const Counts& few, const Counts& many, std::uint32_t more) {
  return static_cast<double>(bytes_of_run(many) - bytes_of_run(few)) / more;
}

TEST_CASE("a run takes 12 bytes an op, 16 a join, at most 400 a resource") {
  CHECK(bytes_each({.ops_of_lane = 1}, {.ops_of_lane = 1 + kMany / 10}, kMany) == 12);
  CHECK(bytes_each({.joins = 0}, {.joins = kMany}, kMany) == 16);
  CHECK(bytes_each({.resources = 10}, {.resources = 10 + kMany}, kMany) <= 400);
}

TEST_CASE("a run takes at most 250 bytes a lane and 50 for each use of its longest route") {
  CHECK(bytes_each({.lanes = 10, .uses = 0}, {.lanes = 10 + kMany, .uses = 0}, kMany) <= 250);
  CHECK(bytes_each({.lanes = 10, .uses = 4}, {.lanes = 10 + kMany, .uses = 4}, kMany) <= 450);
}

}  // namespace
}  // namespace syncsim::engine::allocation_test
