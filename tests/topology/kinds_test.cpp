#include "sim/topology/kinds.h"

#include <doctest/doctest.h>

#include <string>

#include "sim/topology/routing.h"
#include "tests/topology/json_support.h"

namespace syncsim::kinds_test {
namespace {

using testing::cables;
using testing::read_machine;

constexpr const char* kLink = R"("link": {"kind": "pcie", "bandwidth": "16 GB/s",
                                          "usable": "12 GB/s", "latency": "2 us"})";

Topology generate(const std::string& kind, int gpus) {
  return read_machine(R"({"kind": ")" + kind + R"(", "gpus": )" + std::to_string(gpus) + ", " +
                      kLink + "}");
}

std::string refusal(const std::string& text) {
  return testing::refusal_of([&] { read_machine(text); });
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a star joins each of its gpus to switch0") {
  const Topology star = generate("star", 3);
  CHECK(cables(star) == Names{"gpu0-switch0", "gpu1-switch0", "gpu2-switch0"});
  CHECK(star.ranks() == std::vector<NodeId>{0, 1, 2});
  CHECK(star.nodes()[3].kind == NodeKind::switch_);
  CHECK(star.nodes()[3].forwards);
  CHECK(!star.nodes()[0].forwards);
}

TEST_CASE("a ring joins each gpu to the next, and closes") {
  CHECK(cables(generate("ring", 4)) == Names{"gpu0-gpu1", "gpu1-gpu2", "gpu2-gpu3", "gpu3-gpu0"});
  CHECK(cables(generate("ring", 3)) == Names{"gpu0-gpu1", "gpu1-gpu2", "gpu2-gpu0"});
}

TEST_CASE("two gpus in a ring share one cable, and one gpu stands alone") {
  CHECK(cables(generate("ring", 2)) == Names{"gpu0-gpu1"});
  const Topology lone = generate("ring", 1);
  CHECK(lone.links().empty());
  CHECK(lone.ranks() == std::vector<NodeId>{0});
}

TEST_CASE("gpus of a ring forward, so that n/2 hops join the farthest two") {
  const Topology ring = generate("ring", 8);
  const Resources resources(ring, Rates::line);
  Router router(ring, resources);
  CHECK(router.route(0, 4).hops == 4);
  CHECK(router.route(0, 7).hops == 1);
}

TEST_CASE("every link of a generated machine has the figures of \"link\"") {
  const Topology ring = generate("ring", 5);
  for (const Link& link : ring.links()) {
    CHECK(link.kind == LinkKind::pcie);
    CHECK(link.bandwidth == Bandwidth{16e9});
    CHECK(link.usable == Bandwidth{12e9});
    CHECK(link.latency == Time{2'000'000});
    CHECK(link.count == 1);
  }
}

TEST_CASE("a generated machine is named after its kind and size unless the file names it") {
  CHECK(generate("ring", 8).name() == "ring of 8");
  CHECK(generate("star", 2).name() == "star of 2");
  CHECK(generate("star", 2).description() == "2 gpus around one switch");
  const Topology named = read_machine(
      R"({"kind": "star", "name": "mine", "description": "d", "source": "s", "gpus": 2,
          "link": {"kind": "pcie", "bandwidth": "1 GB/s"}})");
  CHECK(named.name() == "mine");
  CHECK(named.description() == "d");
  CHECK(named.source() == "s");
}

TEST_CASE("the same parameters give the same machine") {
  CHECK(cables(generate("ring", 64)) == cables(generate("ring", 64)));
}

TEST_CASE("kinds are listed by name with their parameters") {
  CHECK(topology_kinds().names() == Names{"dragonfly", "fat_tree", "fully_connected", "hypercube",
                                          "mesh", "rail_optimized", "ring", "star", "torus"});
  CHECK(topology_kinds().at("ring").description ==
        R"("gpus" gpus in a circle, each joined to the next by "link")");
}

TEST_CASE("a machine that there is no memory for is refused before it is made") {
  const auto refused = [](const std::string& text, std::uint64_t bytes) {
    return testing::refusal_of([&] {
      read_topology(JsonFile::parse(text, "m.json").root(), {bytes, "there is too little"});
    });
  };
  const std::string link = kLink;
  const std::string star = R"({"kind": "star", "gpus": 1000, )" + link + "}";
  CHECK(refused(star, 1'001 * 310 + 2'000 * 230) == "accepted");
  CHECK(refused(star, 1'001 * 310 + 2'000 * 230 - 1) ==
        "m.json:/gpus: the machine needs about 770 kB (1.0 k nodes, 1.0 k cables), there is too "
        "little; build a smaller one, or allow more with --memory");
  const std::string mesh = R"({"name": "mesh", "link_types": {"x": {"kind": "pcie",
    "bandwidth": "1 GB/s"}}, "nodes": [{"id": "gpu[0-999]", "kind": "gpu"}],
    "links": [{"all_pairs": "gpu[0-999]", "type": "x"}]})";
  CHECK(refused(mesh, 300'000) ==
        "m.json:/nodes/0/id: the machine needs about 310 kB (1.0 k nodes, 0 cables), there is too "
        "little; build a smaller one, or allow more with --memory");
  CHECK(refused(mesh, 1'000'000) ==
        "m.json:/links/0/all_pairs: the machine needs about 230 MB (1.0 k nodes, 500 k cables), "
        "there is too little; build a smaller one, or allow more with --memory");
}

TEST_CASE("a wrong kind or parameter is refused with its place") {
  const std::string link = kLink;
  CHECK(refusal(R"({"kind": "rng", "gpus": 4})") ==
        R"(m.json:/kind: unknown topology kind "rng"; did you mean "ring"?)");
  CHECK(refusal(R"({"kind": "ring", "gpus": 4, "link": {"kind": "pcie", "bandwidth": "16"}})") ==
        R"(m.json:/link/bandwidth: "16" has no unit; write "16 GB/s")");
  CHECK(refusal(R"({"kind": "ring", )" + link + "}") ==
        R"(m.json:/: "gpus" is missing; add "gpus": 8)");
  CHECK(refusal(R"({"kind": "star", "gpus": 4})") ==
        R"(m.json:/: "link" is missing; )"
        R"(add "link": {"kind": "nvlink", "bandwidth": "25 GB/s"})");
  for (const std::string gpus : {"0", "-1", "1000001"})
    CHECK(refusal(R"({"kind": "ring", "gpus": )" + gpus + ", " + link + "}") ==
          "m.json:/gpus: " + gpus + " is out of range; write a whole number from 1 to 1000000");
  CHECK(refusal(R"({"kind": "star", "gpus": 4, "nodes": [], )" + link + "}") ==
        R"(m.json:/nodes: unknown key "nodes"; )"
        "choose one of gpus, link, machines, machine, ports, kind, name, description, source, "
        "routing");
}

}  // namespace syncsim::kinds_test
