// Lower bounds against optima that others have published or computed exactly.

#include <doctest/doctest.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/analysis/bounds.h"
#include "tests/support/published_machines.h"
#include "tests/support/schedules.h"

namespace syncsim::optima_test {
namespace {

using testing::gigabytes;
using testing::grid;
using testing::railed_boxes;
using testing::without_pcie;

constexpr auto kAllGather = CollectiveKind::all_gather;
constexpr auto kAllreduce = CollectiveKind::allreduce;
constexpr auto kBroadcast = CollectiveKind::broadcast;
constexpr auto kReduceScatter = CollectiveKind::reduce_scatter;

// GB/s that no algorithm passes.
double rate(const Topology& machine, std::span<const NodeId> ranks, CollectiveKind kind) {
  const auto n = static_cast<int>(ranks.size());
  const Collective collective = testing::collective_of(kind, n, std::int64_t{1'000'000} * n);
  const double seconds = lower_bound({machine, ranks, collective}).seconds;
  return static_cast<double>(collective.bytes.count) / seconds / 1e9;
}

struct Optimum {
  std::string name;
  Topology machine;
  double all_gather;  // GB/s
  double allreduce;
  double broadcast;
};

void check_optima(const std::vector<Optimum>& optima) {
  for (const Optimum& optimum : optima) {
    CAPTURE(optimum.name);
    const auto best = [&](CollectiveKind kind) {
      return rate(optimum.machine, optimum.machine.ranks(), kind);
    };
    CHECK(best(kAllGather) == doctest::Approx(optimum.all_gather).epsilon(1e-9));
    CHECK(best(kReduceScatter) == doctest::Approx(optimum.all_gather).epsilon(1e-9));
    CHECK(best(kAllreduce) == doctest::Approx(optimum.allreduce).epsilon(1e-9));
    CHECK(best(kBroadcast) == doctest::Approx(optimum.broadcast).epsilon(1e-9));
  }
}

}  // namespace

// Zhao et al., "ForestColl" (arXiv 2402.06787), and its machines; allreduce by Dilworth truncation.
TEST_CASE("published optima of boxes and clusters: ForestColl's machines") {
  check_optima({
      {"DGX-1V", without_pcie("dgx1v"), 1200 / 7.0, 600 / 7.0, 150},
      {"DGX-1P", without_pcie("dgx1p"), 640 / 7.0, 320 / 7.0, 80},
      {"DGX-2", without_pcie("dgx2"), 160, 80, 150},
      {"A100", without_pcie("dgx_a100"), 2400 / 7.0, 1200 / 7.0, 300},
      {"A100 x2", railed_boxes(2, 8, 300, 25, 2), 1040 / 3.0, 520 / 3.0, 200},
      {"A100 x4", railed_boxes(4, 8, 300, 25, 2), 800 / 3.0, 400 / 3.0, 200},
      {"H100", without_pcie("hgx_h100"), 3600 / 7.0, 1800 / 7.0, 450},
      {"H100 x2", railed_boxes(2, 8, 450, 50, 8), 1600 / 3.0, 800 / 3.0, 400},
      {"MI250", without_pcie("mi250"), 2400 / 7.0, 1200 / 7.0, 300},
      {"MI300X", without_pcie("mi300x"), 512, 256, 448},
      {"PCIe, one switch", Topology(testing::star(4, gigabytes(16))), 64 / 3.0, 32 / 3.0, 16},
  });
}

TEST_CASE("published optima of meshes and tori: trees beat reduce-scatter and all-gather") {
  check_optima({
      {"mesh 8", grid("mesh", "8"), 8 / 7.0, 1, 1},
      {"mesh 5x5", grid("mesh", "5, 5"), 25 / 12.0, 5 / 3.0, 2},
      {"mesh 3x3x3", grid("mesh", "3, 3, 3"), 81 / 26.0, 27 / 13.0, 3},
      {"mesh 4x2x3", grid("mesh", "4, 2, 3"), 72 / 23.0, 2, 3},
      {"mesh 2x2x2", grid("mesh", "2, 2, 2"), 24 / 7.0, 12 / 7.0, 3},
      {"mesh 2x2x2x2", grid("mesh", "2, 2, 2, 2"), 64 / 15.0, 32 / 15.0, 4},
      {"torus 8", grid("torus", "8"), 16 / 7.0, 8 / 7.0, 2},
      {"torus 4x4", grid("torus", "4, 4"), 64 / 15.0, 32 / 15.0, 4},
      {"torus 3x3x3", grid("torus", "3, 3, 3"), 81 / 13.0, 81 / 26.0, 6},
      {"torus 3x4x5", grid("torus", "3, 4, 5"), 360 / 59.0, 180 / 59.0, 6},
      {"torus 4x4x4", grid("torus", "4, 4, 4"), 128 / 21.0, 64 / 21.0, 6},
      {"mesh 5x5 of 50 and 75 GB/s", testing::uneven_mesh(5, 5, gigabytes(50), gigabytes(75)),
       3125 / 24.0, 625 / 6.0, 125},
  });
}

namespace {

// In links: Tutte and Nash-Williams for allreduce, Edmonds for broadcast; an all-gather takes so
// many times what one rank has, over one link.
struct Subset {
  std::string_view gpus;
  double allreduce;
  double all_gather;
  double broadcast;
};

void check_subsets(const Topology& machine, double link, const std::vector<Subset>& subsets) {
  for (const Subset& subset : subsets) {
    CAPTURE(subset.gpus);
    std::vector<NodeId> ranks;
    for (const char digit : subset.gpus) ranks.push_back(static_cast<NodeId>(digit - '0'));
    const auto n = static_cast<double>(ranks.size());
    CHECK(rate(machine, ranks, kAllreduce) == doctest::Approx(subset.allreduce * link));
    CHECK(rate(machine, ranks, kAllGather) == doctest::Approx(n / subset.all_gather * link));
    CHECK(rate(machine, ranks, kBroadcast) == doctest::Approx(subset.broadcast * link));
  }
}

}  // namespace

// The classes of Wang et al., "Blink" (MLSys 2020).
TEST_CASE("published optima of all classes of DGX-1V subsets that NVLink connects") {
  check_subsets(without_pcie("dgx1v"), 25,
                {{"01", 1, 1, 1},
                 {"012", 2, 1, 2},
                 {"023", 5 / 2.0, 2 / 3.0, 3},
                 {"034", 2, 1, 2},
                 {"0124", 2, 3 / 2.0, 2},
                 {"0125", 2, 3 / 2.0, 2},
                 {"0145", 2, 1, 2},
                 {"0147", 1, 3, 1},
                 {"0236", 1, 3, 1},
                 {"0246", 3 / 2.0, 3 / 2.0, 2},
                 {"0256", 1, 3, 1},
                 {"0347", 7 / 3.0, 1, 3},
                 {"01234", 2, 2, 2},
                 {"01236", 1, 4, 1},
                 {"01246", 2, 2, 2},
                 {"01247", 2, 2, 2},
                 {"01257", 1, 4, 1},
                 {"01267", 1, 3, 1},
                 {"02346", 2, 2, 2},
                 {"02347", 5 / 2.0, 4 / 3.0, 3},
                 {"02357", 1, 4, 1},
                 {"02367", 2, 3 / 2.0, 2},
                 {"012346", 2, 5 / 2.0, 2},
                 {"012347", 5 / 2.0, 5 / 3.0, 3},
                 {"012456", 13 / 5.0, 5 / 4.0, 4},
                 {"012457", 12 / 5.0, 5 / 3.0, 3},
                 {"012567", 2, 5 / 2.0, 2},
                 {"023467", 14 / 5.0, 5 / 4.0, 4},
                 {"0123456", 3, 3 / 2.0, 4},
                 {"0123467", 3, 3 / 2.0, 4},
                 {"01234567", 24 / 7.0, 7 / 6.0, 6}});
}

TEST_CASE("published optima of all classes of DGX-1P subsets that NVLink connects") {
  check_subsets(without_pcie("dgx1p"), 20,
                {{"01", 1, 1, 1},
                 {"014", 1, 2, 1},
                 {"0124", 1, 3, 1},
                 {"0146", 1, 3, 1},
                 {"01245", 3 / 2.0, 2, 2},
                 {"01247", 1, 4, 1},
                 {"012456", 9 / 5.0, 5 / 3.0, 3},
                 {"012457", 8 / 5.0, 5 / 2.0, 2},
                 {"01234567", 16 / 7.0, 7 / 4.0, 4}});
}

}  // namespace syncsim::optima_test
