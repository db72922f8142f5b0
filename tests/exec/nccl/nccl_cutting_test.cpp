// Chunks and channels of NCCL, reckoned by hand from its rules (topologies/rates/nccl.json,
// "cutting").

#include "sim/exec/nccl/nccl_cutting.h"

#include <doctest/doctest.h>

#include <vector>

#include "sim/exec/nccl/nccl_formula.h"
#include "tests/support/shelf.h"

namespace syncsim::nccl_cutting_test {
namespace {

using testing::shelf;

constexpr double kMebibyte = 1 << 20;

NcclFormula formula(const Topology& machine, std::size_t ranks) {
  const std::vector<NodeId> some(machine.ranks().begin(),
                                 machine.ranks().begin() + static_cast<std::ptrdiff_t>(ranks));
  return NcclFormula(machine, some, CollectiveKind::allreduce, SYNCSIM_SHELF "/rates");
}

int peers(const NcclFormula& formula, double bytes) {
  return peer_channels(formula.tuning().cutting, formula.graph(), bytes);
}

double piece(const NcclFormula& formula, double bytes) {
  return nvls_tree_piece(formula.tuning().cutting, formula.graph(), 16, bytes);
}

}  // namespace

TEST_CASE("eight gpus share 32 channels, of which the more take part the larger a message is") {
  const NcclFormula eight = formula(shelf("hgx_h100"), 8);
  CHECK(eight.graph().links == 18);
  CHECK(eight.graph().peer_links == 18);
  CHECK(peers(eight, 1) == 1);
  CHECK(peers(eight, 65537) == 2);
  CHECK(peers(eight, 64 * kMebibyte) == 4);
  CHECK(peers(eight, 64 * kMebibyte + 1) == 8);
  CHECK(peers(eight, 128 * kMebibyte) == 8);
  CHECK(peers(eight, 256 * kMebibyte) == 16);
  CHECK(peers(eight, 4096 * kMebibyte) == 16);
  const NcclFormula four = formula(shelf("hgx_h100"), 4);
  CHECK(peers(four, 128 * kMebibyte) == 8);
  CHECK(peers(four, 4096 * kMebibyte) == 32);
}

TEST_CASE("where links join two gpus, each of them has two channels") {
  const NcclFormula pair = formula(shelf("a100_nv4_quad"), 2);
  CHECK(pair.graph().links == 4);
  CHECK(peers(pair, 64 * kMebibyte) == 4);
  CHECK(peers(pair, 128 * kMebibyte) == 8);
  CHECK(peers(pair, 4096 * kMebibyte) == 8);
  const NcclFormula quad = formula(shelf("a100_nv4_quad"), 4);
  CHECK(quad.graph().links == 12);
  CHECK(quad.graph().peer_links == 4);
  CHECK(peers(quad, 4096 * kMebibyte) == 8);
}

TEST_CASE("of peers over PCIe, over the network and of AMD nothing is known") {
  CHECK(peers(formula(shelf("a100_pcie_quad"), 4), kMebibyte) == 0);
  CHECK(peers(formula(shelf("dgx_a100_x2"), 16), kMebibyte) == 0);
  CHECK(peers(formula(shelf("mi300x"), 8), kMebibyte) == 0);
}

TEST_CASE("over the network two channels lead to a peer, among more than 64 ranks one") {
  const auto far = [](std::size_t ranks) {
    const NcclFormula some = formula(shelf("hgx_h100_x16"), ranks);
    return far_peer_channels(some.tuning().cutting, some.graph());
  };
  CHECK(far(16) == 2);
  CHECK(far(64) == 2);
  CHECK(far(80) == 1);
}

TEST_CASE("trees that go on from NVLink's switches move a chunk of each channel and head") {
  const NcclFormula two = formula(shelf("hgx_h100_x16"), 16);
  CHECK(piece(two, 1024 * kMebibyte) == 16 * 8 * 131072);
  CHECK(piece(two, 64 * kMebibyte) == 16 * 8 * 131072);
  CHECK(piece(two, 63 * kMebibyte) == 16 * 8 * 65536);
  CHECK(piece(two, 7 * kMebibyte) == 16 * 8 * 32768);
  const NcclFormula ten = formula(shelf("hgx_h100_x16"), 80);
  CHECK(piece(ten, 1024 * kMebibyte) == 16 * 8 * 65536);
  CHECK(piece(ten, 7 * kMebibyte) == 16 * 8 * 32768);
  // Of a rack's 72 gpus 32 are heads.
  const NcclFormula racks = formula(shelf("gb200_racks_x20"), 144);
  CHECK(piece(racks, 16384 * kMebibyte) == 16 * 32 * 131072);
}

}  // namespace syncsim::nccl_cutting_test
