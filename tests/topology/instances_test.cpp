// Machines made of machines: names, order, figures, policies, and where files are looked for.

#include "sim/topology/instances.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/topology/routing.h"
#include "tests/support/temporary_folder.h"
#include "tests/topology/json_support.h"

namespace syncsim::instances_test {
namespace {

using testing::cables;
using testing::read_machine;
using testing::TemporaryFolder;

using Names = std::vector<std::string>;

// Two gpus and a nic on a switch.
constexpr const char* kBox = R"({"name": "box",
  "link_types": {"x16": {"kind": "pcie", "bandwidth": "16 GB/s", "usable": "12 GB/s",
                         "latency": "1 us"}},
  "nodes": [{"id": "gpu[0-1]", "kind": "gpu"}, {"id": "plx0", "kind": "switch"},
            {"id": "nic0", "kind": "nic"}],
  "links": [{"between": ["gpu[0-1]", "plx0"], "type": "x16"},
            {"between": ["nic0", "plx0"], "type": "x16", "count": 2}]})";

constexpr const char* kNetwork = R"("link_types": {"net": {"kind": "network",
                                                           "bandwidth": "10 GB/s"}})";

std::string box() { return kBox; }

// `prefix` copies of the box around one switch.
std::string cluster(const std::string& prefix, const std::string& topology) {
  return R"({"name": "cluster", )" + std::string(kNetwork) + R"(,
    "instances": [{"prefix": ")" +
         prefix + R"(", "topology": )" + topology + R"(}],
    "nodes": [{"id": "spine0", "kind": "switch"}],
    "links": [{"between": [")" +
         prefix + R"(nic0", "spine0"], "type": "net"}]})";
}

Names ids(const Topology& topology) {
  Names names;
  for (const Node& node : topology.nodes()) names.push_back(node.id);
  return names;
}

Names rank_ids(const Topology& topology) {
  Names names;
  for (const NodeId rank : topology.ranks()) names.push_back(topology.nodes()[rank].id);
  return names;
}

int hops(const Topology& topology, const std::string& from, const std::string& to) {
  const Resources resources(topology, Rates::line);
  return Router(topology, resources).route(topology.node(from), topology.node(to)).hops;
}

// Read from `folder`/m.json, whose shelf is `folder`/shelf.
Topology read_in(const TemporaryFolder& folder, const std::string& text) {
  folder.write("m.json", text);
  return load_topology(folder.path() + "/m.json", folder.path() + "/shelf");
}

}  // namespace

TEST_CASE("copies of a machine bear their prefix - own nodes and links follow") {
  const Topology whole = read_machine(cluster("node[0-1]/", box()));
  CHECK(ids(whole) == Names{"node0/gpu0", "node0/gpu1", "node0/plx0", "node0/nic0", "node1/gpu0",
                            "node1/gpu1", "node1/plx0", "node1/nic0", "spine0"});
  CHECK(cables(whole) == Names{"node0/gpu0-node0/plx0", "node0/gpu1-node0/plx0",
                               "node0/nic0-node0/plx0", "node1/gpu0-node1/plx0",
                               "node1/gpu1-node1/plx0", "node1/nic0-node1/plx0",
                               "node0/nic0-spine0", "node1/nic0-spine0"});
  CHECK(whole.name() == "cluster");
  CHECK(hops(whole, "node0/gpu1", "node1/gpu0") == 6);
}

TEST_CASE("a copy has every figure of the machine") {
  const Topology whole = read_machine(cluster("node[0-1]/", box()));
  const Topology alone = read_machine(box());
  for (LinkId link = 0; link < alone.links().size(); ++link)
    for (const LinkId copy : {link, link + static_cast<LinkId>(alone.links().size())}) {
      CHECK(whole.links()[copy].bandwidth == alone.links()[link].bandwidth);
      CHECK(whole.links()[copy].usable == alone.links()[link].usable);
      CHECK(whole.links()[copy].latency == alone.links()[link].latency);
      CHECK(whole.links()[copy].count == alone.links()[link].count);
      CHECK(whole.links()[copy].kind == alone.links()[link].kind);
    }
  CHECK(whole.nodes()[whole.node("node1/nic0")].kind == NodeKind::nic);
  CHECK(!whole.nodes()[whole.node("node1/gpu0")].forwards);
}

TEST_CASE("ranks are the instances', in order, then own gpus") {
  const std::string text = R"({"name": "m", )" + std::string(kNetwork) + R"(,
    "instances": [{"prefix": "b[0-1]/", "topology": )" +
                           box() + R"(}, {"prefix": "a/", "topology": )" + box() + R"(}],
    "nodes": [{"id": "spine0", "kind": "switch"}, {"id": "gpu0", "kind": "gpu"}],
    "links": [{"between": ["b[0-1]/nic0", "spine0"], "type": "net"},
              {"between": ["a/nic0", "spine0"], "type": "net"},
              {"between": ["gpu0", "spine0"], "type": "net"}])";
  CHECK(rank_ids(read_machine(text + "}")) ==
        Names{"b0/gpu0", "b0/gpu1", "b1/gpu0", "b1/gpu1", "a/gpu0", "a/gpu1", "gpu0"});
  CHECK(rank_ids(read_machine(text + R"(, "ranks": ["gpu0", "b[0-1]/gpu1"]})")) ==
        Names{"gpu0", "b0/gpu1", "b1/gpu1"});
}

TEST_CASE("the ranks of an instance are those that it lists itself") {
  std::string chosen = box();
  chosen.insert(chosen.size() - 1, R"(, "ranks": ["gpu1", "gpu0"])");
  CHECK(rank_ids(read_machine(cluster("n[0-1]/", chosen))) ==
        Names{"n0/gpu1", "n0/gpu0", "n1/gpu1", "n1/gpu0"});
}

TEST_CASE("ranges of a prefix multiply, the last one fastest") {
  const Topology whole = read_machine(cluster("pod[0-1]/n[0-1]/", box()));
  CHECK(rank_ids(whole) == Names{"pod0/n0/gpu0", "pod0/n0/gpu1", "pod0/n1/gpu0", "pod0/n1/gpu1",
                                 "pod1/n0/gpu0", "pod1/n0/gpu1", "pod1/n1/gpu0", "pod1/n1/gpu1"});
}

TEST_CASE("without a prefix a machine is taken over, to add to it") {
  const Topology whole = read_machine(R"({"name": "m", )" + std::string(kNetwork) + R"(,
    "instances": [{"topology": )" + box() +
                                      R"(}], "nodes": [{"id": "nic1", "kind": "nic"}],
    "links": [{"between": ["nic1", "plx0"], "type": "net"}]})");
  CHECK(ids(whole) == Names{"gpu0", "gpu1", "plx0", "nic0", "nic1"});
  CHECK(rank_ids(whole) == Names{"gpu0", "gpu1"});
}

TEST_CASE("instances may be made of instances, and of generated kinds") {
  const std::string pod = cluster("n[0-1]/", box());
  const Topology whole = read_machine(R"({"name": "m", )" + std::string(kNetwork) + R"(,
    "instances": [{"prefix": "pod[0-1]/", "topology": )" +
                                      pod +
                                      R"(}, {"prefix": "hub/", "topology": {"kind": "star",
      "gpus": 2, "link": {"kind": "network", "bandwidth": "10 GB/s"}}}],
    "links": [{"between": ["pod[0-1]/spine0", "hub/switch0"], "type": "net"}]})");
  CHECK(rank_ids(whole).front() == "pod0/n0/gpu0");
  CHECK(rank_ids(whole).back() == "hub/gpu1");
  CHECK(whole.ranks().size() == 2 * 4 + 2);
  CHECK(hops(whole, "pod0/n1/gpu0", "pod1/n0/gpu0") == 8);
}

TEST_CASE("an instance may be a fabric without ranks") {
  const Topology whole = read_machine(R"({"name": "m", )" + std::string(kNetwork) + R"(,
    "instances": [{"prefix": "fabric/", "topology": {"name": "f", "nodes": [
      {"id": "s0", "kind": "switch"}], "routing": {"acs": true}}},
      {"prefix": "n[0-1]/", "topology": )" +
                                      box() + R"(}],
    "links": [{"between": ["n[0-1]/nic0", "fabric/s0"], "type": "net"}]})");
  CHECK(whole.ranks().size() == 4);
  CHECK(!whole.routing().acs);  // a fabric has no say
}

TEST_CASE("a path leads on from the file that names it - other names are the shelf's") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() + "/pods/boxes");
  std::filesystem::create_directories(folder.path() + "/shelf");
  folder.write("pods/boxes/box.json", box());
  folder.write("pods/pod.json", cluster("n[0-1]/", R"("boxes/box.json")"));
  folder.write("shelf/box.json", box());
  const std::string links = R"("links": [{"between": ["a/spine0", "b/nic0"], "type": "net"}]})";
  const Topology whole = read_in(folder, R"({"name": "m", )" + std::string(kNetwork) + R"(,
    "instances": [{"prefix": "a/", "topology": "pods/pod.json"},
                  {"prefix": "b/", "topology": "box"}], )" +
                                             links);
  CHECK(rank_ids(whole) ==
        Names{"a/n0/gpu0", "a/n0/gpu1", "a/n1/gpu0", "a/n1/gpu1", "b/gpu0", "b/gpu1"});
  const Topology absolute =
      read_in(folder, cluster("n/", '"' + folder.path() + "/pods/boxes/box.json\""));
  CHECK(rank_ids(absolute) == Names{"n/gpu0", "n/gpu1"});
}

TEST_CASE("a name with .json is the shelf's where no such file is beside") {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() + "/shelf");
  folder.write("shelf/box.json", box());
  const std::string whole = cluster("n[0-1]/", R"("box.json")");
  CHECK(rank_ids(read_in(folder, whole)) == Names{"n0/gpu0", "n0/gpu1", "n1/gpu0", "n1/gpu1"});
  CHECK(load_topology("box.json", folder.path() + "/shelf").name() == "box");
  const Topology star = read_in(folder, R"({"name": "m", "kind": "star", "machines": 2,
    "machine": "box.json", "link": {"kind": "network", "bandwidth": "1 GB/s"}})");
  CHECK(star.ranks().size() == 4);
  std::string mine = box();
  mine.replace(mine.find("gpu[0-1]"), 8, "gpu[1-1]");
  mine.replace(mine.find("gpu[0-1]"), 8, "gpu[1-1]");
  folder.write("box.json", mine);
  CHECK(rank_ids(read_in(folder, whole)) == Names{"n0/gpu1", "n1/gpu1"});
  for (const char* other : {"bix.json", "./bax.json"})
    CHECK(testing::refusal_of([&] { topology_path(other, folder.path() + "/shelf", "dir"); }) ==
          "there is no file \"dir/" + std::string(other) +
              "\"; name a topology file, or a shipped machine without \".json\"");
}

TEST_CASE("a file may be used more than once, on one level and below") {
  const TemporaryFolder folder;
  folder.write("box.json", box());
  folder.write("pod.json", cluster("n[0-1]/", R"("box.json")"));
  const Topology whole = read_in(folder, R"({"name": "m", )" + std::string(kNetwork) + R"(,
    "instances": [{"prefix": "a/", "topology": "pod.json"}, {"prefix": "b/",
    "topology": "./pod.json"}, {"prefix": "c/", "topology": "box.json"}],
    "links": [{"between": ["a/spine0", "b/spine0"], "type": "net"},
              {"between": ["a/spine0", "c/nic0"], "type": "net"}]})");
  CHECK(whole.ranks().size() == 4 + 4 + 2);
}

TEST_CASE("eight levels of instances are read") {
  std::string text = box();
  for (int level = 0; level < 8; ++level)
    text = R"({"name": "m", "instances": [{"prefix": "p/", "topology": )" + text + "}]}";
  CHECK(rank_ids(read_machine(text)) == Names{"p/p/p/p/p/p/p/p/gpu0", "p/p/p/p/p/p/p/p/gpu1"});
}

namespace {

std::string with_routing(std::string machine, const std::string& routing) {
  machine.insert(machine.size() - 1, R"(, "routing": )" + routing);
  return machine;
}

// With a cpu above its switch.
std::string rooted(std::string machine) {
  machine.insert(machine.find(R"({"id": "plx0")"), R"({"id": "cpu0", "kind": "cpu"}, )");
  machine.insert(machine.find(R"("links": [)") + 10,
                 R"({"between": ["cpu0", "plx0"], "type": "x16"}, )");
  return machine;
}

// Machines with these policies, under one with its own.
std::string policies(const std::string& one, const std::string& other, const std::string& own) {
  const std::string text = R"({"name": "m", )" + std::string(kNetwork) + R"(,
    "instances": [{"prefix": "a/", "topology": )" +
                           with_routing(rooted(box()), one) +
                           R"(}, {"prefix": "b/", "topology": )" +
                           with_routing(rooted(box()), other) +
                           R"(}], "links": [{"between": ["a/nic0", "b/nic0"], "type": "net"}]})";
  return with_routing(text, own);
}

}  // namespace

TEST_CASE("the policy that instances agree on is the whole's - its own keys come before") {
  const std::string policy = R"({"p2p": "PXB", "acs": true, "gdr": false, "relays": ["pxn"]})";
  const RoutingPolicy taken = read_machine(policies(policy, policy, "{}")).routing();
  CHECK(taken == RoutingPolicy{PeerLevel::pxb, true, false, false, true, {}});
  const RoutingPolicy own =
      read_machine(policies(policy, policy, R"({"acs": false, "relays": ["nvb"]})")).routing();
  CHECK(own == RoutingPolicy{PeerLevel::pxb, false, false, true, false, {}});
  CHECK(read_machine(
            policies(R"({"p2p": "PIX"})", R"({"acs": true})", R"({"p2p": "SYS", "acs": false})"))
            .routing() == RoutingPolicy{});
}

TEST_CASE("choices of nics are kept for every copy, and changed gpu by gpu") {
  std::string machine = box();
  machine.insert(machine.find(R"({"id": "plx0")"), R"({"id": "nic1", "kind": "nic"}, )");
  machine.insert(machine.find(R"("links": [)") + 10,
                 R"({"between": ["nic1", "plx0"], "type": "x16"}, )");
  machine = with_routing(machine, R"({"nics": {"gpu0": "nic0"}})");
  const Topology kept = read_machine(cluster("n[0-1]/", machine));
  const auto number = [&](const char* id) { return kept.node(id); };
  using Choices = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  CHECK(kept.routing().nics ==
        Choices{{number("n0/gpu0"), number("n0/nic0")}, {number("n1/gpu0"), number("n1/nic0")}});
  const Topology changed = read_machine(with_routing(
      cluster("n[0-1]/", machine), R"({"nics": {"n1/gpu0": "n1/nic1", "n1/gpu1": "n1/nic0"}})"));
  CHECK(changed.routing().nics == Choices{{number("n0/gpu0"), number("n0/nic0")},
                                          {number("n1/gpu0"), number("n1/nic1")},
                                          {number("n1/gpu1"), number("n1/nic0")}});
}

}  // namespace syncsim::instances_test
