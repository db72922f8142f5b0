// Figures of nodes, and how far figures may go.

#include <doctest/doctest.h>

#include <string>

#include "tests/topology/edits/edits_support.h"

namespace syncsim::node_figures_test {
namespace {

using testing::edit_refusal;
using testing::edited;
using testing::gigabytes;
using testing::parse_refusal;
using testing::two_socket_server;
using testing::written;

const Node& node_of(const Topology& topology, std::string_view id) {
  return topology.nodes()[topology.node(id)];
}

}  // namespace

TEST_CASE("figures of nodes are set on all that a pattern or range matches, and on no other") {
  const Topology after =
      edited(two_socket_server(),
             {"node:cpu* transit_bandwidth=40 GB/s peer_cost=1.2",
              "node:plx[0-1] reduce_bandwidth=10 GB/s", "node:cpu1 transit_bandwidth=20 GB/s"});
  CHECK(node_of(after, "cpu0").transit_bandwidth == gigabytes(40));
  CHECK(node_of(after, "cpu1").transit_bandwidth == gigabytes(20));
  CHECK(node_of(after, "cpu1").peer_cost == 1.2);
  CHECK(!node_of(after, "cpu0").reduce_bandwidth);
  CHECK(node_of(after, "plx1").reduce_bandwidth == gigabytes(10));
  CHECK(!node_of(after, "plx0").transit_bandwidth);
  CHECK(node_of(after, "plx0").peer_cost == 1);
}

TEST_CASE("the architecture of gpus is set, other nodes have none") {
  const Topology after = edited(two_socket_server(), {"node:gpu* architecture=sm_80"});
  CHECK(node_of(after, "gpu1").architecture == Architecture{80, 0});
  CHECK_FALSE(node_of(after, "cpu0").architecture);
  CHECK(edit_refusal(two_socket_server(), "node:cpu0 architecture=sm_80") ==
        R"(edit "node:cpu0 architecture=sm_80": node "cpu0" is a cpu with a gpu's architecture, )"
        "sm_80; give architectures to gpus");
}

TEST_CASE("wrong figures of nodes are refused") {
  CHECK(edit_refusal(two_socket_server(), "node:cpx0 peer_cost=2") ==
        R"(edit "node:cpx0 peer_cost=2": no node is called "cpx0"; did you mean "cpu0"?)");
  CHECK(parse_refusal("node:cpu0 peer_cost=0.9") ==
        "peer traffic costs no less than its bytes; write 1 or more, as in 1.2");
  CHECK(parse_refusal("node:cpu0 peer_cost=inf") ==
        R"("inf" is no cost of peer traffic; write 1 or more, as in 1.2)");
  CHECK(parse_refusal("node:cpu0 transit_bandwidth=40") == R"("40" has no unit; write "40 GB/s")");
  CHECK(parse_refusal("node:cpu0 transit_bandwidth=40 GB/s latency=1 us") ==
        "a node has no latency; leave it out, or change links in an edit of their own");
  CHECK(parse_refusal("kind:pcie peer_cost=1.2") ==
        R"(a link has no peer_cost; name nodes, as in "node:cpu*")");
  CHECK(testing::json_edit_refusal(R"({"node": "cpu0", "peer_cost": 0})") ==
        "s.json:/peer_cost: peer traffic costs no less than its bytes; "
        "write 1 or more, as in 1.2");
}

TEST_CASE("an edit that leaves the bandwidths that files may say is refused") {
  const std::string right = "; keep it from 1 B/s to 1000000 TB/s";
  CHECK(edit_refusal(two_socket_server(), "scale kind:pcie bandwidth 0.0000000000000001") ==
        R"(edit "scale kind:pcie bandwidth 0.0000000000000001": the bandwidth of gpu0>plx0 )"
        "would be 1.6e-06 B/s" +
            right);
  CHECK(edit_refusal(two_socket_server(), "oversubscribe kind:network 100000000000") ==
        R"(edit "oversubscribe kind:network 100000000000": the bandwidth of nic0>net0 would be )"
        "0.125 B/s" +
            right);
  CHECK(edit_refusal(two_socket_server(), "link:gpu2-gpu3 count=2000000000") ==
        R"(edit "link:gpu2-gpu3 count=2000000000": the bandwidth of gpu2>gpu3 would be 5e+19 B/s)" +
            right);
  CHECK(edit_refusal(two_socket_server(), "link:gpu0-plx0 bandwidth=1.2 B/s") ==
        R"(edit "link:gpu0-plx0 bandwidth=1.2 B/s": the bandwidth of gpu0>plx0 would be 0.9 B/s)" +
            right);
  CHECK(parse_refusal("add link:gpu0-gpu2 kind=nvlink bandwidth=25 GB/s count=2000000000") ==
        "the bandwidth of link:gpu0-gpu2 would be 5e+19 B/s" + right);
  CHECK(edit_refusal(two_socket_server(), "link:gpu0-gpu1 bandwidth=1 B/s") == "accepted");
  CHECK(edit_refusal(two_socket_server(), "link:gpu0-gpu1 bandwidth=1000000 TB/s") == "accepted");
}

}  // namespace syncsim::node_figures_test
