#include "sim/topology/policy_defect.h"

#include <doctest/doctest.h>

#include <string>

#include "sim/topology/edits.h"
#include "sim/topology/topology_json.h"
#include "tests/support/refusal.h"
#include "tests/support/routed.h"
#include "tests/topology/json_support.h"
#include "tests/topology/servers.h"

namespace syncsim::policy_defect_test {
namespace {

using testing::add_cable;
using testing::add_node;
using testing::cable;
using testing::limited;
using testing::two_servers;
using testing::under;

// "" for none.
std::string defect(const Topology::Parts& parts) {
  const auto found = policy_defect(Topology(parts));
  return found ? std::string(found->wrong()) : "";
}

std::string no_cpu(const std::string& gpu) {
  return "the routing policy leads the traffic of " + gpu + " through a cpu, and it reaches none";
}

RoutingPolicy acs() {
  RoutingPolicy policy;
  policy.acs = true;
  return policy;
}

std::string refusal(const std::string& shelf, const std::string& edit) {
  const Topology machine = load_topology(shelf, SYNCSIM_SHELF);
  return testing::refusal_of([&] { apply_edits(machine, std::vector{parse_edit(edit)}); });
}

}  // namespace

TEST_CASE("a policy that the machine can follow has no defect") {
  CHECK(defect(two_servers()) == "");
  CHECK(defect(under(two_servers(), limited(PeerLevel::loc))) == "");
  RoutingPolicy all = acs();
  all.gdr = false;
  all.p2p = PeerLevel::nvl;
  CHECK(defect(under(two_servers(), all)) == "");
}

TEST_CASE("a given nic of another machine is a defect") {
  Topology::Parts parts = two_servers();
  const Topology plain(parts);
  parts.routing.nics = {{plain.node("a/gpu0"), plain.node("a/nic1")}};
  CHECK(defect(parts) == "");
  parts.routing.nics = {{plain.node("a/gpu0"), plain.node("b/nic0")}};
  CHECK(defect(parts) == "a/gpu0 is to use b/nic0, which it reaches over the network only");
}

TEST_CASE("LOC on a machine whose cpus do not reach all its gpus, or that has none, is refused") {
  CHECK(refusal("gb200_nvl72", "limit p2p LOC") ==
        "edit \"limit p2p LOC\": P2P at LOC stages what gpu0 sends in the memory of cpu0, from "
        "where gpu2 is out of reach; join their cpus by nodes that forward, or limit p2p to NVL");
  CHECK(refusal("mi250", "limit p2p LOC") ==
        "edit \"limit p2p LOC\": " + no_cpu("gpu0") +
            "; join it to one, or allow its devices to reach each other");
  CHECK(refusal("mi250", "disable p2p") == "accepted");  // xgmi all the way
  CHECK(refusal("gb200_nvl72", "disable p2p") == "accepted");
  CHECK(refusal("dgx_a100_x2", "limit p2p LOC") == "accepted");
}

TEST_CASE("an edit may mend what an earlier one broke, and the first that broke it is named") {
  const Topology machine = load_topology("mi250", SYNCSIM_SHELF);
  const auto after = [&](const std::vector<std::string>& texts) {
    std::vector<Edit> edits;
    for (const std::string& text : texts) edits.push_back(parse_edit(text));
    return testing::refusal_of([&] { apply_edits(machine, edits); });
  };
  CHECK(after({"limit p2p LOC", "limit p2p NVL"}) == "accepted");
  CHECK(after({"limit p2p LOC", "scale kind:xgmi bandwidth 2"})
            .starts_with("edit \"limit p2p LOC\": "));
}

TEST_CASE("without a cpu, peers that are not joined by NVLink cannot be staged or go to the root") {
  Topology::Parts parts = testing::star(3);
  CHECK(defect(under(parts, limited(PeerLevel::nvl))) == no_cpu("gpu0"));
  CHECK(defect(under(parts, acs())) == no_cpu("gpu0"));
  CHECK(defect(under(parts, limited(PeerLevel::pix))) == "");
  for (const auto& [a, b] : {std::pair(0U, 1U), {0U, 2U}, {1U, 2U}})
    add_cable(parts, a, b, cable(LinkKind::nvlink, 50));
  CHECK(defect(under(parts, limited(PeerLevel::nvl))) == "");
  CHECK(defect(under(parts, acs())) == "");
}

TEST_CASE("without a cpu, nothing is staged on its way to a nic, unless nothing goes there") {
  Topology::Parts parts;
  for (const std::string box : {"a/", "b/"}) {
    const NodeId gpu = add_node(parts, box + "gpu0", NodeKind::gpu);
    add_cable(parts, gpu, add_node(parts, box + "nic0", NodeKind::nic), cable(LinkKind::pcie, 16));
  }
  add_cable(parts, 1, 3, cable(LinkKind::network, 25));
  CHECK(defect(under(parts, acs())) == no_cpu("a/gpu0"));
  RoutingPolicy staged;
  staged.gdr = false;
  CHECK(defect(under(parts, staged)) == no_cpu("a/gpu0"));
  parts.ranks = {0};
  CHECK(defect(under(parts, staged)) == "");
}

TEST_CASE("a file whose policy cannot be followed is refused when it is read") {
  CHECK(testing::refusal_of([] {
          testing::read_machine(
              R"({"name": "m", "link_types": {"x": {"kind": "pcie", "bandwidth": "16 GB/s"}},
                  "nodes": [{"id": "gpu[0-1]", "kind": "gpu"}, {"id": "plx0", "kind": "switch"}],
                  "links": [{"between": ["gpu[0-1]", "plx0"], "type": "x"}],
                  "routing": {"p2p": "NVL"}})");
        }) == "m.json:/: " + no_cpu("gpu0") +
                  "; join it to one, or allow its devices to reach each other");
}

}  // namespace syncsim::policy_defect_test
