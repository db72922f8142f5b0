// Names that stand for many: stars, ranges, and each box's own.

#include "sim/topology/edits/pattern.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "sim/topology/id_range.h"
#include "tests/topology/edits/edits_support.h"

namespace syncsim::pattern_test {
namespace {

using testing::add_node;
using testing::edit_refusal;
using testing::edited;
using testing::gigabytes;
using testing::link_named;
using testing::parse_refusal;
using testing::two_socket_server;
using testing::written;

using Nics = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

// Two boxes of two gpus and two nics each, all on one switch.
Topology two_boxes() {
  Topology::Parts parts;
  parts.name = "boxes";
  for (const std::string box : {"node0/", "node1/"}) {
    for (const std::string gpu : {"gpu0", "gpu1"}) add_node(parts, box + gpu, NodeKind::gpu);
    for (const std::string nic : {"nic0", "nic1"}) add_node(parts, box + nic, NodeKind::nic);
  }
  const NodeId hub = add_node(parts, "hub", NodeKind::switch_);
  for (NodeId node = 0; node < hub; ++node) testing::add_cable(parts, node, hub, testing::pcie3());
  return Topology(parts);
}

Nics nics_after(const std::string& edit) { return edited(two_boxes(), {edit}).routing().nics; }

}  // namespace

TEST_CASE("a pattern with ranges matches just the ids that its range stands for") {
  for (const std::string pattern :
       {"gpu[0-3]", "gpu[8-12]", "gpu1[0-2]", "gpu[1-2]5", "node[0-1]/gpu[2-3]", "[0-9][0-9]"}) {
    const std::vector<std::string> ids = expand_range(pattern);
    for (int number = 0; number < 200; ++number)
      for (const std::string prefix : {"gpu", "gpu0", "node0/gpu", "node2/gpu", ""}) {
        const std::string id = prefix + std::to_string(number);
        CAPTURE(pattern);
        CAPTURE(id);
        CHECK(matches(pattern, id) == (std::find(ids.begin(), ids.end(), id) != ids.end()));
      }
  }
  CHECK(matches("*[2-3]", "node0/gpu12"));
  CHECK(!matches("*gpu[2-3]", "node0/gpu12"));
  CHECK(matches("node[0-1]/*", "node1/gpu12"));
  CHECK(!matches("gpu[0-99]", "gpu99999999999999999999"));
}

TEST_CASE("ranges name nodes and links of edits") {
  const Topology removed = edited(two_socket_server(), {"remove node:gpu[1-3]"});
  CHECK(testing::rank_names(removed) == std::vector<std::string>{"gpu0"});
  const Topology slow = edited(two_socket_server(), {"link:gpu[1-2]-plx[0-1] bandwidth=8 GB/s"});
  CHECK(link_named(slow, "gpu1>plx0").bandwidth == gigabytes(8));
  CHECK(link_named(slow, "plx1>gpu2").bandwidth == gigabytes(8));
  CHECK(link_named(slow, "gpu3>plx1").bandwidth == gigabytes(16));
  CHECK(written(edited(two_socket_server(), {"link:plx[0-1]>gpu* latency=1 us"})) ==
        written(edited(two_socket_server(), {"link:plx*>gpu* latency=1 us"})));
  CHECK(edited(two_socket_server(), {"use nic1 for gpu[1-2]"}).routing().nics ==
        Nics{{1, 9}, {2, 9}});
  CHECK(edited(two_boxes(), {"remove node:node0/nic[0-1]"}).nodes().size() == 7);
}

TEST_CASE("wrong ranges are refused") {
  CHECK(edit_refusal(two_socket_server(), "remove node:gpu[2-5]") ==
        R"(edit "remove node:gpu[2-5]": no node is called "gpu4"; did you mean "gpu0"?)");
  CHECK(edit_refusal(two_socket_server(), "remove node:gpu[0-20]") ==
        R"(edit "remove node:gpu[0-20]": "gpu[0-20]" stands for more nodes than the 11 there are; )"
        "write a smaller range, or * for all");
  CHECK(parse_refusal("remove node:gpu[3-1]") ==
        R"("gpu[3-1]" has a range that runs backwards; write [1-3])");
  CHECK(parse_refusal("remove link:plx0-gpu[1") ==
        R"("gpu[1" has a malformed range; )"
        R"(write the first and last number in brackets, as in "gpu[0-3]")");
  CHECK(parse_refusal("use nic0 for gpu]") ==
        R"("gpu]" has a malformed range; )"
        R"(write the first and last number in brackets, as in "gpu[0-3]")");
}

TEST_CASE("one node is asked for where many cannot be") {
  const std::string right = R"( stands for many nodes; name one, as in "nic0")";
  CHECK(parse_refusal("add node:nic[8-9] kind=nic") == R"("nic[8-9]")" + right);
  CHECK(parse_refusal("add node:nic8 like node:nic*") == R"("nic*")" + right);
}

TEST_CASE("where several nics are named so, each gpu gets that of its own box") {
  CHECK(nics_after("use node*/nic1 for node*/gpu*") == Nics{{0, 3}, {1, 3}, {4, 7}, {5, 7}});
  CHECK(nics_after("use *nic0 for node1/gpu[0-1]") == Nics{{4, 6}, {5, 6}});
  CHECK(nics_after("use node0/nic0 for *") == Nics{{0, 2}, {1, 2}, {4, 2}, {5, 2}});
  CHECK(nics_after("use node1/*1 for node0/gpu0") == Nics{{0, 7}});
  const std::string right = R"(; name one of each box, as in "use node*/nic0 for node*/gpu*")";
  CHECK(edit_refusal(two_boxes(), "use node*/nic* for node0/gpu0") ==
        R"(edit "use node*/nic* for node0/gpu0": "node*/nic*" stands for 2 nics in the box of )"
        "node0/gpu0" +
            right);
  CHECK(edit_refusal(two_boxes(), "use node1/nic* for node0/gpu0") ==
        R"(edit "use node1/nic* for node0/gpu0": "node1/nic*" stands for 0 nics in the box of )"
        "node0/gpu0" +
            right);
  CHECK(edit_refusal(two_boxes(), "use x* for node0/gpu0") ==
        R"(edit "use x* for node0/gpu0": unknown nic "x*"; )"
        "choose one of node0/nic0, node0/nic1, node1/nic0, node1/nic1");
}

}  // namespace syncsim::pattern_test
