// Edits one after another.

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "sim/topology/connected.h"
#include "tests/topology/edits/edits_support.h"

namespace syncsim::sequences_test {
namespace {

using testing::add_node;
using testing::edit_refusal;
using testing::edited;
using testing::gigabytes;
using testing::link_named;
using testing::refusal_of;
using testing::two_socket_server;
using testing::written;

const std::string kKeep = "; keep a way between them, or leave some out of the ranks";

template <class T>
const T& any_of(const std::vector<T>& all, std::mt19937& random) {
  return all[random() % all.size()];
}

std::string any_node(const Topology& topology, std::mt19937& random) {
  return any_of(topology.nodes(), random).id;
}

std::string any_cable(const Topology& topology, std::mt19937& random) {
  return topology.cable_name(static_cast<LinkId>(random() % topology.links().size()));
}

// A sensible or foolish edit of the machine.
std::string any_edit(const Topology& topology, int number, std::mt19937& random) {
  const std::string fresh = "new" + std::to_string(number);
  const std::string node = any_node(topology, random);
  const std::string other = any_node(topology, random);
  const std::string cable = any_cable(topology, random);
  const std::vector<std::string> edits = {
      "link:" + cable + " bandwidth=7 GB/s",
      "link:" + cable + " count=2 latency=1 us",
      "kind:pcie gen=4 width=x8",
      "scale link:" + cable + " bandwidth 0.5",
      "oversubscribe link:" + cable + " 2",
      "remove link:" + cable,
      "remove node:" + node,
      "add link:" + node + "-" + other + " kind=xgmi bandwidth=50 GB/s",
      "add link:" + node + "-" + other + " like link:" + cable,
      "add node:" + fresh + " kind=gpu",
      "add node:" + fresh + " kind=nic",
      "add node:" + fresh + " like node:" + node,
      "add node:" + fresh + " like node:" + node + " at " + other,
      "move " + node + " " + other,
      "move link:" + cable + " " + other,
      "disable p2p",
      "use nic1 for gpu*",
      "ranks gpu1,gpu0"};
  return any_of(edits, random);
}

}  // namespace

TEST_CASE("edits of all sorts are applied in order, each to what the one before left") {
  const Topology topology =
      edited(two_socket_server(), {"add node:gpu8 like node:gpu3", "move gpu8 plx0",
                                   "link:gpu8-plx0 width=x8", "scale kind:pcie bandwidth 0.5",
                                   "remove node:gpu3", "ranks gpu8,gpu0", "limit p2p PIX"});
  CHECK(link_named(topology, "gpu8>plx0").bandwidth == gigabytes(4));
  CHECK(link_named(topology, "gpu0>plx0").bandwidth == gigabytes(8));
  CHECK(testing::rank_names(topology) == std::vector<std::string>{"gpu8", "gpu0"});
  CHECK(topology.routing().p2p == PeerLevel::pix);
}

TEST_CASE("ranks may be cut off between edits, if not in the end") {
  const Topology topology =
      edited(two_socket_server(), {"remove link:cpu0-cpu1", "remove link:nic0-net0",
                                   "add link:cpu0-cpu1 kind=socket bandwidth=40 GB/s"});
  CHECK(link_named(topology, "cpu0>cpu1").bandwidth == gigabytes(40));
  CHECK(refusal_of([] {
          edited(two_socket_server(),
                 {"remove link:cpu0-cpu1", "remove link:nic0-net0", "disable p2p"});
        }) ==
        R"(edit "remove link:nic0-net0": gpu2 and gpu3 (ranks 2-3) are cut off from gpu0)" + kKeep);
}

TEST_CASE("only the ranks that take part have to reach each other after edits") {
  const Topology server(testing::star(4));
  const std::vector<Edit> edits = {parse_edit("remove link:gpu3-switch0")};
  CHECK(apply_edits(server, edits, std::vector{0, 2, 1}).ranks().size() == 4);
  const auto refused = [&](const std::vector<int>& ranks) {
    return refusal_of([&] { apply_edits(server, edits, ranks); });
  };
  CHECK(refused({}) == refused({0, 1, 2, 3}));
  CHECK(refused({1, 3}) ==
        "edit \"remove link:gpu3-switch0\": gpu3 (rank 1) is cut off from gpu1" + kKeep);
}

TEST_CASE("ranks that are cut off are named, at most eight, and counted") {
  const auto message = [](int gpus, const std::string& edit) {
    Topology::Parts parts = testing::star(gpus);
    const NodeId far = add_node(parts, "switch1", NodeKind::switch_);
    testing::add_cable(parts, far - 1, far, testing::link_of(LinkKind::pcie, gigabytes(16)));
    for (std::size_t link = 0; link < parts.links.size() - 2; link += 2)
      if (parts.links[link].from >= 3) parts.links[link].to = parts.links[link + 1].from = far;
    const std::string all = edit_refusal(Topology(parts), edit);
    const std::string right = kKeep;
    REQUIRE(all.ends_with(right));
    const std::size_t begin = all.find("\": ") + 3;
    return all.substr(begin, all.size() - begin - right.size());
  };
  const std::string cut = "remove link:switch0-switch1";
  CHECK(message(4, cut) == "gpu3 (rank 3) is cut off from gpu0");
  CHECK(message(5, cut) == "gpu3 and gpu4 (ranks 3-4) are cut off from gpu0");
  CHECK(message(7, cut) == "gpu3, gpu4, gpu5 and gpu6 (ranks 3-6) are cut off from gpu0");
  CHECK(message(40, cut) ==
        "gpu3, gpu4, gpu5, gpu6, gpu7, gpu8, gpu9, gpu10 and 29 more (ranks 3-39) are cut off "
        "from gpu0");
  CHECK(message(7, "remove link:gpu0-switch0") == "gpu0 (rank 0) is cut off from all other ranks");
  CHECK(message(7, "remove link:gpu5-switch1") == "gpu5 (rank 5) is cut off from gpu0");
}

TEST_CASE("ranks that are cut off are listed where they are no range") {
  Topology::Parts parts = testing::star(6);
  parts.ranks = {5, 0, 4, 1, 3, 2};
  const Topology topology = Topology(parts);
  CHECK(refusal_of([&] {
          edited(topology, {"remove link:gpu0-switch0", "remove link:gpu1-switch0"});
        }) == R"(edit "remove link:gpu0-switch0": gpu0 and gpu1 (ranks 1 and 3) are cut off )"
              "from gpu5" +
                  kKeep);
}

TEST_CASE("a gpu that does not forward is no way around a cut") {
  Topology::Parts parts = testing::star(3);
  testing::add_cable(parts, 0, 1, testing::link_of(LinkKind::nvlink, gigabytes(25)));
  CHECK(edit_refusal(Topology(parts), "remove link:gpu0-switch0") ==
        R"(edit "remove link:gpu0-switch0": gpu2 (rank 2) is cut off from gpu0)" + kKeep);
  parts.nodes[1].forwards = true;
  CHECK(edit_refusal(Topology(parts), "remove link:gpu0-switch0") == "accepted");
}

TEST_CASE("whatever the edits, a machine is sound or the edit is refused with its text") {
  std::mt19937 random(7);
  int applied = 0;
  int refused = 0;
  for (int walk = 0; walk < 40; ++walk) {
    Topology topology = two_socket_server();
    for (int step = 0; step < 25; ++step) {
      const std::string text = any_edit(topology, step, random);
      CAPTURE(text);
      try {
        topology = edited(topology, {text});
        ++applied;
        CHECK(!first_cut_off(topology));
        CHECK(written(Topology(topology.parts())) == written(topology));
      } catch (const InputError& failure) {
        ++refused;
        CHECK(std::string(failure.what()).starts_with("edit \"" + text.substr(0, 60)));
      }
    }
  }
  CHECK(applied > 400);
  CHECK(refused > 100);
}

TEST_CASE("a random machine to which things are added and removed again is what it was") {
  std::mt19937 random(11);
  int compared = 0;
  for (int walk = 0; walk < 60; ++walk) {
    Topology topology = two_socket_server();
    for (int step = 0; step < 10; ++step) {
      const std::string twin = "add node:twin like node:" + any_node(topology, random);
      const std::string cable = "add link:" + any_node(topology, random) + "-" +
                                any_node(topology, random) + " kind=c2c bandwidth=9 GB/s";
      if (edit_refusal(topology, twin) == "accepted") {
        CHECK(written(edited(topology, {twin, "remove node:twin"})) == written(topology));
        ++compared;
      }
      if (edit_refusal(topology, cable) == "accepted") {
        const Topology joined = edited(topology, {cable});
        const std::string name = joined.cable_name(static_cast<LinkId>(joined.links().size() - 1));
        CHECK(written(edited(joined, {"remove link:" + name})) == written(topology));
        ++compared;
      }
      const std::string change = any_edit(topology, step, random);
      if (edit_refusal(topology, change) == "accepted") topology = edited(topology, {change});
    }
  }
  CHECK(compared > 500);
}

}  // namespace syncsim::sequences_test
