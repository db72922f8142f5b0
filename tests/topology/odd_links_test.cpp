// Bandwidths that PCIe lanes and generation contradict.

#include <doctest/doctest.h>

#include "sim/topology/odd_links.h"
#include "tests/topology/edits/edits_support.h"

namespace syncsim::testing::odd_links_test {

TEST_CASE("up to twice and down to half of what lanes and generation say is no contradiction") {
  const auto told = [](const std::string& edit) {
    return odd_links(edited(two_socket_server(), {edit})).size();
  };
  CHECK(odd_links(two_socket_server()).empty());
  // 16 lanes of generation 3 have 15.75 GB/s.
  CHECK(told("kind:pcie bandwidth=31.5 GB/s") == 0);
  CHECK(told("kind:pcie bandwidth=31.6 GB/s") == 1);
  CHECK(told("kind:pcie bandwidth=7.9 GB/s") == 0);
  CHECK(told("kind:pcie bandwidth=7.8 GB/s") == 1);
  CHECK(told("link:gpu0>plx0 bandwidth=1 GB/s") == 1);
  CHECK(told("link:plx0>gpu0 bandwidth=1 GB/s") == 1);
  CHECK(told("kind:pcie count=4") == 0);
  CHECK(told("kind:pcie width=x1") == 0);
  CHECK(told("kind:nvlink bandwidth=1 GB/s") == 0);
}

TEST_CASE("links that contradict themselves are one line") {
  CHECK(odd_links(edited(two_socket_server(), {"link:gpu*-plx* bandwidth=1 GB/s"})) ==
        std::vector<std::string>{
            "gpu0-plx0 and 3 more: the bandwidth is 1 GB/s, and PCIe generation 3 x16 has "
            "15.7538 GB/s; took the bandwidth"});
}

}  // namespace syncsim::testing::odd_links_test
