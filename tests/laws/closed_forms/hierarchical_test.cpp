// Hierarchies on m boxes of g gpus: inside, every gpu has a port of b ps a byte to a switch, and a
// transfer costs a beside its bytes; across, every gpu or several of them have a nic of B ps a
// byte, and a transfer costs A. n bytes; every figure is exact.

#include <doctest/doctest.h>

#include <cstdint>
#include <string>

#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::hierarchical_test {
namespace {

using testing::collective_of;
using testing::picoseconds;
using testing::Task;

using Kind = CollectiveKind;
using ParameterSet = std::map<std::string, std::string>;

constexpr std::int64_t kInside = 100;  // b: 10 GB/s
constexpr std::int64_t kAcross = 500;  // B: 2 GB/s
constexpr std::int64_t kCost = 7'000;  // a
constexpr std::int64_t kFar = 31'000;  // A

struct Shape {
  int boxes;
  int gpus;
  int nics;  // of a box
};

std::string last(int count) { return std::to_string(count - 1); }

// A nic has gpus / nics gpus of its box on a switch.
Topology machine_of(const Shape& shape, std::int64_t cost = kCost, std::int64_t far = kFar) {
  std::string links =
      R"({"between": ["gpu[0-)" + last(shape.gpus) + R"(]", "nvs0"], "type": "near"})";
  const int sharing = shape.gpus / shape.nics;
  for (int nic = 0; nic < shape.nics; ++nic) {
    const std::string number = std::to_string(nic);
    links += R"(, {"between": ["nic)" + number + R"(", "plx)" + number + R"("], "type": "free"})";
    links += R"(, {"between": ["gpu[)" + std::to_string(nic * sharing) + "-" +
             last((nic + 1) * sharing) + R"(]", "plx)" + number + R"("], "type": "free"})";
  }
  return testing::written_machine(
      R"({"name": "boxes", "link_types": {"far": {"kind": "network", "bandwidth": "2 GB/s", )"
      R"("overhead": ")" +
      std::to_string(far) +
      R"( ps"}},)"
      R"("nodes": [{"id": "leaf", "kind": "switch"}],)"
      R"("links": [{"between": ["box[0-)" +
      last(shape.boxes) + R"(]/nic[0-)" + last(shape.nics) +
      R"(]", "leaf"], "type": "far"}],)"
      R"("instances": [{"prefix": "box[0-)" +
      last(shape.boxes) +
      R"(]/", "topology": {"name": "box",)"
      R"("link_types": {"near": {"kind": "nvlink", "bandwidth": "10 GB/s", "overhead": ")" +
      std::to_string(cost) +
      R"( ps"}, "free": {"kind": "pcie", "bandwidth": "64 GB/s"}},)"
      R"("nodes": [{"id": "gpu[0-)" +
      last(shape.gpus) +
      R"(]", "kind": "gpu"},)"
      R"({"id": "nvs0", "kind": "switch"}, {"id": "plx[0-)" +
      last(shape.nics) + R"(]", "kind": "switch"}, {"id": "nic[0-)" + last(shape.nics) +
      R"(]", "kind": "nic"}],)"
      R"("links": [)" +
      links + "]}}]}");
}

std::int64_t time_of(const Shape& shape, Kind kind, std::int64_t bytes, ParameterSet parameters) {
  parameters.try_emplace("chunks", "1");
  const int ranks = shape.boxes * shape.gpus;
  return picoseconds(machine_of(shape),
                     {"hierarchical", collective_of(kind, ranks, bytes), parameters});
}

const Shape kShapes[] = {{2, 4, 4}, {3, 4, 4}, {4, 2, 2}, {2, 8, 8}, {5, 3, 3}};

}  // namespace

// Composite "hierarchical m nodes x g GPUs, sharded inter (one NIC per GPU)".
TEST_CASE("rails: 2(g-1) a + 2(g-1)/g n b inside, 2(m-1) A + 2(m-1)/m n/g B across") {
  for (const Shape& shape : kShapes) {
    CAPTURE(shape.boxes);
    CAPTURE(shape.gpus);
    const std::int64_t m = shape.boxes;
    const std::int64_t g = shape.gpus;
    const std::int64_t shard = 1'000 * m;
    const std::int64_t inside = (g - 1) * (kCost + shard * kInside);
    const std::int64_t across = (m - 1) * (kFar + shard / m * kAcross);
    CHECK(time_of(shape, Kind::allreduce, g * shard, {}) == 2 * inside + 2 * across);
    CHECK(time_of(shape, Kind::reduce_scatter, g * shard, {}) == inside + across);
    CHECK(time_of(shape, Kind::all_gather, g * shard, {}) == inside + across);
  }
}

// Composite "hierarchical, k NICs shared by g GPUs": rails share a nic.
TEST_CASE("g ranks that share k nics are g / k times as long across") {
  const std::int64_t shard = 2'000;
  for (const int nics : {4, 2, 1}) {
    CAPTURE(nics);
    CHECK(time_of({2, 4, nics}, Kind::allreduce, 4 * shard, {}) ==
          2 * 3 * (kCost + shard * kInside) + 2 * (kFar + shard / 2 * kAcross * 4 / nics));
  }
}

// Composite "hierarchical leader": T_reduce(g) + T_AR(m, n, B_e) + T_bcast(g), trees inside.
TEST_CASE("leaders: ceil(lg g)(a + n b) to them and from them, a ring of all data across") {
  const std::int64_t n = 6'000;
  for (const Shape& shape : {Shape{2, 4, 4}, Shape{3, 8, 8}}) {
    const std::int64_t m = shape.boxes;
    const std::int64_t steps = shape.gpus == 4 ? 2 : 3;
    const std::int64_t tree = steps * (kCost + n * kInside);
    const std::int64_t across = 2 * (m - 1) * (kFar + n / m * kAcross);
    const ParameterSet leader = {{"inner", "binomial_tree"}, {"across", "leader"}};
    CHECK(time_of(shape, Kind::allreduce, n, leader) == 2 * tree + across);
  }
}

// Composite "2D ring/torus": rows, columns, rows; and the same for three dimensions.
TEST_CASE("on one switch sizes x, y are a torus: 2(x+y-2) a + 2(p-1)/p n b") {
  struct Row {
    const char* groups;
    std::int64_t ranks;
    std::int64_t steps;
  };
  for (const Row& row : {Row{"4", 16, 6}, Row{"2", 8, 4}, Row{"4", 12, 5}, Row{"2x2", 8, 3},
                         Row{"2x4", 24, 6}, Row{"2x2x2", 16, 4}}) {
    CAPTURE(row.groups);
    const std::int64_t part = 1'000;
    const Topology star =
        testing::slow_star(static_cast<int>(row.ranks), testing::gigabytes(8), {0}, {kCost});
    CHECK(picoseconds(
              star, {"hierarchical",
                     collective_of(Kind::allreduce, static_cast<int>(row.ranks), row.ranks * part),
                     {{"groups", row.groups}, {"chunks", "1"}}}) ==
          2 * row.steps * kCost + 2 * (row.ranks - 1) * part * 125);
  }
}

// One stage of the first chunk, all chunks across, and the other stage of the last: nothing else
// waits, whatever lanes the stages share.
TEST_CASE("chunks hide what is inside behind what is across: 2/c (g-1)/g n b + 2(m-1)/m n/g B") {
  const std::int64_t n = 64'000;
  for (const std::int64_t chunks : {1, 2, 4, 8}) {
    CAPTURE(chunks);
    const std::int64_t inside = 3 * n / 4 * kInside;
    const std::int64_t across = n / 4 * kAcross;
    CHECK(picoseconds(machine_of({2, 4, 1}, 0, 0), {"hierarchical",
                                                    collective_of(Kind::allreduce, 8, n),
                                                    {{"chunks", std::to_string(chunks)}}}) ==
          2 * inside / chunks + 4 * across);
  }
}

// On two boxes rails carry n each way between them, a ring 2(p-1)/p n by a nic a ring.
TEST_CASE("on two boxes rails beat the ring by 2(p-1)/p where only the network counts") {
  const Topology pair = testing::shelf_machine("dgx_a100_x2");
  const Collective collective = collective_of(Kind::allreduce, 16, 1 << 30);
  const auto time = [&](const std::string& strategy, const ParameterSet& parameters) {
    return static_cast<double>(picoseconds(pair, {strategy, collective, parameters}));
  };
  const double rails = time("hierarchical", {});
  CHECK(time("ring", {}) / rails > 1.5);
  CHECK(time("ring", {}) / rails < 1.875);
  CHECK(time("ring", {{"rings", "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15"}}) / rails > 12);
}

}  // namespace syncsim::hierarchical_test
