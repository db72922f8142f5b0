// The ring strategy: which links its chunks take, and how the data is shared among rings.

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/refusal.h"
#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::ring_test {
namespace {

using testing::collective_of;
using testing::emitted;
using testing::refusal_of;
using testing::shelf_machine;
using testing::Task;

constexpr auto kAllreduce = CollectiveKind::allreduce;

Task ring_task(const Collective& collective, std::map<std::string, std::string> parameters = {}) {
  return {"ring", collective, std::move(parameters)};
}

using Hop = std::pair<ParticipantId, ParticipantId>;

std::set<Hop> hops(const Schedule& schedule, std::uint16_t channel) {
  std::set<Hop> result;
  for (const Op& op : schedule.ops)
    if (op.channel == channel && schedule.moves_data(op))
      result.insert({op.source, op.destination});
  return result;
}

// Bytes moved on each channel, over all hops.
std::map<int, std::int64_t> channel_bytes(const Schedule& schedule) {
  std::map<int, std::int64_t> result;
  for (const Op& op : schedule.ops) result[op.channel] += schedule.bytes(op).count;
  return result;
}

std::size_t transfers(const Schedule& schedule) {
  std::size_t count = 0;
  for (const Op& op : schedule.ops) count += schedule.moves_data(op) ? 1 : 0;
  return count;
}

int cables_between(const Topology& machine, ParticipantId from, ParticipantId to) {
  for (const Link& link : machine.links())
    if (link.kind == LinkKind::nvlink && link.from == from && link.to == to) return link.count;
  return 0;
}

std::string refusal(std::map<std::string, std::string> parameters) {
  const Topology machine = shelf_machine("pcie_4gpu");
  return refusal_of(
      [&] { emitted(machine, ring_task(collective_of(kAllreduce, 4, 64), parameters)); });
}

}  // namespace

TEST_CASE("by default a chunk a rank travels 2(n-1) hops along the ranks in order") {
  const Topology machine = shelf_machine("pcie_4gpu");
  const Schedule schedule = emitted(machine, ring_task(collective_of(kAllreduce, 4, 64)));
  CHECK(hops(schedule, 0) == std::set<Hop>{{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  CHECK(transfers(schedule) == 4 * 6);
  CHECK(channel_bytes(schedule) == std::map<int, std::int64_t>{{0, 6 * 64}});
  CHECK(schedule.phases == std::vector<std::string>{"reduce-scatter", "all-gather"});
}

TEST_CASE("a given ring is the one that is taken") {
  const Topology machine = shelf_machine("pcie_4gpu");
  const Schedule schedule =
      emitted(machine, ring_task(collective_of(kAllreduce, 4, 64), {{"rings", "0,2,1,3"}}));
  CHECK(hops(schedule, 0) == std::set<Hop>{{0, 2}, {2, 1}, {1, 3}, {3, 0}});
}

TEST_CASE("rings share the data in proportion to their multiplicities, each on its channel") {
  const Topology machine = shelf_machine("pcie_4gpu");
  const Schedule schedule = emitted(
      machine, ring_task(collective_of(kAllreduce, 4, 96), {{"rings", "0,1,2,3 x2; 0,2,1,3"}}));
  CHECK(channel_bytes(schedule) == std::map<int, std::int64_t>{{0, 6 * 64}, {1, 6 * 32}});
  CHECK(hops(schedule, 0) == std::set<Hop>{{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  CHECK(hops(schedule, 1) == std::set<Hop>{{0, 2}, {2, 1}, {1, 3}, {3, 0}});
}

TEST_CASE("with both directions half of the data runs against the ring") {
  const Topology machine = shelf_machine("pcie_4gpu");
  const Schedule schedule =
      emitted(machine, ring_task(collective_of(kAllreduce, 4, 64), {{"directions", "both"}}));
  CHECK(channel_bytes(schedule) == std::map<int, std::int64_t>{{0, 6 * 32}, {1, 6 * 32}});
  CHECK(hops(schedule, 0) == std::set<Hop>{{0, 1}, {1, 2}, {2, 3}, {3, 0}});
  CHECK(hops(schedule, 1) == std::set<Hop>{{0, 3}, {3, 2}, {2, 1}, {1, 0}});
}

TEST_CASE("chunks says into how many pieces the data is cut - all bytes travel all hops") {
  const Topology machine = shelf_machine("pcie_4gpu");
  for (const auto& [chunks, expected] :
       std::map<std::string, std::size_t>{{"1", 1 * 6}, {"4", 4 * 6}, {"5", 5 * 6}, {"8", 8 * 6}}) {
    const Schedule schedule =
        emitted(machine, ring_task(collective_of(kAllreduce, 4, 1'000), {{"chunks", chunks}}));
    CAPTURE(chunks);
    CHECK(transfers(schedule) == expected);
    CHECK(channel_bytes(schedule) == std::map<int, std::int64_t>{{0, 6 * 1'000}});
  }
}

TEST_CASE("the DGX-1V yields the double ring with 2/3 of the bytes and the single ring with 1/3") {
  const Topology machine = shelf_machine("dgx1v");
  constexpr std::int64_t kBytes = 24'000'000;
  const Schedule schedule = emitted(machine, ring_task(collective_of(kAllreduce, 8, kBytes)));
  CHECK(channel_bytes(schedule) ==
        std::map<int, std::int64_t>{{0, 14 * kBytes * 2 / 3}, {1, 14 * kBytes / 3}});
  CHECK(hops(schedule, 0).size() == 8);
  CHECK(hops(schedule, 1).size() == 8);
  for (const auto& [from, to] : hops(schedule, 0)) CHECK(cables_between(machine, from, to) == 2);
  for (const auto& [from, to] : hops(schedule, 1)) CHECK(cables_between(machine, from, to) == 1);
}

TEST_CASE("on the DGX-1V 2 x 7/8 M / 75 GB/s one way, half of it both ways") {
  const Topology machine = shelf_machine("dgx1v");
  const Collective collective = collective_of(kAllreduce, 8, 168'000'000);
  CHECK(testing::picoseconds(machine, ring_task(collective)) == 3'920'000'000);
  CHECK(testing::picoseconds(machine, ring_task(collective, {{"directions", "both"}})) ==
        1'960'000'000);
}

TEST_CASE("each collective travels n-1 hops, allreduce twice as many") {
  const Topology machine = shelf_machine("pcie_4gpu");
  const std::map<CollectiveKind, std::vector<std::string>> phases = {
      {CollectiveKind::allreduce, {"reduce-scatter", "all-gather"}},
      {CollectiveKind::reduce, {"reduce"}},
      {CollectiveKind::broadcast, {"broadcast"}},
      {CollectiveKind::reduce_scatter, {"reduce-scatter"}},
      {CollectiveKind::all_gather, {"all-gather"}},
      {CollectiveKind::barrier, {"reduce-scatter", "all-gather"}}};
  for (const CollectiveKind kind : strategies().at("ring").collectives) {
    CAPTURE(to_string(kind));
    const Schedule schedule = emitted(machine, ring_task(collective_of(kind, 4, 64)));
    CHECK(schedule.phases == phases.at(kind));
    const auto rounds = static_cast<std::int64_t>(phases.at(kind).size());
    CHECK(channel_bytes(schedule) == std::map<int, std::int64_t>{{0, rounds * 3 * 64}});
  }
}

TEST_CASE("a rooted collective never crosses the link into or out of its root") {
  const Topology machine = shelf_machine("pcie_4gpu");
  const auto hops_of = [&](CollectiveKind kind) {
    return hops(emitted(machine, ring_task(collective_of(kind, 4, 64, 2))), 0);
  };
  CHECK(hops_of(CollectiveKind::broadcast) == std::set<Hop>{{2, 3}, {3, 0}, {0, 1}});
  CHECK(hops_of(CollectiveKind::reduce) == std::set<Hop>{{3, 0}, {0, 1}, {1, 2}});
}

TEST_CASE("ring refuses parameter values that it cannot follow") {
  CHECK(refusal({{"directions", "two"}}) ==
        "ring parameter directions: unknown choice \"two\"; choose one of one, both");
  CHECK(refusal({{"chunks", "0"}}) ==
        "ring parameter chunks: \"0\" is out of range; write one from 1 to 1000000");
  CHECK(refusal({{"chunks", "many"}}) ==
        "ring parameter chunks: \"many\" is no whole number; write one from 1 to 1000000");
  CHECK(refusal({{"rings", "0,1,2"}}) ==
        "ring parameter rings: ring \"0,1,2\" leaves out rank 3; name each of the ranks 0 to 3 "
        "once, separated by commas, such as \"0,1,2\" or \"0,1,2 x2\"");
  CHECK(refusal({{"chunk", "4"}}) == "unknown ring parameter \"chunk\"; did you mean \"chunks\"?");
}

}  // namespace syncsim::ring_test
