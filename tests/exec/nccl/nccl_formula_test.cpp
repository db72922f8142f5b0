// NCCL's model against values computed by hand from its tables (topologies/rates/nccl.json).

#include "sim/exec/nccl/nccl_formula.h"

#include <doctest/doctest.h>

#include <numeric>
#include <string>
#include <vector>

#include "sim/topology/edits.h"
#include "tests/support/refusal.h"
#include "tests/support/shelf.h"

namespace syncsim::nccl_formula_test {
namespace {

using Kind = CollectiveKind;
using Algorithm = NcclAlgorithm;
using Protocol = NcclProtocol;
using testing::shelf;

constexpr const char* kRates = SYNCSIM_SHELF "/rates";
constexpr Bytes kGibibyte{std::int64_t{1} << 30};

NcclFormula formula(const Topology& machine, std::vector<std::size_t> ranks,
                    Kind kind = Kind::allreduce) {
  std::vector<NodeId> nodes;
  for (const std::size_t rank : ranks) nodes.push_back(machine.ranks()[rank]);
  return NcclFormula(machine, nodes, kind, kRates);
}

NcclFormula formula(const std::string& name, Kind kind = Kind::allreduce) {
  const Topology machine = shelf(name);
  return NcclFormula(machine, machine.ranks(), kind, kRates);
}

double channels(const NcclFormula& formula) {
  return formula.graph().channels * formula.graph().speed;
}

doctest::Approx about(double value) { return doctest::Approx(value).epsilon(1e-6); }

}  // namespace

TEST_CASE("channels fill what joins the gpus of a machine, as NCCL's search finds them") {
  CHECK(channels(formula("dgx_a100")) == about(12 * 20));
  CHECK(formula("dgx_a100").graph().channels == 12);  // 6 of 40, doubled
  CHECK(channels(formula("hgx_h100")) == about(12 * 30));
  CHECK(channels(formula("dgx1v")) == about(6 * 20));  // three rings, both ways round
  CHECK(channels(formula("dgx1p")) == about(4 * 18));  // of which two
  CHECK(channels(formula("a100_nv4_quad")) == about(12 * 20));
  CHECK(channels(formula("pcie_2gpu_nop2p")) == about(6));  // both hops pass one uplink
}

TEST_CASE("over two nodes the nics bind, a channel each, by the list's speed below theirs") {
  const NcclFormula two = formula("dgx_a100_x2");
  CHECK(two.graph().nodes == 2);
  CHECK(two.graph().ranks_per_node == 8);
  CHECK(channels(two) == about(8 * 24));                     // PCIe 4.0 x16 has 24, the nic 25
  CHECK(channels(formula("hgx_h100_x2")) == about(8 * 48));  // of which 7 pass a gpu's NVLink: 336
}

TEST_CASE("small allreduces on one box take LL: 6.6 + 14 x 0.6 us around the ring of 8") {
  const NcclFormula box = formula("dgx_a100");
  const NcclFormula::Choice choice = box.best(Bytes{8});
  CHECK(choice.algorithm == Algorithm::ring);
  CHECK(choice.protocol == Protocol::ll);
  // 8 B at 8/14 of the cap 87.7 GB/s
  CHECK(choice.microseconds == about(15.0 + 8 / (1000 * 87.7 * 8 / 14)));
  CHECK(box.latency(Algorithm::tree, Protocol::ll) == about(6.8 + 2 * 7 * 0.6));
  CHECK(box.latency(Algorithm::ring, Protocol::simple) == about(8.4 + 14 * 3.4));
}

TEST_CASE("large allreduces on a box of A100 run at the ring's 240 GB/s of bus bandwidth") {
  const NcclFormula::Choice choice = formula("dgx_a100").best(kGibibyte);
  CHECK(choice.algorithm == Algorithm::ring);
  CHECK(choice.protocol == Protocol::simple);
  CHECK(choice.microseconds == about(56.0 + 1073741824.0 / (1000 * 240 * 8.0 / 14)));
}

TEST_CASE("NVLS binds an allreduce of 8 H100 at 8 heads x 40 x 0.85 x 7/8 x 2 = 476 GB/s") {
  const NcclFormula box = formula("hgx_h100");
  CHECK(box.graph().nvls_channels == 8);
  CHECK(box.graph().nvls_speed == 40);  // 9 x 41.2 = 370.8
  const NcclFormula::Choice choice = box.best(kGibibyte);
  CHECK(choice.algorithm == Algorithm::nvls);
  CHECK(choice.microseconds == about(25 + 1073741824.0 / (1000 * 476 * 8.0 / 14)));
  CHECK(formula("hgx_h100", Kind::all_gather).best(kGibibyte).microseconds ==
        about(8.4 + 7 * 3.4 + 1073741824.0 / (1000 * 360 * 8.0 / 7)));
  CHECK(formula("dgx_a100").graph().nvls_channels == 0);
}

TEST_CASE("rings over nodes pay the network: 2 steps of it, and the request on all others") {
  const NcclFormula two = formula("dgx_a100_x2");
  // EPYCs: 2 us a request, Simple's three; 28 of 30 steps inside
  CHECK(two.latency(Algorithm::ring, Protocol::ll) == about(6.6 + 28 * 2.0 + 2 * 2.7));
  CHECK(two.latency(Algorithm::ring, Protocol::simple) == about(8.4 + 28 * 6.0 + 2 * 14));
  CHECK(two.latency(Algorithm::tree, Protocol::ll) == about(6.8 + 2 * (7 * 2.0 + 5.0)));
  // LL: 22.5 GB/s over 2 nodes with AMD's CPUs, of the bus; 16/30 of it
  CHECK(two.bandwidth(Algorithm::ring, Protocol::ll) == about(22.5 * 16 / 30));
}

TEST_CASE("a ring's Simple latency counts 1.4 over nodes where a channel has 64 bytes a rank") {
  const NcclFormula two = formula("dgx_a100_x2");
  const double delay = two.latency(Algorithm::ring, Protocol::simple);
  CHECK(two.best(kGibibyte).microseconds ==
        about(1.4 * delay + 1073741824.0 / (1000 * 192 * 16.0 / 30)));
}

TEST_CASE("two A100 with 4 links send at 80 GB/s to each other") {
  const Topology quad = shelf("a100_nv4_quad");
  const NcclFormula pair = formula(quad, {0, 1}, Kind::send_recv);
  CHECK(pair.best(kGibibyte).microseconds == about(8.4 + 3.4 + 1073741824.0 / 80e3));
  CHECK(pair.best(Bytes{8}).microseconds == about(6.6 + 0.6 + 8 / 40e3));
}

TEST_CASE("all-to-all is bound by what leaves a gpu, or its node") {
  // In the box 1/8 of the data for each of 7 others, at 240 GB/s a gpu.
  CHECK(formula("dgx_a100", Kind::all_to_all).best(kGibibyte).microseconds ==
        about(8.4 + 3.4 + 1073741824.0 / 8 * 7 / 240e3));
  // Of two boxes each gpu sends 8/16 to the other: 8 gpus over 8 nics of 25 GB/s.
  CHECK(formula("dgx_a100_x2", Kind::all_to_all).best(kGibibyte).microseconds ==
        about(8.4 + 14 + 1073741824.0 / 16 * 64 / 200e3));
}

TEST_CASE("one gpu a node takes the tree's network hop, and PAT for gathers") {
  const Topology cluster = shelf("hgx_h100_x16");
  const NcclFormula ring = formula(cluster, {0, 8, 16, 24}, Kind::all_gather);
  CHECK(ring.graph().nodes == 4);
  CHECK(ring.graph().ranks_per_node == 1);
  CHECK(ring.latency(Algorithm::ring, Protocol::ll) == about(6.6 + 3 * 5.0));
  CHECK(ring.latency(Algorithm::pat, Protocol::simple) == about(8.0 + 2 * 14 / 3.5 + 2.8 * 4));
  CHECK(ring.bandwidth(Algorithm::pat, Protocol::simple) > 0);
  CHECK(ring.bandwidth(Algorithm::tree, Protocol::simple) == 0);
}

TEST_CASE("a reduce goes by rings alone: by one latency where all channels are the same") {
  const NcclFormula box = formula("dgx_a100", Kind::reduce);
  CHECK(box.latency(Algorithm::ring, Protocol::simple) == about(8.4 + 3.4));
  CHECK(box.bandwidth(Algorithm::ring, Protocol::simple) == about(240));
  CHECK(box.bandwidth(Algorithm::tree, Protocol::simple) == 0);
  CHECK(formula("dgx1v", Kind::reduce).latency(Algorithm::ring, Protocol::simple) ==
        about(8.4 + 8 * 4.0));
}

TEST_CASE("LL128 needs NVLink, and AMD's gpus go by RCCL's constants") {
  CHECK(formula("pcie_2gpu_nop2p").bandwidth(Algorithm::ring, Protocol::ll128) == 0);
  CHECK(formula("dgx_a100").bandwidth(Algorithm::ring, Protocol::ll128) ==
        about(0.92 * 240 * 8 / 14));
  const NcclFormula amd = formula("mi300x");
  CHECK(channels(amd) == about(7 * 48));
  CHECK(amd.best(Bytes{8}).microseconds ==
        about(12 + 14 * 0.8 + 8 / (1000 * 0.04 * 336 * 8.0 / 14)));
}

TEST_CASE("pins leave a formula fewer channels and one protocol") {
  const Topology box = shelf("dgx_a100");
  const NcclFormula pinned(box, box.ranks(), Kind::allreduce, kRates,
                           {.channels = 2, .protocol = Protocol::simple});
  CHECK(channels(pinned) == about(2 * 20));
  CHECK(pinned.best(Bytes{8}).protocol == Protocol::simple);
  CHECK(pinned.bandwidth(Algorithm::ring, Protocol::ll) == 0);
}

TEST_CASE("nodes that the network reaches by neither nic nor gpu are refused") {
  Topology::Parts parts = shelf("ethernet_10g_x4").parts();
  for (Node& node : parts.nodes) {
    if (node.kind == NodeKind::gpu) node.architecture = {80, 0};
    if (node.kind == NodeKind::nic) node.kind = NodeKind::switch_;
  }
  const Topology machine(std::move(parts));
  CHECK(testing::refusal_of(
            [&] { NcclFormula(machine, machine.ranks(), Kind::allreduce, kRates); }) ==
        "NCCL's formula finds no nic by which the ranks' nodes reach each other; join nics or gpus "
        "to the network, or run with --executor simulated");
}

TEST_CASE("gpus that do not say their architecture are refused, an edit says it") {
  const Topology plain = shelf("pcie_4gpu");
  const auto time = [](const Topology& machine) {
    return NcclFormula(machine, machine.ranks(), Kind::allreduce, kRates).best(Bytes{8});
  };
  CHECK(testing::refusal_of([&] { time(plain); }) ==
        "NCCL's formula goes by the gpus' architecture, which gpu0 has not; give it one in the "
        R"(file, or with --edit "node:gpu* architecture=sm_80")");
  const std::vector<Edit> edits = {parse_edit("node:gpu* architecture=sm_80")};
  CHECK(time(apply_edits(plain, edits)).microseconds == about(6.6 + 6 * 1.0 + 8 / (4e3 * 6 / 6)));
}

}  // namespace syncsim::nccl_formula_test
