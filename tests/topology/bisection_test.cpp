// What joins the halves of machines, against published figures.

#include "sim/topology/bisection.h"

#include <doctest/doctest.h>

#include <string>

#include "sim/topology/edits.h"
#include "tests/support/machines.h"
#include "tests/support/shelf.h"

namespace syncsim::testing::bisection_test {
namespace {

// GB/s over what `over` says; -1: nothing is said of that.
double between_halves(const Topology& machine, const std::string& over) {
  for (const Bisection& cut : bisections(machine, Rates::line))
    if (cut.over == over) return cut.rate / 1e9;
  return -1;
}

Bisection only(const Topology& machine) {
  const std::vector<Bisection> cuts = bisections(machine, Rates::line);
  REQUIRE(cuts.size() == 1);
  return cuts.front();
}

}  // namespace

TEST_CASE("the halves of each machine are joined by what is published of it") {
  struct Halves {
    std::string name;
    std::string over;
    double line;  // GB/s
  };
  const std::vector<Halves> machines = {
      {"dgx1p", "nvlink", 4 * 20},
      {"dgx1v", "nvlink", 6 * 25},
      {"dgx1v", "all links", 6 * 25 + 19.2},
      {"v100_quad", "nvlink", 4 * 2 * 25},
      {"a100_nv4_quad", "nvlink", 4 * 4 * 25},
      {"gh200_quad", "nvlink", 4 * 150},
      {"dgx2", "nvlink", 6 * 8 * 25},
      {"dgx_a100", "nvlink", 4 * 300},
      {"hgx_h100", "nvlink", 4 * 450},
      {"hgx_b200", "nvlink", 4 * 900},
      {"gb200_nvl72", "nvlink", 36 * 900},
      {"mi250", "xgmi", 6 * 50},
      {"mi300x", "xgmi", 16 * 64},
      {"tpu_v4_4x4x4", "xgmi", 2 * 16 * 45},
      {"pcie_4gpu", "all links", 2 * 16},
      {"pcie_8gpu_single_root", "all links", 16},
      {"dgx1v_x2", "all links", 4 * 12.5},
      {"dgx_a100_x4", "all links", 2 * 8 * 25},
      {"hgx_h100_x128", "all links", 64 * 8 * 50},
      {"fat_tree_2level", "all links", 16 * 12.5 / 2},
      {"fat_tree_3level", "all links", 64 * 12.5},
      {"ethernet_10g_x4", "all links", 2 * 1.25},
  };
  for (const Halves& expected : machines) {
    CAPTURE(expected.name);
    CHECK(between_halves(shelf(expected.name), expected.over) == doctest::Approx(expected.line));
  }
}

TEST_CASE("of few ranks the least of all halves is told, whatever their order") {
  Topology::Parts parts = direct_mesh(4, {{0, 2, 4}, {1, 3, 4}, {0, 1, 1}, {2, 3, 1}});
  const Bisection cut = only(Topology(parts));
  CHECK(cut.is_least);
  CHECK(cut.senders == std::vector<NodeId>{0, 2});
  CHECK(cut.receivers == std::vector<NodeId>{1, 3});
  CHECK(cut.rate == 2 * parts.links[4].bandwidth.bytes_per_second);
}

TEST_CASE("of many ranks the first half and the other are told") {
  const Bisection cut = only(Topology(star(17)));
  CHECK_FALSE(cut.is_least);
  CHECK(cut.senders.size() == 8);
  CHECK(cut.senders.back() == 7);
  CHECK(cut.receivers.size() == 9);
  CHECK(cut.rate == 8 * 16e9);
}

TEST_CASE("a node's transit counts, gpus pass nothing on, and a single rank has no halves") {
  Topology::Parts parts = star(4);
  parts.nodes.back().transit_bandwidth = gigabytes(20);
  CHECK(only(Topology(parts)).rate == 20e9);
  Topology::Parts chain = direct_mesh(4, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}});
  for (Node& node : chain.nodes) node.forwards = true;
  const double cable = chain.links.front().bandwidth.bytes_per_second;
  CHECK(only(Topology(chain)).rate == cable);
  CHECK(bisections(Topology(star(1)), Rates::line).empty());
}

TEST_CASE("bandwidths beyond all whole numbers are cut too") {
  Topology::Parts parts = star(4);
  for (Link& link : parts.links) link.bandwidth = {1e25};
  CHECK(only(Topology(parts)).rate == doctest::Approx(2e25));
}

TEST_CASE("gpus that do not forward stand in the way") {
  Topology::Parts parts = direct_mesh(4, {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {0, 3, 1}});
  parts.ranks = {0, 2};
  CHECK(between_halves(Topology(parts), "nvlink") == -1);
  for (Node& node : parts.nodes) node.forwards = true;
  CHECK(between_halves(Topology(parts), "nvlink") > 0);
}

TEST_CASE("the way that is thinner is told where directions differ, and the rates asked for") {
  Topology::Parts parts = star(2);
  parts.links[0].bandwidth = gigabytes(3);  // from gpu0
  parts.links[0].usable = gigabytes(2);
  const Topology machine(parts);
  CHECK(only(machine).rate == 3e9);
  CHECK(only(machine).senders == std::vector<NodeId>{0});
  CHECK(bisections(machine, Rates::usable).front().rate == 2e9);
}

}  // namespace syncsim::testing::bisection_test
