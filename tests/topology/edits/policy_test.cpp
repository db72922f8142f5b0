// The routing policy and the choice of ranks.

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/topology/edits/edits_support.h"

namespace syncsim::policy_test {
namespace {

using testing::edit_refusal;
using testing::edited;
using testing::rank_names;
using testing::refusal_of;
using testing::two_socket_server;

using Nics = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

RoutingPolicy policy_after(const std::vector<std::string>& edits) {
  return edited(two_socket_server(), edits).routing();
}

std::string refusal(const std::string& text) { return edit_refusal(two_socket_server(), text); }

std::vector<std::string> ranks_after(const std::string& edit) {
  return rank_names(edited(two_socket_server(), {edit}));
}

}  // namespace

TEST_CASE("peer-to-peer is switched off, on, and limited to a level") {
  CHECK(policy_after({"disable p2p"}).p2p == PeerLevel::nvl);
  CHECK(policy_after({"disable p2p", "enable p2p"}).p2p == PeerLevel::sys);
  const std::vector<std::pair<std::string, PeerLevel>> levels = {
      {"LOC", PeerLevel::loc}, {"NVL", PeerLevel::nvl}, {"PIX", PeerLevel::pix},
      {"PXB", PeerLevel::pxb}, {"PHB", PeerLevel::phb}, {"SYS", PeerLevel::sys}};
  for (const auto& [name, level] : levels) CHECK(policy_after({"limit p2p " + name}).p2p == level);
}

TEST_CASE("switches of the policy change what they name and nothing else") {
  RoutingPolicy policy;
  policy.acs = true;
  CHECK(policy_after({"enable acs"}) == policy);
  CHECK(policy_after({"enable acs", "disable acs"}) == RoutingPolicy{});
  policy = {};
  policy.gdr = false;
  CHECK(policy_after({"disable gdr"}) == policy);
  CHECK(policy_after({"disable gdr", "enable gdr"}) == RoutingPolicy{});
  policy = {};
  policy.nvb = true;
  CHECK(policy_after({"enable nvb"}) == policy);
  policy.pxn = true;
  CHECK(policy_after({"enable nvb", "enable pxn"}) == policy);
  CHECK(policy_after({"enable nvb", "enable pxn", "disable nvb", "disable pxn"}) ==
        RoutingPolicy{});
}

TEST_CASE("a gpu is given a nic, the last one counts, and a pattern gives it to all it matches") {
  CHECK(policy_after({"use nic1 for gpu0"}).nics == Nics{{0, 9}});
  CHECK(policy_after({"use nic1 for gpu2", "use nic1 for gpu0", "use nic0 for gpu2"}).nics ==
        Nics{{0, 9}, {2, 8}});
  CHECK(policy_after({"use nic0 for *"}).nics == Nics{{0, 8}, {1, 8}, {2, 8}, {3, 8}});
  CHECK(policy_after({"use nic1 for gpu*", "remove node:gpu1"}).nics ==
        Nics{{0, 8}, {1, 8}, {2, 8}});
}

TEST_CASE("what the policy does not know is refused with the closest name") {
  CHECK(testing::parse_refusal("enable asc") ==
        R"(unknown thing to enable or disable "asc"; did you mean "acs"?)");
  CHECK(testing::parse_refusal("disable network") ==
        R"(unknown thing to enable or disable "network"; choose one of p2p, acs, gdr, nvb, pxn)");
  CHECK(testing::parse_refusal("limit p2p pxb") ==
        R"(unknown P2P level "pxb"; did you mean "PXB"?)");
  CHECK(testing::parse_refusal("limit acs PXB") ==
        R"(unknown thing to limit "acs"; choose one of p2p)");
  CHECK(testing::json_edit_refusal(R"({"limit": "p2p", "to": "FAR"})") ==
        R"(s.json:/to: unknown P2P level "FAR"; choose one of LOC, NVL, PIX, PXB, PHB, SYS)");
  CHECK(refusal("use nic7 for gpu0") ==
        R"(edit "use nic7 for gpu0": unknown node "nic7"; did you mean "nic0"?)");
  CHECK(refusal("use nic0 for gpu7") ==
        R"(edit "use nic0 for gpu7": unknown gpu "gpu7"; did you mean "gpu0"?)");
  CHECK(refusal("use nic0 for cpu0") ==
        R"(edit "use nic0 for cpu0": unknown gpu "cpu0"; did you mean "gpu0"?)");
  CHECK(refusal("use cpu0 for gpu0") ==
        R"(edit "use cpu0 for gpu0": gpu0 is given cpu0 as its nic; give a gpu a nic)");
}

TEST_CASE("ranks are chosen and ordered by ids, ranges and patterns") {
  using Names = std::vector<std::string>;
  CHECK(ranks_after("ranks gpu3,gpu0") == Names{"gpu3", "gpu0"});
  CHECK(ranks_after("ranks gpu[2-3],gpu[0-1]") == Names{"gpu2", "gpu3", "gpu0", "gpu1"});
  CHECK(ranks_after("ranks gpu2,cpu1") == Names{"gpu2", "cpu1"});
  CHECK(ranks_after("ranks *") == Names{"gpu0", "gpu1", "gpu2", "gpu3"});
  CHECK(rank_names(edited(two_socket_server(), {"ranks gpu3", "ranks gpu*"})).size() == 4);
}

TEST_CASE("ranks that are no nodes, switches, twice, or too many are refused") {
  CHECK(refusal("ranks gpu9") == R"(edit "ranks gpu9": unknown node "gpu9"; did you mean "gpu0"?)");
  CHECK(refusal("ranks gpu0,plx0") ==
        R"(edit "ranks gpu0,plx0": node "plx0" is a switch; a rank holds data: list gpus or cpus)");
  CHECK(refusal("ranks nic0,gpu0") ==
        R"(edit "ranks nic0,gpu0": node "nic0" is a nic; a rank holds data: list gpus or cpus)");
  CHECK(refusal("ranks gpu0,gpu[0-1]") ==
        R"(edit "ranks gpu0,gpu[0-1]": node "gpu0" is a rank twice; list every rank once)");
  CHECK(refusal("ranks x*") ==
        R"(edit "ranks x*": no gpu is called "x*"; write nodes, as in "gpu[0-3],gpu7")");
  CHECK(refusal("ranks gpu[0-3999999]") ==
        R"(edit "ranks gpu[0-3999999]": "gpu[0-3999999]" stands for more nodes than the 11 there )"
        "are; write a smaller range");
  CHECK(testing::parse_refusal("ranks gpu[0-99999999999]") ==
        R"("gpu[0-99999999999]" stands for more than 4000000 nodes; one file may hold 4000000)");
  CHECK(testing::parse_refusal("ranks gpu[3-0]") ==
        R"("gpu[3-0]" has a range that runs backwards; write [0-3])");
  const std::string comma = R"(a comma stands before no node; write nodes, as in "gpu[0-3],gpu7")";
  CHECK(testing::parse_refusal("ranks gpu0,,gpu1") == comma);
  CHECK(testing::parse_refusal("ranks gpu0,") == comma);
  std::string many = "ranks gpu[0-3]";
  for (int i = 0; i < 100'000; ++i) many += ",gpu[0-3]";
  CHECK(refusal(many).find("is a rank twice") != std::string::npos);
}

}  // namespace syncsim::policy_test
