// Stores in closed form: the textbook's server of four GPUs (160 MB, 16 GB/s), and m workers on s
// servers of equal links, 2 max(M / B, m M / (s B)) for one key each.

#include "sim/workload/key_value_store.h"

#include <doctest/doctest.h>

#include <numeric>
#include <string>

#include "sim/schedule/check.h"
#include "tests/support/refusal.h"
#include "tests/support/runs.h"

namespace syncsim::testing::key_value_store_test {
namespace {

struct Job {
  Topology machine;
  StoreOptions options;
  std::vector<Bytes> keys;
};

std::vector<Bytes> megabytes(const std::vector<double>& sizes) {
  std::vector<Bytes> keys;
  for (const double size : sizes) keys.push_back({static_cast<std::int64_t>(size * 1e6)});
  return keys;
}

void sum_by_ring(const Topology& machine, ScheduleBuilder& builder) {
  const Strategy& ring = strategies().at("ring");
  const Parameters parameters(ring.name, ring.parameters, {});
  ring.emit({.topology = machine, .ranks = machine.ranks(), .parameters = parameters}, builder);
}

// Acts on every key, of values that lie one behind the other.
template <class Act>
Schedule emitted(const Job& job, CollectiveKind kind, const Act& act) {
  std::vector<std::string> nodes;
  for (const NodeId node : job.machine.ranks()) nodes.push_back(job.machine.nodes()[node].id);
  const std::int64_t bytes =
      std::accumulate(job.keys.begin(), job.keys.end(), std::int64_t{0},
                      [](std::int64_t sum, const Bytes& key) { return sum + key.count; });
  const Collective collective{kind, static_cast<int>(nodes.size()), {bytes}};
  return build_schedule(collective, nodes, [&](ScheduleBuilder& builder) {
    KeyValueStore store(job.machine, job.machine.ranks(),
                        store_nodes(job.machine, job.machine.ranks(), job.options), job.options,
                        job.keys, builder, [&] { sum_by_ring(job.machine, builder); });
    std::int64_t begin = 0;
    for (std::size_t key = 0; key < job.keys.size(); ++key) {
      act(store, key, Slice{0, begin, begin + job.keys[key].count});
      begin += job.keys[key].count;
    }
  });
}

// Of pushing and pulling all keys; the sums are proved.
double milliseconds(const Job& job) {
  const Schedule schedule = emitted(job, CollectiveKind::allreduce,
                                    [](KeyValueStore& store, std::size_t key, const Slice& value) {
                                      store.pushpull(key, value);
                                    });
  const auto violation = check(schedule);
  CHECK_MESSAGE(!violation, violation->message);
  return static_cast<double>(simulated(schedule, job.machine).finish.ps) / 1e9;
}

// `workers` machines of `gpus` each and `servers` of a CPU, on a switch by links of 1 GB/s.
Topology cluster(int workers, int gpus, int servers) {
  const auto last = [](int count) { return std::to_string(count - 1); };
  std::string nodes = R"({"id": "w[0-)" + last(workers) + "]/gpu[0-" + last(gpus) +
                      R"(]", "kind": "gpu"}, {"id": "w[0-)" + last(workers) +
                      R"(]/plx0", "kind": "switch"}, {"id": "s[0-)" + last(servers) +
                      R"(]/cpu0", "kind": "cpu"}, {"id": "top", "kind": "switch"})";
  std::string links;
  for (int worker = 0; worker < workers; ++worker)
    links += R"({"between": ["w)" + std::to_string(worker) + "/gpu[0-" + last(gpus) + R"(]", "w)" +
             std::to_string(worker) + R"(/plx0"], "type": "inside"}, )";
  links += R"({"between": ["w[0-)" + last(workers) + R"(]/plx0", "top"], "type": "outside"},
              {"between": ["s[0-)" +
           last(servers) + R"(]/cpu0", "top"], "type": "outside"})";
  return written_machine(R"({"name": "cluster", "link_types": {
      "inside": {"kind": "pcie", "bandwidth": "1000 GB/s"},
      "outside": {"kind": "network", "bandwidth": "1 GB/s"}},
    "nodes": [)" + nodes +
                         R"(], "links": [)" + links + "]}");
}

constexpr StoreOptions kBalanced{.type = StoreType::dist,
                                 .placement = {.placement = Placement::balanced}};

}  // namespace

TEST_CASE("local and device are the textbook's CPU and GPU aggregation") {
  const Topology machine = shelf_machine("pcie_4gpu");
  const StoreOptions local{.type = StoreType::local};
  const StoreOptions device{.type = StoreType::device};
  CHECK(milliseconds({machine, local, megabytes({160})}) == doctest::Approx(80).epsilon(1e-9));
  CHECK(milliseconds({machine, device, megabytes({160})}) == doctest::Approx(60).epsilon(1e-9));
  // Four keys, one a GPU: the textbook's third figure.
  CHECK(milliseconds({machine, device, megabytes({40, 40, 40, 40})}) ==
        doctest::Approx(15).epsilon(1e-9));
}

TEST_CASE("servers: O(m) on one, O(m / s) on s") {
  CHECK(milliseconds({cluster(4, 1, 1), kBalanced, megabytes({80})}) ==
        doctest::Approx(2 * 4 * 80).epsilon(1e-9));
  CHECK(milliseconds({cluster(4, 1, 2), kBalanced, megabytes({40, 40})}) ==
        doctest::Approx(4 * 80).epsilon(1e-9));
  CHECK(milliseconds({cluster(4, 1, 4), kBalanced, megabytes({20, 20, 20, 20})}) ==
        doctest::Approx(2 * 80).epsilon(1e-9));
}

TEST_CASE("a server with 82 % of the bytes takes 3.28 times as long as four even ones") {
  const double even = milliseconds({cluster(4, 1, 4), kBalanced, megabytes({25, 25, 25, 25})});
  const double hot = milliseconds({cluster(4, 1, 4), kBalanced, megabytes({82, 6, 6, 6})});
  CHECK(hot / even == doctest::Approx(3.28).epsilon(1e-9));
}

TEST_CASE("the ranks of a machine add up first, so that its link carries each key once") {
  // As with one GPU a machine, but for 80 MB in and out at 1,000 GB/s inside.
  const double many = milliseconds({cluster(4, 4, 1), kBalanced, megabytes({80})});
  CHECK(many > 640);
  CHECK(many < 640.5);
}

TEST_CASE("the updater runs at the servers, each on its share") {
  StoreOptions options = kBalanced;
  options.update = parse_time("10 ms");
  CHECK(milliseconds({cluster(4, 1, 2), options, megabytes({40, 40})}) ==
        doctest::Approx(320 + 5).epsilon(1e-9));
}

TEST_CASE("init hands worker 0's values to all") {
  for (const StoreTypeRow& row : store_types().rows()) {
    const StoreType type = row.type;
    const Topology machine =
        type == StoreType::dist ? cluster(3, 2, 2) : shelf_machine("pcie_4gpu");
    StoreOptions options = kBalanced;
    options.type = type;
    const Schedule schedule = emitted(
        {machine, options, megabytes({40, 8})}, CollectiveKind::broadcast,
        [](KeyValueStore& store, std::size_t key, const Slice& value) { store.init(key, value); });
    const auto violation = check(schedule);
    CHECK_MESSAGE(!violation, violation->message);
  }
}

TEST_CASE("every placement leaves the sum, also on servers that are ranks") {
  const Topology machine = cluster(3, 2, 2);
  for (const PlacementRow& row : placements().rows()) {
    StoreOptions options{.type = StoreType::dist, .placement = {.placement = row.placement}};
    options.placement.big = 1000;
    options.placement.partition = {3'000'000};
    CHECK(milliseconds({machine, options, megabytes({8, 1, 0.4, 12})}) > 0);
    options.servers = {machine.ranks()[1], machine.ranks()[4]};
    CHECK(milliseconds({machine, options, megabytes({8, 1, 0.4, 12})}) > 0);
  }
}

TEST_CASE("the last push of a key sums it by a strategy, and the updater runs everywhere") {
  // A ring moves 2 (n - 1) / n of the bytes.
  const Topology machine(star(4, gigabytes(1)));
  StoreOptions options{.type = StoreType::allreduce};
  CHECK(milliseconds({machine, options, megabytes({40, 20})}) == doctest::Approx(90).epsilon(1e-9));
  options.update = parse_time("6 ms");
  CHECK(milliseconds({machine, options, megabytes({40, 20})}) ==
        doctest::Approx(90 + 2).epsilon(1e-9));
}

TEST_CASE("a machine without a CPU has no local store") {
  const Topology machine(star(3, gigabytes(1)));
  CHECK_THROWS_WITH(store_nodes(machine, machine.ranks(), {.type = StoreType::local}),
                    "machine \"star\" has no CPU for keys to live on; choose the store \"device\", "
                    "name servers, or add a node of kind \"cpu\"");
  CHECK(store_nodes(machine, machine.ranks(), {.type = StoreType::device}).size() == 3);
  CHECK(store_nodes(machine, machine.ranks(), {.type = StoreType::allreduce}).empty());
}

TEST_CASE("replicas: every sum goes on to the backup before it is pulled") {
  const Topology machine = cluster(4, 1, 2);
  StoreOptions options = kBalanced;
  const Job alone{machine, options, megabytes({40, 40})};
  CHECK(milliseconds(alone) == doctest::Approx(320).epsilon(1e-9));  // 4 in, 4 out
  options.servers = {machine.node("s0/cpu0"), machine.node("s1/cpu0")};
  options.backups = {options.servers[1], options.servers[0]};
  const Job replicated{machine, options, megabytes({40, 40})};
  CHECK(milliseconds(replicated) == doctest::Approx(360).epsilon(1e-9));
}

}  // namespace syncsim::testing::key_value_store_test
