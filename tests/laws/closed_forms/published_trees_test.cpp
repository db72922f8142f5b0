// Textbook costs of trees, chains and direct sends, evaluated for published parameters: a in
// seconds, b in seconds a byte, one port, no cost of adding up. Formulas: Thakur, Rabenseifner and
// Gropp, IJHPCA 19(1), 2005; Chan, Heimlich, Purkayastha and van de Geijn, CCPE 19(13), 2007;
// Sanders, Speck and Traeff, Parallel Computing 35(12), 2009. Square-root forms, the best of all
// numbers of chunks, are compared with the least of many.

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <string>

#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::published_trees_test {
namespace {

using Kind = CollectiveKind;

struct Row {
  const char* strategy;
  Kind kind;
  const char* order;  // empty: the strategy has none
  int ranks;
  std::int64_t bytes;
  double a;
  double b;
  double seconds;
};

double seconds(const Row& row, const std::string& chunks = "") {
  const Time cost{std::llround(row.a * 1e12)};
  const Topology machine = testing::slow_star(row.ranks, {1 / row.b}, {0}, cost);
  testing::Task task{row.strategy, testing::collective_of(row.kind, row.ranks, row.bytes)};
  if (*row.order) task.parameters["order"] = row.order;
  if (!chunks.empty()) task.parameters["chunks"] = chunks;
  return static_cast<double>(testing::picoseconds(machine, task)) * 1e-12;
}

double best_of_chunks(const Row& row) {
  double best = seconds(row, "1");
  for (int chunks = 2; chunks <= 2'000; chunks += 1 + chunks / 5)
    best = std::min(best, seconds(row, std::to_string(chunks)));
  return best;
}

constexpr double kNvlink = 1 / 54e9;

const Row kFlat[] = {
    {"one_shot", Kind::broadcast, "sequential", 4, 160'000'000, 0, 6.25e-11, 0.03},
    {"one_shot", Kind::broadcast, "sequential", 8, 1'024, 5e-6, 4e-11, 3.528672e-05},
    {"one_shot", Kind::broadcast, "sequential", 8, 67'108'864, 5e-6, 4e-11, 0.01882548192},
    {"one_shot", Kind::broadcast, "sequential", 6, 1'048'576, 1e-6, 1e-10, 0.000529288},
    {"one_shot", Kind::reduce, "sequential", 4, 160'000'000, 0, 6.25e-11, 0.03},
    {"one_shot", Kind::reduce, "sequential", 8, 160'000'000, 0, kNvlink, 0.02074074074074074},
    {"one_shot", Kind::reduce, "sequential", 8, 67'108'864, 5e-6, 4e-11, 0.01882548192},
    {"one_shot", Kind::reduce, "sequential", 6, 1'048'576, 1e-6, 1e-10, 0.000529288},
    {"central_gpu", Kind::allreduce, "sequential", 4, 160'000'000, 0, 6.25e-11, 0.06},
    {"central_gpu", Kind::allreduce, "sequential", 8, 160'000'000, 0, kNvlink, 0.04148148148148148},
    {"central_gpu", Kind::allreduce, "sequential", 8, 1'024, 5e-6, 4e-11, 7.057344e-05},
    {"central_gpu", Kind::allreduce, "sequential", 6, 1'048'576, 1e-6, 1e-10, 0.001058576},
    {"one_shot", Kind::allreduce, "together", 4, 160'000'000, 0, 6.25e-11, 0.03},
    {"one_shot", Kind::allreduce, "together", 8, 160'000'000, 0, kNvlink, 0.02074074074074074},
    {"one_shot", Kind::allreduce, "together", 8, 1'024, 5e-6, 4e-11, 5.28672e-06},
    {"one_shot", Kind::allreduce, "together", 6, 1'048'576, 1e-6, 1e-10, 0.000525288}};

const Row kBinomial[] = {
    {"binomial_tree", Kind::broadcast, "", 4, 160'000'000, 0, 6.25e-11, 0.02},
    {"binomial_tree", Kind::broadcast, "", 8, 160'000'000, 0, kNvlink, 0.008888888888888889},
    {"binomial_tree", Kind::broadcast, "", 8, 1'024, 5e-6, 4e-11, 1.512288e-05},
    {"binomial_tree", Kind::broadcast, "", 6, 1'048'576, 1e-6, 1e-10, 0.0003175728},
    {"binomial_tree", Kind::broadcast, "", 16, 268'435'456, 2e-6, 8e-11, 0.08590734592},
    {"binomial_tree", Kind::reduce, "", 8, 160'000'000, 0, kNvlink, 0.008888888888888889},
    {"binomial_tree", Kind::reduce, "", 8, 1'024, 5e-6, 4e-11, 1.512288e-05},
    {"binomial_tree", Kind::reduce, "", 8, 67'108'864, 5e-6, 4e-11, 0.00806806368},
    {"binomial_tree", Kind::allreduce, "", 4, 160'000'000, 0, 6.25e-11, 0.04},
    {"binomial_tree", Kind::allreduce, "", 8, 1'024, 5e-6, 4e-11, 3.024576e-05},
    {"binomial_tree", Kind::allreduce, "", 8, 67'108'864, 5e-6, 4e-11, 0.01613612736},
    {"binomial_tree", Kind::allreduce, "", 6, 1'048'576, 1e-6, 1e-10, 0.0006351456}};

// (sqrt((p-2) a) + sqrt(n b))^2
const Row kChains[] = {
    {"chain", Kind::broadcast, "", 4, 160'000'000, 0, 6.25e-11, 0.01},
    {"chain", Kind::broadcast, "", 8, 67'108'864, 5e-6, 4e-11, 0.0032819129686241693},
    {"chain", Kind::broadcast, "", 6, 1'048'576, 1e-6, 1e-10, 0.0001498176}};

// Broadcast (sqrt(n b) + sqrt(2 h a))^2, allreduce 4 h a + 2 n b + 2 sqrt(8 h a b n), h = ceil(lg
// p)
const Row kDoubleTrees[] = {
    {"double_binary_tree", Kind::broadcast, "", 8, 160'000'000, 0, kNvlink, 0.002962962962962963},
    {"double_binary_tree", Kind::broadcast, "", 8, 1'024, 5e-6, 4e-11, 3.225798503368817e-05},
    {"double_binary_tree", Kind::broadcast, "", 8, 67'108'864, 5e-6, 4e-11, 0.0032819129686241693},
    {"double_binary_tree", Kind::broadcast, "", 16, 268'435'456, 2e-6, 8e-11, 0.022663180087787407},
    {"double_binary_tree", Kind::allreduce, "", 4, 160'000'000, 0, 6.25e-11, 0.02},
    {"double_binary_tree", Kind::allreduce, "", 8, 1'024, 5e-6, 4e-11, 6.451597006737634e-05},
    {"double_binary_tree", Kind::allreduce, "", 8, 67'108'864, 5e-6, 4e-11, 0.0065638259372483385},
    {"double_binary_tree", Kind::allreduce, "", 6, 1'048'576, 1e-6, 1e-10, 0.000322046299864399}};

// 1 ps a step.
void check_exact(const Row& row) {
  CAPTURE(row.strategy);
  CAPTURE(row.ranks);
  CAPTURE(row.bytes);
  CHECK(std::abs(seconds(row) - row.seconds) <= 2e-12 * row.ranks);
}

}  // namespace

TEST_CASE("flat sends take what the textbooks reckon") {
  for (const Row& row : kFlat) check_exact(row);
}

TEST_CASE("binomial trees take what the textbooks reckon") {
  for (const Row& row : kBinomial) check_exact(row);
}

TEST_CASE("the best number of chunks brings a chain to its square-root form") {
  for (const Row& row : kChains) {
    CAPTURE(row.bytes);
    const double best = best_of_chunks(row);
    CHECK(best >= row.seconds);
    CHECK(best <= 1.003 * row.seconds);
  }
}

// The formula's ranks serve one child at a time; ours serve both at once and pay a only once for
// the two, and an allreduce does not wait between its passes.
TEST_CASE(
    "the best number of chunks brings a double binary tree to its square-root form or below") {
  for (const Row& row : kDoubleTrees) {
    CAPTURE(row.bytes);
    const double passes = row.kind == Kind::allreduce ? 2 : 1;
    const double best = best_of_chunks(row);
    CHECK(best <= 1.002 * row.seconds);
    CHECK(best >= passes * static_cast<double>(row.bytes) * row.b * (1 - 1.0 / row.ranks));
  }
}

TEST_CASE("the automatic number of chunks is within a seventh of the best one") {
  for (const Row& row : kChains) CHECK(seconds(row) <= 8.0 / 7 * best_of_chunks(row));
  for (const Row& row : kDoubleTrees) CHECK(seconds(row) <= 8.0 / 7 * best_of_chunks(row));
}

}  // namespace syncsim::published_trees_test
