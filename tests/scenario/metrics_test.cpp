#include "sim/scenario/metrics.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/refusal.h"

namespace syncsim::metrics_test {
namespace {

// 100 us for 1 MB; gpu0>switch0 is half as busy as the half-duplex cable a-b.
Report report() {
  Report result;
  result.time = {100'000'000};
  result.bound.seconds = 25e-6;
  result.algbw = 10e9;
  result.busbw = 15e9;
  result.efficiency = 0.25;
  result.ops = 24;
  result.phases = {{"reduce", {0}, {40'000'000}}, {"send on", {40'000'000}, {100'000'000}}};
  LinkReport link;
  link.link = "gpu0-switch0";
  link.direction = "gpu0>switch0";
  link.bytes = 500'000;
  link.rate = 5e9;
  link.utilization = 0.3125;
  LinkReport cable;
  cable.link = "a-b";
  cable.direction = "both";
  cable.bytes = 1'000'000;
  cable.rate = 10e9;
  cable.utilization = 0.625;
  result.links = {link, cable};
  return result;
}

double figure(std::string_view metric) { return measure(parse_metric(metric), report()); }

double value(const std::string& json, MetricUnit unit) {
  const JsonFile file = JsonFile::parse("{\"value\": " + json + "}", "s.json");
  return read_value(file.root().required("value"), unit);
}

}  // namespace

TEST_CASE("figures of the run, in picoseconds, bytes a second, fractions and counts") {
  CHECK(figure("time") == 100'000'000);
  CHECK(figure("bound") == doctest::Approx(25'000'000).epsilon(1e-14));
  CHECK(figure("algbw") == 10e9);
  CHECK(figure("busbw") == 15e9);
  CHECK(figure("efficiency") == 0.25);
  CHECK(figure("ops") == 24);
}

TEST_CASE("a phase's time, by its name") {
  CHECK(figure("phase.reduce.time") == 40'000'000);
  CHECK(figure("phase.send on.time") == 60'000'000);
}

TEST_CASE("a link's figures, by its direction, or by its cable where that is one link") {
  CHECK(figure("link.gpu0>switch0.bytes") == 500'000);
  CHECK(figure("link.gpu0>switch0.rate") == 5e9);
  CHECK(figure("link.gpu0>switch0.utilization") == 0.3125);
  CHECK(figure("link.a-b.bytes") == 1'000'000);
}

TEST_CASE("the busiest link's figures - nothing where no link is busy") {
  CHECK(figure("busiest_link.rate") == 10e9);
  CHECK(figure("busiest_link.utilization") == 0.625);
  CHECK(measure(parse_metric("busiest_link.rate"), Report{}) == 0);
  CHECK(measure(parse_metric("busiest_link.utilization"), Report{}) == 0);
}

TEST_CASE("every metric has its unit") {
  CHECK(parse_metric("time").unit == MetricUnit::time);
  CHECK(parse_metric("bound").unit == MetricUnit::time);
  CHECK(parse_metric("phase.x.time").unit == MetricUnit::time);
  CHECK(parse_metric("busbw").unit == MetricUnit::bandwidth);
  CHECK(parse_metric("link.a>b.rate").unit == MetricUnit::bandwidth);
  CHECK(parse_metric("link.a>b.bytes").unit == MetricUnit::bytes);
  CHECK(parse_metric("link.a>b.utilization").unit == MetricUnit::fraction);
  CHECK(parse_metric("efficiency").unit == MetricUnit::fraction);
  CHECK(parse_metric("ops").unit == MetricUnit::count);
}

TEST_CASE("a phase or a link that the run lacks is refused") {
  CHECK(testing::refusal_of([] { figure("phase.redcue.time"); }) ==
        "unknown phase of this run \"redcue\"; did you mean \"reduce\"?");
  CHECK(testing::refusal_of([] { figure("link.b>a.bytes"); }) ==
        "unknown link direction \"b>a\"; choose one of gpu0>switch0, a-b");
  CHECK(testing::refusal_of([] { figure("link.gpu0>switch0.weight"); }) ==
        "unknown metric \"link.gpu0>switch0.weight\"; did you mean \"link.gpu0>switch0.bytes\"?");
}

TEST_CASE("a rank's figures, of training steps, all times") {
  Report report;
  report.step.emplace().ranks = {{"gpu0", {1}, {2}, {3}, {4}, {{5}, {6}, {7}, 1}}, {}};
  const auto of_rank = [&](const std::string& name) { return measure(parse_metric(name), report); };
  CHECK(of_rank("rank.0.compute") == 1);
  CHECK(of_rank("rank.0.waiting") == 2);
  CHECK(of_rank("rank.0.step") == 3);
  CHECK(of_rank("rank.0.finish") == 4);
  CHECK(of_rank("rank.0.for_ranks") == 5);
  CHECK(of_rank("rank.0.transfer") == 6);
  CHECK(of_rank("rank.0.pause") == 7);
  CHECK(of_rank("rank.1.step") == 0);
  CHECK(parse_metric("rank.12.step").unit == MetricUnit::time);
  CHECK(testing::refusal_of([&] { of_rank("rank.2.step"); }) ==
        "rank 2 is not in the run; name ranks of the run, 0 to 1");
  CHECK(testing::refusal_of([] { figure("rank.0.step"); }) ==
        "\"rank.0.step\" is of training steps; select points with a \"model\"");
  CHECK(testing::refusal_of([] { parse_metric("rank.3.stpe"); }) ==
        "unknown metric \"rank.3.stpe\"; did you mean \"rank.3.step\"?");
  for (const char* wrong : {"rank.-1.step", "rank.x.step", "rank..step", "rank.1", "rank.1."})
    CHECK_THROWS_AS(parse_metric(wrong), InputError);
}

TEST_CASE("values are read in the metric's unit") {
  CHECK(value("\"15 ms\"", MetricUnit::time) == 15e9);
  CHECK(value("\"10 GB/s\"", MetricUnit::bandwidth) == 10e9);
  CHECK(value("\"1 MB\"", MetricUnit::bytes) == 1e6);
  CHECK(value("1000", MetricUnit::bytes) == 1e3);
  CHECK(value("\"25 %\"", MetricUnit::fraction) == 0.25);
  CHECK(value("0.25", MetricUnit::fraction) == 0.25);
  CHECK(value("24", MetricUnit::count) == 24);
}

TEST_CASE("values are printed with their unit") {
  CHECK(value_text(15e9, MetricUnit::time) == "15.0000 ms");
  CHECK(value_text(10e9, MetricUnit::bandwidth) == "10 GB/s");
  CHECK(value_text(2.66666e9, MetricUnit::bandwidth) == "2.667 GB/s");
  CHECK(value_text(1e6, MetricUnit::bytes) == "1 MB");
  CHECK(value_text(0.9999, MetricUnit::fraction) == "99.99 %");
  CHECK(value_text(24, MetricUnit::count) == "24");
}

}  // namespace syncsim::metrics_test
