// Figures changed together change times as physics says.

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/support/runs.h"
#include "tests/support/schedules.h"
#include "tests/support/temporary_folder.h"

namespace syncsim::scaling_test {
namespace {

using testing::collective_of;
using testing::emitted;
using testing::gigabytes;
using testing::picoseconds;
using testing::shelf_machine;
using testing::simulated;
using testing::Task;

constexpr std::int64_t kOddBytes = 1'000'003;

// The machine with a latency and an overhead on every link, and with its figures changed: twice the
// bandwidth, half the latency and overhead.
struct Pair {
  Topology slow;
  Topology fast;
};

Pair speeds_of(const Topology& machine) {
  Topology::Parts slow = machine.parts();
  for (Link& link : slow.links) {
    link.latency = {1'000'002};
    link.overhead = {600'002};
  }
  Topology::Parts fast = slow;
  for (Link& link : fast.links) {
    link.bandwidth.bytes_per_second *= 2;
    link.usable.bytes_per_second *= 2;
    link.latency.ps /= 2;
    link.overhead.ps /= 2;
  }
  return {Topology(slow), Topology(fast)};
}

void check_half_the_time(const Topology& machine, const Task& task) {
  const auto [slow, fast] = speeds_of(machine);
  const Schedule schedule = emitted(slow, task);
  const std::int64_t whole = simulated(schedule, slow).finish.ps;
  const std::int64_t half = simulated(emitted(fast, task), fast).finish.ps;
  CHECK(whole > 0);
  CHECK(std::abs(whole - 2 * half) <= 2 * testing::depth(schedule));  // 1 ps a step
}

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string with_every(std::string text, const std::string& old, const std::string& changed) {
  for (std::size_t at = text.find(old); at != std::string::npos;
       at = text.find(old, at + changed.size()))
    text.replace(at, old.size(), changed);
  return text;
}

}  // namespace

TEST_CASE("twice the bandwidth, half the latency and overhead: half the time") {
  for (const std::string name : {"pcie_4gpu", "pcie_8gpu", "dgx1v"}) {
    const Topology machine = testing::with_abilities(shelf_machine(name).parts());
    const int ranks = static_cast<int>(machine.ranks().size());
    for (const Strategy& strategy : strategies().rows()) {
      if (!testing::applies(strategy, machine)) continue;
      for (const CollectiveKind kind : strategy.collectives) {
        INFO(name << " " << strategy.name << " " << to_string(kind));
        check_half_the_time(machine,
                            {std::string(strategy.name), collective_of(kind, ranks, kOddBytes)});
      }
    }
  }
}

TEST_CASE("on a star all ranks are alike: permuting them changes no time") {
  const Topology star =
      testing::with_abilities(testing::slow_star(7, gigabytes(16), {500'000}, {300'000}).parts());
  const std::vector<NodeId> permuted = {4, 2, 6, 0, 5, 1, 3};
  for (const Strategy& strategy : strategies().rows()) {
    if (!testing::applies(strategy, star)) continue;
    for (const CollectiveKind kind : strategy.collectives) {
      INFO(strategy.name << " " << to_string(kind));
      const Task task{std::string(strategy.name), collective_of(kind, 7, kOddBytes, 2)};
      CHECK(simulated(emitted(star, permuted, task), star).finish ==
            simulated(emitted(star, task), star).finish);
    }
  }
}

TEST_CASE("a machine with its nodes renumbered gives the same time for the renumbered ring") {
  const Topology mesh(testing::dgx1v());
  Topology::Parts parts = mesh.parts();
  const std::vector<NodeId> renumbered = {3, 7, 1, 4, 0, 6, 2, 5};
  for (Link& link : parts.links) {
    if (link.from < 8) link.from = renumbered[link.from];
    if (link.to < 8) link.to = renumbered[link.to];
  }
  for (Link& link : parts.links) link.name.clear();
  const Collective collective = collective_of(CollectiveKind::allreduce, 8, 24'000'000);
  CHECK(picoseconds(Topology(parts), {"ring", collective, {{"rings", "3,7,1,4,0,6,2,5"}}}) ==
        picoseconds(mesh, {"ring", collective, {{"rings", "0,1,2,3,4,5,6,7"}}}));
}

TEST_CASE("figures come from the file: the textbook's machine at 8 GB/s takes twice the time") {
  const testing::TemporaryFolder folder;
  std::string text = text_of(SYNCSIM_SHELF "/pcie_4gpu.json");
  text = with_every(with_every(text, "\"16 GB/s\"", "\"8 GB/s\""), "\"12 GB/s\"", "\"6 GB/s\"");
  const Topology machine = load_topology(folder.write("slow_pcie.json", text), SYNCSIM_SHELF);
  const Collective collective{CollectiveKind::allreduce, 4, {160'000'000}};
  constexpr std::int64_t kMillisecond = 1'000'000'000;
  CHECK(picoseconds(machine, {"central_gpu", collective}) == 120 * kMillisecond);
  CHECK(picoseconds(machine, {"central_cpu", collective}) == 160 * kMillisecond);
  CHECK(picoseconds(machine, {"distributed", collective}) == 30 * kMillisecond);
  CHECK(picoseconds(machine, {"ring", collective}) == 30 * kMillisecond);
}

TEST_CASE("the textbook's machine: 60, 80 and 15 ms for 160 MB") {
  const Topology machine = shelf_machine("pcie_4gpu");
  const Collective collective{CollectiveKind::allreduce, 4, {160'000'000}};
  constexpr std::int64_t kMillisecond = 1'000'000'000;
  CHECK(picoseconds(machine, {"central_gpu", collective}) == 60 * kMillisecond);
  CHECK(picoseconds(machine, {"central_cpu", collective}) == 80 * kMillisecond);
  CHECK(picoseconds(machine, {"distributed", collective}) == 15 * kMillisecond);
  CHECK(picoseconds(machine, {"ring", collective}) == 15 * kMillisecond);
}

TEST_CASE("usable rates of 12 for 16 GB/s take 4/3 of the time") {
  const Topology machine = shelf_machine("pcie_4gpu");
  ExecutionOptions usable;
  usable.rates = Rates::usable;
  const Collective collective{CollectiveKind::allreduce, 4, {160'000'000}};
  CHECK(picoseconds(machine, {"distributed", collective}, usable) == 20'000'000'000);
}

}  // namespace syncsim::scaling_test
