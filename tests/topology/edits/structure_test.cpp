// Cables and nodes that are added and removed.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/topology/edits/edits_support.h"

namespace syncsim::structure_test {
namespace {

using testing::edit_refusal;
using testing::edited;
using testing::find_link;
using testing::gigabytes;
using testing::json_edit_refusal;
using testing::link_named;
using testing::parse_refusal;
using testing::rank_names;
using testing::two_socket_server;
using testing::written;

std::string refusal(const std::string& text) { return edit_refusal(two_socket_server(), text); }

// Without the edit's own text.
std::string reason(const std::string& text) {
  const std::string all = refusal(text);
  return all.substr(all.find("\": ") + 3);
}

}  // namespace

TEST_CASE("an added cable has the figures of one cable, times its count, both ways") {
  const Topology topology = edited(
      two_socket_server(),
      {"add link:gpu0-gpu2 kind=nvlink bandwidth=25 GB/s usable=20 GB/s latency=1 us overhead=3 us "
       "count=2"});
  for (const std::string name : {"gpu0>gpu2", "gpu2>gpu0"}) {
    const Link& link = link_named(topology, name);
    CHECK(link.kind == LinkKind::nvlink);
    CHECK(link.bandwidth == gigabytes(50));
    CHECK(link.usable == gigabytes(40));
    CHECK(link.latency == Time{1'000'000});
    CHECK(link.overhead == Time{3'000'000});
    CHECK(link.count == 2);
    CHECK(link.spread == Spread::stripe);
  }
  CHECK(topology.links().size() == two_socket_server().links().size() + 2);
  const Topology pcie = edited(
      two_socket_server(),
      {"add link:gpu0-plx1 kind=pcie bandwidth=8 GB/s width=8 gen=3", "link:gpu0-plx1 width=x16"});
  CHECK(link_named(pcie, "plx1>gpu0").bandwidth == gigabytes(16));
  CHECK(link_named(pcie, "plx1>gpu0").usable == gigabytes(16));
  CHECK(link_named(pcie, "plx1>gpu0").spread == Spread::per_channel);
}

TEST_CASE("a cable like another has all its figures, in the direction named") {
  const Topology lopsided =
      edited(two_socket_server(),
             {"link:gpu2>gpu3 bandwidth=10 GB/s", "link:gpu3>gpu2 latency=9 us",
              "add link:gpu0-gpu3 like link:gpu2-gpu3", "add link:gpu0-gpu2 like link:gpu3-gpu2"});
  CHECK(link_named(lopsided, "gpu0>gpu3").bandwidth == gigabytes(10));
  CHECK(link_named(lopsided, "gpu3>gpu0").latency == Time{9'000'000});
  CHECK(link_named(lopsided, "gpu0>gpu2").bandwidth == gigabytes(25));
  CHECK(link_named(lopsided, "gpu2>gpu0").bandwidth == gigabytes(10));
  const Topology bundle = edited(two_socket_server(), {"add link:gpu0-gpu3 like link:gpu0-gpu1"});
  CHECK(link_named(bundle, "gpu0>gpu3").count == 2);
  const Topology pcie = edited(two_socket_server(), {"add link:gpu0-plx1 like link:gpu0-plx0"});
  CHECK(link_named(pcie, "gpu0>plx1").lanes == 16);
}

TEST_CASE("a second kind of cable between two nodes is named by its kind") {
  const Topology topology =
      edited(two_socket_server(), {"add link:gpu0-gpu1 kind=pcie bandwidth=16 GB/s"});
  CHECK(find_link(topology, "gpu0>gpu1") != nullptr);
  CHECK(link_named(topology, "gpu0>gpu1@pcie").kind == LinkKind::pcie);
  CHECK(written(edited(topology, {"remove link:gpu0-gpu1@pcie"})) == written(two_socket_server()));
}

TEST_CASE("what was added and is removed leaves the machine as it was") {
  const std::string before = written(two_socket_server());
  const std::vector<std::vector<std::string>> there_and_back = {
      {"add link:gpu0-gpu2 kind=nvlink bandwidth=25 GB/s", "remove link:gpu0-gpu2"},
      {"add node:nic8 kind=nic", "remove node:nic8"},
      {"add node:gpu8 like node:gpu0", "remove node:gpu8"},
      {"add node:nic8 like node:nic0 at plx1", "remove node:nic8"},
      {"move nic0 plx1", "move nic0 plx0"},
      {"move link:gpu0-gpu1 gpu3", "move link:gpu0-gpu3 gpu1"}};
  for (const auto& edits : there_and_back) {
    CAPTURE(edits.front());
    CHECK(written(edited(two_socket_server(), {edits.front()})) != before);
    CHECK(written(edited(two_socket_server(), edits)) == before);
  }
}

TEST_CASE("cables that cannot be added are refused") {
  CHECK(reason("add link:gpu0-gpu1 kind=nvlink bandwidth=25 GB/s") ==
        R"(gpu0 and gpu1 are joined by nvlink already; give that cable a greater "count")");
  CHECK(reason("add link:plx0-gpu0 like link:plx1-gpu2") ==
        R"(plx0 and gpu0 are joined by pcie already; give that cable a greater "count")");
  CHECK(reason("add link:gpu0-gpu7 kind=nvlink bandwidth=25 GB/s") ==
        R"(unknown node "gpu7"; did you mean "gpu0"?)");
  CHECK(reason("add link:gpu0-gpu0 kind=nvlink bandwidth=25 GB/s") ==
        R"(a link joins node "gpu0" to itself; join two different nodes)");
  CHECK(reason("add link:gpu0-gpu2 like link:gpu0-gpu9") ==
        R"(no link is called "gpu0-gpu9"; did you mean "gpu0-gpu1"?)");
  CHECK(reason("add link:gpu0-gpu2 like link:gpu*-gpu*") ==
        R"("gpu*-gpu*" stands for 2 cables, gpu0-gpu1, gpu2-gpu3; name one cable)");
  const std::string two_ids = R"( does not join two nodes; write two ids, as in )"
                              R"("add link:gpu0-gpu1 ...")";
  for (const std::string ends :
       {"link:gpu0", "link:gpu0-gpu1-gpu2", "link:gpu*-gpu1", "link:gpu0-*", "link:gpu0-gpu1@pcie"})
    CHECK(parse_refusal("add " + ends + " kind=pcie bandwidth=1 GB/s") ==
          "\"" + ends + "\"" + two_ids);
  CHECK(parse_refusal("add link:gpu0>gpu2 kind=nvlink bandwidth=25 GB/s") ==
        R"("gpu0>gpu2" is one direction of a cable; name the cable, as in "link:a-b")");
  CHECK(parse_refusal("add kind:nvlink kind=nvlink bandwidth=25 GB/s") ==
        R"("kind:nvlink" is many links; )"
        R"(add one, as in "add link:gpu0-gpu1 kind=nvlink bandwidth=25 GB/s")");
  CHECK(parse_refusal("add link:gpu0-gpu2 kind=nvlink bandwidth=25 GB/s usable=26 GB/s") ==
        "the usable bandwidth 26 GB/s is above the line rate 25 GB/s; write at most the line rate");
  CHECK(parse_refusal("add link:gpu0-gpu2 kind=nvlink bandwidth=25 GB/s width=8") ==
        "a link of kind nvlink has no PCIe width; leave it out");
  CHECK(parse_refusal("add link:gpu0-gpu2 like link:gpu0-gpu1 count=4") ==
        R"("like" copies all figures, not "count"; )"
        "leave this out, or change it in an edit that follows");
  CHECK(parse_refusal("add link:gpu0-gpu2 kind=nvlink bandwidth=25 GB/s at plx0") ==
        R"("at" is of new nodes; leave it out)");
  CHECK(parse_refusal("add link:gpu0-gpu2 like node:gpu0") ==
        R"("node:gpu0" is no cable; write "link:a-b")");
}

TEST_CASE("a new node has no cables - a gpu is the last rank and needs a cable in the end") {
  const Topology lone = edited(two_socket_server(), {"add node:nic8 kind=nic"});
  CHECK(lone.nodes().back().id == "nic8");
  CHECK(lone.nodes().back().forwards);
  CHECK(lone.links().size() == two_socket_server().links().size());
  CHECK(rank_names(lone) == rank_names(two_socket_server()));
  CHECK(refusal("add node:gpu8 kind=gpu") ==
        R"(edit "add node:gpu8 kind=gpu": gpu8 (rank 4) is cut off from gpu0; )"
        "keep a way between them, or leave some out of the ranks");
  const Topology joined = edited(
      two_socket_server(), {"add node:gpu8 kind=gpu", "add link:gpu8-plx0 like link:gpu0-plx0"});
  CHECK(rank_names(joined).back() == "gpu8");
  CHECK(!joined.nodes().back().forwards);
}

TEST_CASE("a twin has the figures and the cables of the other, or its PCIe cable elsewhere") {
  const Topology gpu = edited(two_socket_server(), {"add node:gpu8 like node:gpu1"});
  CHECK(rank_names(gpu) == std::vector<std::string>{"gpu0", "gpu1", "gpu2", "gpu3", "gpu8"});
  CHECK(link_named(gpu, "gpu8>plx0").usable == gigabytes(12));
  CHECK(link_named(gpu, "gpu0>gpu8").count == 2);
  CHECK(find_link(gpu, "gpu1>gpu8") == nullptr);
  const Topology nic = edited(two_socket_server(), {"add node:nic8 like node:nic0 at plx1"});
  CHECK(link_named(nic, "nic8>plx1").generation == 3);
  CHECK(link_named(nic, "nic8>net0").bandwidth == gigabytes(12.5));
  CHECK(find_link(nic, "nic8>plx0") == nullptr);
  CHECK(find_link(nic, "nic0>plx0") != nullptr);
  CHECK(rank_names(nic).size() == 4);
}

TEST_CASE("the twin of a rank is a rank, whatever its kind, and takes its node's figures") {
  Topology::Parts parts = testing::star(1);
  const NodeId cpu = testing::add_node(parts, "cpu0", NodeKind::cpu);
  parts.nodes[cpu].transit_bandwidth = gigabytes(40);
  testing::add_cable(parts, cpu, 1, testing::link_of(LinkKind::pcie, gigabytes(16)));
  parts.ranks.push_back(cpu);
  const Topology twins = edited(Topology(parts), {"add node:cpu1 like node:cpu0"});
  CHECK(rank_names(twins) == std::vector<std::string>{"gpu0", "cpu0", "cpu1"});
  CHECK(twins.nodes().back().transit_bandwidth == gigabytes(40));
}

TEST_CASE("nodes that cannot be added are refused") {
  CHECK(reason("add node:gpu0 kind=gpu") ==
        R"(there is a node "gpu0" already; give the new one another id)");
  CHECK(reason("add node:a-b kind=gpu").find("holds '-'") != std::string::npos);
  CHECK(parse_refusal("add node:" + std::string(201, 'n') + " kind=nic")
            .find("a node id of 201 characters is too long; write at most 200") !=
        std::string::npos);
  CHECK(edited(two_socket_server(), {"add node:" + std::string(200, 'n') + " kind=nic"})
            .find_node(std::string(200, 'n')));
  CHECK(reason("add node:nic8 like node:nic9") == R"(unknown node "nic9"; did you mean "nic0"?)");
  CHECK(reason("add node:nic8 like node:nic0 at plx9") ==
        R"(unknown node "plx9"; did you mean "plx0"?)");
  CHECK(parse_refusal("add node:nic8 kind=nick") ==
        R"(unknown node kind "nick"; did you mean "nic"?)");
  const std::string right =
      R"(; write "add node:nic8 kind=nic" or "add node:nic8 like node:nic0 at plx1")";
  CHECK(parse_refusal("add node:nic8") == R"(a new node lacks "kind" or "like")" + right);
  CHECK(parse_refusal("add node:nic8 kind=nic bandwidth=8 GB/s") ==
        R"(a new node takes "kind" or "like", not "bandwidth")" + right);
  CHECK(parse_refusal("add node:nic8 kind=nic at plx0") ==
        R"(a new node takes "kind" or "like", not "at")" + right);
  CHECK(parse_refusal("add node:nic8 like node:nic0 kind=nic") ==
        R"(a twin takes "like" and "at", not "kind"; )"
        "leave this out, or change it in an edit that follows");
  CHECK(json_edit_refusal(R"({"add": "node:nic8", "like": "node:nic0", "latency": "1 us"})") ==
        R"(s.json:/latency: a twin takes "like" and "at", not "latency"; )"
        "leave this out, or change it in an edit that follows");
}

}  // namespace syncsim::structure_test
