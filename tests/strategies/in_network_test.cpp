// Which machines reduce in the network, and how.

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "tests/support/refusal.h"
#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::in_network_test {
namespace {

using testing::collective_of;
using testing::emitted;
using testing::refusal_of;
using testing::shelf_machine;
using testing::Task;

Task task(int ranks, CollectiveKind kind = CollectiveKind::allreduce,
          const std::map<std::string, std::string>& parameters = {}) {
  return {"in_network", collective_of(kind, ranks, 8'000), parameters};
}

std::string refusal_on(const Topology& machine, const Task& of) {
  return refusal_of([&] { emitted(machine, of); });
}

// Nodes that hold a sum.
std::set<std::string> helpers(const Schedule& schedule) {
  return {schedule.participants.begin() + schedule.ranks, schedule.participants.end()};
}

}  // namespace

TEST_CASE("by itself it reads by ranks on NVLink, and sums at switches elsewhere") {
  CHECK(helpers(emitted(shelf_machine("hgx_h100"), task(8))).empty());
  CHECK(helpers(emitted(testing::with_abilities(testing::star(8)), task(8))) ==
        std::set<std::string>{"switch0"});
}

TEST_CASE("every plane of NVSwitches sums up its share, if told to") {
  CHECK(helpers(emitted(shelf_machine("hgx_h100"),
                        task(8, CollectiveKind::allreduce, {{"algorithm", "sharp"}}))) ==
        std::set<std::string>{"nvs0", "nvs1", "nvs2", "nvs3"});
}

TEST_CASE("a machine whose switches only switch is refused, and what it needs is said") {
  CHECK(refusal_on(shelf_machine("pcie_4gpu"), task(4)) ==
        "no switch of machine \"pcie_4gpu\" that reduces and multicasts is reached from all ranks; "
        "give the switches between them \"abilities\": [\"reduce\", \"multicast\"], or choose "
        "another strategy");
  CHECK(refusal_on(shelf_machine("pcie_4gpu"), task(4, CollectiveKind::reduce)) ==
        "switch switch0 does not reduce, where what gpu1 and gpu2 send meets; give it "
        "\"abilities\": [\"reduce\"], or choose another strategy");
}

TEST_CASE("able switches inside of boxes do not add up between them") {
  CHECK(refusal_on(shelf_machine("hgx_h100_x2"), task(16)) ==
        "gpu node0/gpu0 does not reduce, where what node0/gpu1 and node1/gpu0 send meets; choose "
        "ranks that are joined by switches that reduce, or another strategy");
}

TEST_CASE("with one ability of two, only what needs no more") {
  for (const bool reduces : {true, false}) {
    CAPTURE(reduces);
    Topology::Parts parts = testing::star(4);
    parts.nodes.back().abilities = {reduces, !reduces};
    const Topology machine(parts);
    const auto accepted = [&](CollectiveKind kind) {
      return refusal_on(machine, task(4, kind)) == "accepted";
    };
    CHECK(accepted(CollectiveKind::reduce) == reduces);
    CHECK(accepted(CollectiveKind::reduce_scatter) == reduces);
    CHECK(accepted(CollectiveKind::broadcast) == !reduces);
    CHECK(accepted(CollectiveKind::all_gather) == !reduces);
    CHECK_FALSE(accepted(CollectiveKind::allreduce));
    CHECK_FALSE(accepted(CollectiveKind::barrier));
  }
}

TEST_CASE("what is exchanged in pairs gains nothing from the network and is refused") {
  CHECK(refusal_on(shelf_machine("hgx_h100"), task(8, CollectiveKind::all_to_all)) ==
        "strategy \"in_network\" does not do all-to-all; choose one of allreduce, reduce, "
        "broadcast, reduce-scatter, all-gather, barrier");
}

TEST_CASE("its parameters are checked") {
  const Topology machine = shelf_machine("hgx_h100");
  const auto with = [&](const std::string& name, const std::string& value) {
    return refusal_on(machine, task(8, CollectiveKind::allreduce, {{name, value}}));
  };
  CHECK(with("algorithm", "nvl").find("in_network parameter algorithm: ") == 0);
  CHECK(with("chunks", "0").find("in_network parameter chunks: ") == 0);
}

}  // namespace syncsim::in_network_test
