// What the engine is said to keep, beside what it allocates.

#include "sim/engine/run_memory.h"

#include <doctest/doctest.h>

#include "tests/engine/allocations.h"
#include "tests/engine/plain_work.h"

namespace syncsim::engine::run_memory_test {
namespace {

// `lanes` lanes of `ops` ops, each lane over two resources of its own neighbourhood.
struct Neighbours {
  Neighbours(std::uint32_t lanes, std::uint32_t ops)
      : network(std::vector<double>(lanes, 1e9)),
        size{.ops = std::uint64_t{lanes} * ops,
             .lanes = lanes,
             .uses = 2 * std::uint64_t{lanes},
             .resources = lanes,
             .routes = lanes} {
    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
      const Use uses[] = {{lane, 1}, {(lane + 1) % lanes, 1}};
      network.add_route(uses);
      work.add_lane();
      for (std::uint32_t op = 0; op < ops; ++op) work.transfer(lane, lane, 1'000);
    }
  }
  std::size_t allocated() const {
    struct {
      void record(std::uint32_t, std::int64_t, std::int64_t, std::int64_t) {}
    } nothing;
    const std::size_t before = allocated_bytes;
    run(network, work, nothing, Audit::off);
    return allocated_bytes - before;
  }

  Network network;
  PlainWork work;
  RunSize size;
};

// Some of what is allocated is given back before the run, some reserved and never touched.
void check_close(const Neighbours& neighbours) {
  const auto said = static_cast<double>(run_bytes(neighbours.size));
  const auto allocated = static_cast<double>(neighbours.allocated());
  CHECK(said > allocated * 0.8);
  CHECK(said < allocated * 1.1);
}

}  // namespace

TEST_CASE("a run keeps 12 bytes an op, 170 a lane, 48 a use, 290 a resource and 8 a route") {
  CHECK(run_bytes({.ops = 100, .lanes = 10, .uses = 20, .resources = 3, .routes = 5}) ==
        1'200 + 1'700 + 960 + 870 + 40);
  CHECK(network_bytes(5, 20) == 60 + 320);
}

TEST_CASE("that is within a fifth of what it allocates") {
  check_close(Neighbours(5'000, 1));
  check_close(Neighbours(1'000, 50));
  check_close(Neighbours(10, 10'000));
}

}  // namespace syncsim::engine::run_memory_test
