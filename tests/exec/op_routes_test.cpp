#include "sim/exec/op_routes.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/machines.h"
#include "tests/support/refusal.h"

namespace syncsim::op_routes_test {
namespace {

// Two boxes of a gpu and two nics each, all nics around one switch.
Topology machine() {
  Topology::Parts parts;
  for (const std::string box : {"a/", "b/"}) testing::add_node(parts, box + "gpu0", NodeKind::gpu);
  const NodeId net = testing::add_node(parts, "net", NodeKind::switch_);
  for (NodeId gpu = 0; gpu < 2; ++gpu)
    for (const char* name : {"nic0", "nic1"}) {
      const NodeId nic =
          testing::add_node(parts, (gpu == 0 ? "a/" : "b/") + std::string(name), NodeKind::nic);
      testing::add_cable(parts, gpu, nic, testing::link_of(LinkKind::pcie, testing::gigabytes(16)));
      testing::add_cable(parts, nic, net,
                         testing::link_of(LinkKind::network, testing::gigabytes(25)));
    }
  return Topology(parts);
}

// On channel 1 rank 0 sends by its nic1, and rank 1 receives by its nic0.
Schedule schedule() {
  Schedule made;
  made.ranks = 2;
  made.participants = {"a/gpu0", "b/gpu0"};
  made.channels.resize(2);
  made.nics = {{1, 0, {"a/nic1", ""}}, {1, 1, {"", "b/nic0"}}};
  return made;
}

Op op(ParticipantId from, ParticipantId to, std::uint16_t channel) {
  Op result;
  result.source = from;
  result.destination = to;
  result.channel = channel;
  return result;
}

}  // namespace

TEST_CASE(
    "an op's bytes take the nics of its ends on its channel, out of the one, into the other") {
  const Topology topology = machine();
  const Resources resources(topology, Rates::line);
  OpRoutes routes(schedule(), topology, resources);
  const auto path = [&](const Op& op) {
    std::string text;
    for (const LinkId link : routes.of(op).links) text += topology.links()[link].name + " ";
    return text;
  };
  CHECK(path(op(0, 1, 1)) == "a/gpu0>a/nic1 a/nic1>net net>b/nic0 b/nic0>b/gpu0 ");
  CHECK(path(op(0, 1, 0)) == "a/gpu0>a/nic0 a/nic0>net net>b/nic0 b/nic0>b/gpu0 ");
  // Against the ring nothing is given: channel 1 takes the second nic at both ends.
  CHECK(path(op(1, 0, 1)) == "b/gpu0>b/nic1 b/nic1>net net>a/nic1 a/nic1>a/gpu0 ");
  CHECK(routes.find(op(0, 1, 1)).links == routes.of(op(0, 1, 1)).links);
}

TEST_CASE("a group's tree takes the nics of its members and of the other end") {
  Topology::Parts parts = machine().parts();
  parts.nodes[2].abilities = {true, true};
  const Topology topology(parts);
  const Resources resources(topology, Rates::line);
  Schedule made = schedule();
  made.groups = {{0, 1}};
  OpRoutes routes(made, topology, resources);
  const auto path = [&](const Op& op) {
    std::string text;
    for (const LinkId link : routes.of(op).links) text += topology.links()[link].name + " ";
    return text;
  };
  CHECK(path(op(kGroupBit, 1, 1)) ==
        "b/nic0>b/gpu0 net>b/nic0 a/nic1>net a/gpu0>a/nic1 b/gpu0>b/nic0 b/nic0>net ");
  CHECK(path(op(1, kGroupBit, 0)) ==
        "b/gpu0>b/nic0 b/nic0>net net>a/nic0 a/nic0>a/gpu0 b/nic0>b/gpu0 net>b/nic0 ");
  CHECK(routes.find(op(kGroupBit, 1, 1)).uses == routes.of(op(kGroupBit, 1, 1)).uses);
}

TEST_CASE("nics that the machine has not are refused") {
  const Topology topology = machine();
  const Resources resources(topology, Rates::line);
  Schedule wrong = schedule();
  wrong.nics[0].nics.out = "a/nic7";
  CHECK(testing::refusal_of([&] { OpRoutes(wrong, topology, resources); }) ==
        "unknown node \"a/nic7\"; did you mean \"a/nic0\"?");
}

}  // namespace syncsim::op_routes_test
