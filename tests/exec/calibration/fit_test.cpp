// Figures that measured times are made with are found again.

#include "sim/exec/calibration/fit.h"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/base/random.h"
#include "sim/schedule/builder.h"
#include "tests/support/machines.h"
#include "tests/support/refusal.h"

namespace syncsim::testing::fit_test {
namespace {

std::vector<std::string> gpus(int first, int count) {
  std::vector<std::string> nodes;
  for (int gpu = first; gpu < first + count; ++gpu) nodes.push_back("gpu" + std::to_string(gpu));
  return nodes;
}

// Pieces that follow each other along a chain of three: latency once a hop, overhead once a piece.
MeasuredSchedule chain(std::int64_t bytes, int pieces) {
  const Collective collective{CollectiveKind::broadcast, 3, {bytes}};
  return {.schedule = build_schedule(collective, gpus(0, 3), [&](ScheduleBuilder& builder) {
            for (const Slice& piece : builder.split(builder.data(), pieces)) {
              builder.copy(0, 1, piece);
              builder.copy(1, 2, piece);
            }
          })};
}

MeasuredSchedule transfer(std::int64_t bytes, int from, int to) {
  const Collective collective{CollectiveKind::broadcast, 2, {bytes}};
  const std::vector<std::string> nodes = {gpus(from, 1)[0], gpus(to, 1)[0]};
  return {.schedule = build_schedule(collective, nodes, [&](ScheduleBuilder& builder) {
            builder.copy(0, 1, builder.data());
          })};
}

// All others to gpu0, which adds up.
MeasuredSchedule sum(std::int64_t bytes, int ranks = 4) {
  const Collective collective{CollectiveKind::reduce, ranks, {bytes}};
  return {.schedule = build_schedule(collective, gpus(0, ranks), [&](ScheduleBuilder& builder) {
            for (ParticipantId rank = 1; rank < static_cast<ParticipantId>(ranks); ++rank)
              builder.reduce(rank, 0, builder.data());
          })};
}

std::vector<MeasuredSchedule> chains() {
  std::vector<MeasuredSchedule> points;
  for (const std::int64_t bytes : {4'000, 64'000, 1'000'000, 16'000'000})
    for (const int pieces : {1, 8, 64}) points.push_back(chain(bytes, pieces));
  return points;
}

struct Figures {
  double usable = 0;  // GB/s
  double latency_us = 0;
  double overhead_us = 0;
};

Topology pcie_star(const Figures& figures, int count = 4) {
  Topology::Parts parts = star(count);
  for (Link& link : parts.links) {
    link.usable = gigabytes(figures.usable);
    link.latency = {std::llround(figures.latency_us * 1e6)};
    link.overhead = {std::llround(figures.overhead_us * 1e6)};
  }
  return Topology(std::move(parts));
}

void measure(std::vector<MeasuredSchedule>& points, const Topology& truth, double noise = 0) {
  const Chance chance(7, 1);
  for (std::size_t i = 0; i < points.size(); ++i)
    points[i].seconds = seconds(simulated_time(points[i], truth, {})) *
                        std::exp(noise * standard_normal(chance.uniform(i, 0)));
}

const FittedFigure& named(const Fit& fit, const std::string& name) {
  for (const FittedFigure& figure : fit.figures)
    if (figure.figure.name() == name) return figure;
  throw InternalError("no " + name);
}

double value(const Fit& fit, const std::string& name) { return named(fit, name).figure.value; }

void check_recovered(const Fit& found, const Figures& truth) {
  CHECK(value(found, "bandwidth of pcie") == doctest::Approx(truth.usable * 1e9).epsilon(1e-6));
  CHECK(value(found, "latency of pcie") == doctest::Approx(truth.latency_us * 1e-6).epsilon(1e-6));
  CHECK(value(found, "overhead of pcie") ==
        doctest::Approx(truth.overhead_us * 1e-6).epsilon(1e-6));
}

}  // namespace

TEST_CASE("bandwidth, latency and overhead are found to 1e-6, from wrong starts") {
  const Figures truth{12.345, 1.5, 0.7};
  std::vector<MeasuredSchedule> points = chains();
  measure(points, pcie_star(truth));
  for (const Figures& start : {Figures{16, 0, 0}, Figures{2, 40, 9}, Figures{12, 0, 3}}) {
    CAPTURE(start.usable);
    const Fit found = fit(pcie_star(start), points, {});
    check_recovered(found, truth);
    for (std::size_t i = 0; i < points.size(); ++i)
      CHECK(seconds(found.simulated[i]) == doctest::Approx(points[i].seconds).epsilon(1e-6));
    CHECK(named(found, "bandwidth of pcie").before == start.usable * 1e9);
  }
}

TEST_CASE("two sizes are enough for bandwidth and latency, and give no standard error") {
  std::vector<MeasuredSchedule> points = {chain(4'000, 1), chain(4'000'000, 1)};
  measure(points, pcie_star({10, 3, 0}));
  const Fit found = fit(pcie_star({16, 0, 0}), points, {});
  CHECK(value(found, "bandwidth of pcie") == doctest::Approx(10e9).epsilon(1e-6));
  CHECK(value(found, "latency of pcie") == doctest::Approx(3e-6).epsilon(1e-6));
  CHECK(!named(found, "latency of pcie").standard_error);
}

TEST_CASE("what cannot be told from another figure is kept, and the one there is comes first") {
  std::vector<MeasuredSchedule> points = {chain(4'000, 1), chain(400'000, 1), chain(4'000'000, 1)};
  measure(points, pcie_star({10, 3, 0}));
  const Fit latency = fit(pcie_star({16, 0, 0}), points, {});
  CHECK(named(latency, "overhead of pcie").kept == "not to be told from the latency of pcie");
  CHECK(value(latency, "overhead of pcie") == 0);
  const Fit overhead = fit(pcie_star({16, 0, 1}), points, {});
  CHECK(named(overhead, "latency of pcie").kept == "not to be told from the overhead of pcie");
  // Two links' latencies add up, of their overheads the larger counts.
  CHECK(value(overhead, "overhead of pcie") == doctest::Approx(6e-6).epsilon(1e-6));
  std::vector<MeasuredSchedule> tiny = {chain(8, 1), chain(64, 1), chain(4'000'000, 1)};
  measure(tiny, pcie_star({10, 3, 0}));
  CHECK(named(fit(pcie_star({16, 0, 0}), tiny, {}), "overhead of pcie").kept ==
        "not to be told from the latency of pcie");
  std::vector<MeasuredSchedule> one_size = {chain(4'000'000, 1)};
  measure(one_size, pcie_star({10, 0, 0}));
  CHECK(named(fit(pcie_star({16, 0, 0}), one_size, {}), "latency of pcie").kept ==
        "not to be told from the bandwidth of pcie");
}

TEST_CASE("usable bandwidth stops at the line rate, unless that may rise") {
  std::vector<MeasuredSchedule> points = {chain(4'000'000, 1)};
  measure(points, pcie_star({16, 0, 0}));
  points[0].seconds /= 2;
  const std::vector<FigureKind> bandwidth = {FigureKind::bandwidth};
  const Fit bound = fit(pcie_star({8, 0, 0}), points, {bandwidth});
  CHECK(value(bound, "bandwidth of pcie") == 16e9);
  const Fit raised =
      fit(pcie_star({8, 0, 0}), points, {bandwidth, Grouping::kind, LineRates::raised});
  CHECK(value(raised, "bandwidth of pcie") == doctest::Approx(32e9).epsilon(1e-6));
  CHECK(raised.machine.links()[0].bandwidth == raised.machine.links()[0].usable);
}

TEST_CASE("only the kinds that are asked for are fitted") {
  std::vector<MeasuredSchedule> points = chains();
  measure(points, pcie_star({12, 2, 1}));
  const Fit found = fit(pcie_star({16, 2, 1}), points, {{FigureKind::bandwidth}});
  CHECK(found.figures.size() == 1);
  CHECK(value(found, "bandwidth of pcie") == doctest::Approx(12e9).epsilon(1e-6));
}

TEST_CASE("a reduce bandwidth that binds is found, and links that do not are kept") {
  const auto machine = [](double reduce) {
    Topology::Parts parts = star(4);
    for (NodeId gpu = 0; gpu < 4; ++gpu) parts.nodes[gpu].reduce_bandwidth = gigabytes(reduce);
    return Topology(std::move(parts));
  };
  std::vector<MeasuredSchedule> points = {sum(40'000), sum(4'000'000), sum(40'000'000)};
  measure(points, machine(3));
  const Fit found = fit(machine(9), points, {});
  CHECK(value(found, "reduce bandwidth of gpus") == doctest::Approx(3e9).epsilon(1e-6));
  CHECK(named(found, "bandwidth of pcie").kept == "told by no point");
  CHECK(value(found, "bandwidth of pcie") == 16e9);
}

TEST_CASE(
    "a reduce bandwidth that was too low is raised until the links bind, which then are found") {
  const auto machine = [](double reduce, double usable) {
    Topology::Parts parts = star(4);
    for (NodeId gpu = 0; gpu < 4; ++gpu) parts.nodes[gpu].reduce_bandwidth = gigabytes(reduce);
    for (Link& link : parts.links) link.usable = gigabytes(usable);
    return Topology(std::move(parts));
  };
  std::vector<MeasuredSchedule> points = {sum(40'000), sum(400'000), sum(4'000'000),
                                          sum(40'000'000)};
  measure(points, machine(30, 8));
  const Fit found = fit(machine(3, 12), points, {});
  for (std::size_t i = 0; i < points.size(); ++i)
    CHECK(seconds(found.simulated[i]) == doctest::Approx(points[i].seconds).epsilon(1e-6));
  CHECK(std::min(value(found, "reduce bandwidth of gpus"), value(found, "bandwidth of pcie")) ==
        doctest::Approx(8e9).epsilon(1e-6));
}

TEST_CASE("what a memory lets pass is found beside what one rank takes in") {
  const auto host = [](double together, double alone) {
    Topology::Parts parts = star(4, gigabytes(20), LinkKind::host);
    parts.nodes[4].transit_bandwidth = gigabytes(together);
    for (Link& link : parts.links) link.usable = gigabytes(alone);
    return Topology(std::move(parts));
  };
  // One transfer at a time, and a hop each of two that go on together.
  std::vector<MeasuredSchedule> points = {chain(400'000, 1), chain(4'000'000, 1),
                                          chain(4'000'000, 8), chain(40'000'000, 16)};
  measure(points, host(11, 7));
  const Fit found = fit(host(14, 9), points, {});
  CHECK(value(found, "bandwidth of host") == doctest::Approx(7e9).epsilon(1e-6));
  CHECK(value(found, "transit bandwidth of switch0") == doctest::Approx(11e9).epsilon(1e-6));
}

TEST_CASE("with noise the figures lie within their errors, and what is held out near the noise") {
  const Figures truth{12, 2, 1};
  constexpr double kNoise = 0.02;
  std::vector<MeasuredSchedule> points = chains();
  measure(points, pcie_star(truth), kNoise);
  for (const std::size_t i : {4u, 5u, 7u, 8u}) points[i].held_out = true;
  const Fit found = fit(pcie_star({16, 0, 0}), points, {});
  const auto check_within = [&](const std::string& name, double true_value) {
    const FittedFigure& figure = named(found, name);
    REQUIRE(figure.standard_error);
    CHECK(std::abs(figure.figure.value - true_value) < 4 * *figure.standard_error);
    CHECK(*figure.standard_error < 0.1 * true_value);
    CHECK(*figure.standard_error > 0.001 * true_value);
  };
  check_within("bandwidth of pcie", 12e9);
  check_within("latency of pcie", 2e-6);
  check_within("overhead of pcie", 1e-6);
  double mean = 0;
  for (const std::size_t i : {4u, 5u, 7u, 8u})
    mean += std::abs(points[i].seconds / seconds(found.simulated[i]) - 1) / 4;
  CHECK(mean < 1.5 * kNoise);
  CHECK(mean > 0.1 * kNoise);
}

TEST_CASE("by link, the slow cable of a star is found") {
  Topology::Parts slow = star(5);
  slow.links[8].usable = slow.links[9].usable = gigabytes(5);  // of gpu4
  std::vector<MeasuredSchedule> points;
  for (int from = 0; from < 5; ++from)
    for (int to = 0; to < 5; ++to)
      for (const std::int64_t bytes : {4'000, 4'000'000})
        if (from != to) points.push_back(transfer(bytes, from, to));
  measure(points, Topology(slow));
  const Fit found = fit(Topology(star(5)), points, {{}, Grouping::link});
  CHECK(value(found, "bandwidth of gpu4-switch0") == doctest::Approx(5e9).epsilon(1e-6));
  for (const char* other : {"gpu0", "gpu1", "gpu2", "gpu3"})
    CHECK(value(found, std::string("bandwidth of ") + other + "-switch0") ==
          doctest::Approx(16e9).epsilon(1e-6));
}

TEST_CASE("points that tell nothing are refused, and the watch can stop it") {
  std::vector<MeasuredSchedule> points = {chain(4'000'000, 1)};
  measure(points, pcie_star({16, 0, 0}));
  CHECK(refusal_of([&] {
          fit(pcie_star({16, 0, 0}), points, {{FigureKind::reduce}});
        }) ==
        "the points tell none of the figures that are to be fitted; measure what depends on them, "
        "at several sizes");
  struct Stop : Watch {
    bool goes_on(const Progress&) override { return false; }
  } stop;
  FitOptions options;
  options.watch = &stop;
  CHECK_THROWS_AS(fit(pcie_star({16, 0, 0}), points, options), Interrupted);
}

}  // namespace syncsim::testing::fit_test
