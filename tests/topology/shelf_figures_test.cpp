// Every machine of the shelf in figures: ranks, what a rank can send, what joins the halves.

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/base/json_reader.h"
#include "sim/topology/import/link_rates.h"
#include "sim/topology/link_type.h"
#include "tests/support/shelf.h"

namespace syncsim::shelf_figures_test {
namespace {

using testing::shelf;

constexpr double kGiga = 1e9;
constexpr LinkKind kNvlink = LinkKind::nvlink;
constexpr LinkKind kPcie = LinkKind::pcie;
constexpr LinkKind kXgmi = LinkKind::xgmi;

struct Figures {
  std::string name;
  int ranks = 0;
  LinkKind kind = kPcie;  // of the links over which its ranks talk
  double line = 0;        // GB/s that a rank can send over them
  double usable = 0;      // and what a kernel gets of it
  int cpus = 0;
  int nics = 0;
};

// From Dive into Deep Learning, NVIDIA's and AMD's link rates and NCCL's and RCCL's usable ones,
// times the links a GPU that the matrices show.
const std::vector<Figures>& figures() {
  static const std::vector<Figures> kFigures = {
      {"pcie_2gpu_nop2p", 2, kPcie, 15.75, 12, 1, 0},
      {"pcie_4gpu", 4, kPcie, 16, 12, 1, 0},
      {"pcie_4gpu_gen4", 4, kPcie, 31.5, 24, 1, 0},
      {"pcie_8gpu", 8, kPcie, 16, 12, 2, 0},
      {"pcie_8gpu_single_root", 8, kPcie, 16, 12, 1, 0},
      {"pcie_8gpu_dgx1", 8, kPcie, 16, 12, 2, 0},
      {"pcie_4gpu_rootports", 4, kPcie, 31.5, 24, 1, 0},
      {"pcie_8gpu_rootports", 8, kPcie, 31.5, 24, 2, 0},
      {"a100_pcie_bridged", 8, kNvlink, 12 * 25, 12 * 20, 2, 0},
      {"dgx1p", 8, kNvlink, 4 * 20, 4 * 18, 2, 4},
      {"dgx1v", 8, kNvlink, 6 * 25, 6 * 20, 2, 4},
      {"p3_textbook", 8, kNvlink, 6 * 18, 6 * 18, 2, 4},
      {"p3_16xlarge", 8, kNvlink, 6 * 25, 6 * 20, 2, 1},
      {"v100_quad", 4, kNvlink, 6 * 25, 6 * 20, 2, 2},
      {"dgx2", 16, kNvlink, 6 * 25, 6 * 20, 2, 8},
      {"a100_nv4_quad", 4, kNvlink, 12 * 25, 12 * 20, 1, 4},
      {"dgx_a100", 8, kNvlink, 12 * 25, 12 * 20, 2, 8},
      {"hgx_h100", 8, kNvlink, 18 * 25, 18 * 20.6, 2, 8},
      {"hgx_h200", 8, kNvlink, 18 * 25, 18 * 20.6, 2, 8},
      {"hgx_b200", 8, kNvlink, 18 * 50, 18 * 40.1, 2, 8},
      {"gb200_nvl72", 72, kNvlink, 18 * 50, 18 * 40.1, 36, 0},
      {"gh200_quad", 4, kNvlink, 18 * 25, 18 * 20.6, 4, 4},
      {"mi250", 16, kXgmi, 7 * 50, 7 * 36, 0, 0},
      {"mi300x", 8, kXgmi, 7 * 64, 7 * 48, 2, 8},
      {"a100_pcie_quad", 4, kPcie, 15.75, 12, 2, 0},
      {"pcie_8gpu_nop2p", 8, kPcie, 15.75, 12, 2, 0},
  };
  return kFigures;
}

// GB/s from the first half of the ranks to the other, over cables between gpus and, where switches
// join them, over the gpus' links to the switches.
double bisection(const Topology& topology, LinkKind kind) {
  const std::vector<NodeId>& ranks = topology.ranks();
  const auto half = ranks.begin() + static_cast<std::ptrdiff_t>(ranks.size() / 2);
  const auto is_right = [&](NodeId node) {
    return std::find(half, ranks.end(), node) != ranks.end();
  };
  double sum = 0;
  for (const Link& link : topology.links())
    if (link.kind == kind && std::find(ranks.begin(), half, link.from) != half &&
        (is_right(link.to) || topology.nodes()[link.to].kind == NodeKind::switch_))
      sum += link.bandwidth.bytes_per_second;
  return sum / kGiga;
}

// The machines whose figures are another's, on purpose.
bool is_textbook(const std::string& name) {
  return name == "pcie_4gpu" || name == "pcie_8gpu" || name == "p3_textbook" ||
         name == "pcie_8gpu_single_root" || name == "pcie_8gpu_dgx1";
}

JsonReader link_types_of(const JsonFile& file) { return file.root().required("link_types"); }

}  // namespace

TEST_CASE("a rank of each machine can send what its links add up to") {
  for (const Figures& expected : figures()) {
    CAPTURE(expected.name);
    const Topology machine = shelf(expected.name);
    CHECK(machine.ranks().size() == static_cast<std::size_t>(expected.ranks));
    CHECK(testing::nodes(machine, NodeKind::cpu) == expected.cpus);
    CHECK(testing::nodes(machine, NodeKind::nic) == expected.nics);
    for (const NodeId rank : machine.ranks()) {
      CHECK(testing::bandwidth_out(machine, rank, expected.kind) ==
            doctest::Approx(expected.line * kGiga));
      CHECK(testing::bandwidth_out(machine, rank, expected.kind, Rates::usable) ==
            doctest::Approx(expected.usable * kGiga));
    }
  }
}

TEST_CASE("both halves of a machine are joined by what is published of it") {
  struct Halves {
    std::string name;
    LinkKind kind;
    double line;  // GB/s
  };
  const std::vector<Halves> machines = {
      {"dgx1p", kNvlink, 4 * 20},         {"dgx1v", kNvlink, 6 * 25},
      {"v100_quad", kNvlink, 4 * 2 * 25}, {"a100_nv4_quad", kNvlink, 4 * 4 * 25},
      {"gh200_quad", kNvlink, 4 * 150},   {"dgx_a100", kNvlink, 4 * 300},
      {"hgx_h100", kNvlink, 4 * 450},     {"hgx_b200", kNvlink, 4 * 900},
      {"gb200_nvl72", kNvlink, 36 * 900}, {"mi250", kXgmi, 6 * 50},
      {"mi300x", kXgmi, 16 * 64},         {"mi350x", kXgmi, 16 * 76.8},
  };
  for (const Halves& expected : machines) {
    CAPTURE(expected.name);
    CHECK(bisection(shelf(expected.name), expected.kind) == doctest::Approx(expected.line));
  }
}

TEST_CASE("the gpus of gb200_nvl72 have 130 TB/s of NVLink, both ways summed") {
  const Topology machine = shelf("gb200_nvl72");
  double sum = 0;
  for (const NodeId rank : machine.ranks()) sum += testing::bandwidth_out(machine, rank, kNvlink);
  CHECK(2 * sum == doctest::Approx(129.6e12));
}

TEST_CASE("no link of the shelf is said to carry more than its line rate, or nothing") {
  for (const std::string& name : shelf_names(SYNCSIM_SHELF)) {
    CAPTURE(name);
    const Topology machine = shelf(name);
    for (const Link& link : machine.links()) {
      CAPTURE(link.name);
      CHECK(link.usable <= link.bandwidth);
      CHECK(link.usable.bytes_per_second > 0);
    }
  }
}

TEST_CASE("link types called as in rates/links.json have its figures - PCIe x16 has 16 lanes") {
  const LinkRates rates = LinkRates::load(SYNCSIM_SHELF "/rates");
  const std::vector<std::string> lanes = {"pcie3_x16", "pcie4_x16", "pcie5_x16"};
  int compared = 0;
  for (const Figures& machine : figures()) {
    if (is_textbook(machine.name)) continue;
    CAPTURE(machine.name);
    const JsonFile file = JsonFile::load(SYNCSIM_SHELF "/" + machine.name + ".json");
    const JsonReader types = link_types_of(file);
    for (const std::string& name : types.keys()) {
      if (machine.name == "dgx1v" || name == "c2c" || name == "grace" || name == "upi_icelake")
        continue;
      CAPTURE(name);
      const bool is_pcie = std::count(lanes.begin(), lanes.end(), name) == 1;
      const Link& known = rates.link(is_pcie ? name.substr(0, 5) + "_x1" : name);
      const Link type = read_link_type(types.required(name));
      CHECK(type.kind == known.kind);
      CHECK(type.bandwidth.bytes_per_second ==
            (is_pcie ? 16 : 1) * known.bandwidth.bytes_per_second);
      CHECK(type.usable.bytes_per_second == (is_pcie ? 16 : 1) * known.usable.bytes_per_second);
      ++compared;
    }
  }
  CHECK(compared >= 30);
}

TEST_CASE("Intel's host bridges cost peers 1.2, those of others nothing") {
  const std::vector<std::string> intel = {
      "a100_pcie_bridged", "dgx1p",          "p3_16xlarge", "v100_quad", "dgx2",
      "a100_nv4_quad",     "hgx_h100",       "hgx_h200",    "hgx_b200",  "mi300x",
      "a100_pcie_quad",    "pcie_8gpu_nop2p"};
  for (const Figures& machine : figures()) {
    CAPTURE(machine.name);
    const bool is_intel = std::count(intel.begin(), intel.end(), machine.name) == 1;
    const Topology topology = shelf(machine.name);
    for (const NodeId cpu : topology.nodes_of_kind(NodeKind::cpu))
      CHECK(topology.nodes()[cpu].peer_cost == (is_intel ? 1.2 : 1.0));
  }
}

TEST_CASE("NVSwitches of Hopper and Blackwell reduce and multicast, those before do not") {
  for (const std::string name :
       {"hgx_h100", "hgx_h200", "hgx_b200", "gb200_nvl72", "dgx2", "dgx_a100"}) {
    CAPTURE(name);
    const bool in_network = name != "dgx2" && name != "dgx_a100";
    const Topology topology = shelf(name);
    int switches = 0;
    for (const Node& node : topology.nodes()) {
      if (!node.id.starts_with("nvs")) {
        CHECK(node.abilities == Abilities{});
        continue;
      }
      ++switches;
      CHECK(node.abilities == Abilities{in_network, in_network});
    }
    CHECK(switches > 0);
  }
}

TEST_CASE("no machine but one limits what its CPUs pass: no other has a public figure") {
  for (const Figures& machine : figures()) {
    CAPTURE(machine.name);
    const Topology topology = shelf(machine.name);
    const bool is_limited = machine.name == "pcie_2gpu_nop2p";
    for (const Node& node : topology.nodes())
      CHECK(node.transit_bandwidth.has_value() == (is_limited && node.kind == NodeKind::cpu));
  }
}

}  // namespace syncsim::shelf_figures_test
