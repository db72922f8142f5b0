#include "sim/scenario/predict/predict.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/scenario/library/library_model.h"
#include "sim/scenario/predict/suspects.h"
#include "sim/scenario/setting.h"
#include "tests/support/refusal.h"

namespace syncsim::predict_test {
namespace {

const RunSettings kSettings{.shelf = SYNCSIM_SHELF};
const std::vector<std::int64_t> kSmall = {1 << 10, 1 << 12, 1 << 14, 1 << 16};
const std::vector<std::int64_t> kMiddle = {1 << 20, 1 << 22, 1 << 24};
const std::vector<std::int64_t> kLarge = {1 << 26, 1 << 27, 1 << 28, 1 << 29};

Point point_on(const std::string& topology, const std::vector<std::string>& edits = {}) {
  Point point;
  point.topology = topology;
  point.bytes = {1 << 20};
  for (const std::string& edit : edits) point.edits.push_back(parse_edit(edit));
  return point;
}

// What the model itself says of a machine with these edits and terms.
MeasuredSeries made_up(const std::string& topology, const std::vector<std::int64_t>& sizes,
                       const std::vector<std::string>& edits = {}, const LibraryTerms& terms = {}) {
  const Setting setting = setting_of(point_on(topology, edits), kSettings);
  const LibraryModel model(setting.machine, setting.ranks, setting.collective, terms, kSettings);
  MeasuredSeries series{.point = point_on(topology)};
  for (const std::int64_t size : sizes)
    series.rows.push_back({"t:1", Bytes{size}, model.at(Bytes{size}).microseconds});
  return series;
}

const FoundSuspect* found(const PredictedRange& range, const std::string& name) {
  const auto at = std::find_if(range.suspects.begin(), range.suspects.end(),
                               [&](const FoundSuspect& suspect) { return suspect.name == name; });
  return at == range.suspects.end() ? nullptr : &*at;
}

// The machine with this edit is found out, exactly: nothing is left.
void check_named(const MeasuredSeries& series, const std::string& name) {
  const PredictedTable table = predict(series, kUsualTolerance, kSettings);
  CAPTURE(name);
  CAPTURE(table.conclusion());
  REQUIRE(table.ranges.size() == 1);
  CHECK(table.ranges[0].verdict == Verdict::unexplained);
  const FoundSuspect* suspect = found(table.ranges[0], name);
  REQUIRE(suspect != nullptr);
  CHECK(suspect->error == doctest::Approx(0).epsilon(1e-9));
  CHECK(table.ranges[0].suspects.front().error == doctest::Approx(0).epsilon(1e-9));
}

}  // namespace

TEST_CASE("what the model itself says is as expected, and nobody is suspected") {
  std::vector<std::int64_t> sizes = kSmall;
  sizes.insert(sizes.end(), kLarge.begin(), kLarge.end());
  const PredictedTable table = predict(made_up("dgx_a100", sizes), kUsualTolerance, kSettings);
  CHECK(table.rows.size() == 8);
  for (const PredictedRow& row : table.rows) {
    CHECK(row.ratio() == doctest::Approx(1));
    CHECK(row.verdict == Verdict::as_expected);
    CHECK(row.binds != "");
  }
  REQUIRE(table.ranges.size() == 2);
  CHECK(table.ranges[0].size == SizeClass::small);
  CHECK(table.ranges[1].size == SizeClass::large);
  for (const PredictedRange& range : table.ranges) CHECK(range.suspects.empty());
  CHECK(table.conclusion() == "as expected");
}

TEST_CASE("a machine that differs by one edit is found by it") {
  check_named(made_up("dgx_a100", kLarge, {"remove kind:nvlink"}), "nvlink_off");
  check_named(made_up("dgx_a100_x2", kLarge, {"remove node:*/nic[1-7]"}), "nics_missing");
  check_named(made_up("a100_pcie_quad", kLarge, {"scale kind:pcie bandwidth 0.25"}), "slow_links");
}

TEST_CASE("a library that runs otherwise is found by it") {
  LibraryTerms terms;
  terms.pins.channels = 1;
  check_named(made_up("dgx_a100", kLarge, {}, terms), "few_channels");
  terms.pins = {.protocol = NcclProtocol::ll};
  check_named(made_up("dgx_a100", kLarge, {}, terms), "protocol_pinned");
}

TEST_CASE("what the suspect says to the program again makes the table as expected") {
  MeasuredSeries series = made_up("dgx_a100", kLarge, {"remove kind:nvlink"});
  const PredictedTable table = predict(series, kUsualTolerance, kSettings);
  const FoundSuspect* suspect = found(table.ranges.at(0), "nvlink_off");
  REQUIRE(suspect != nullptr);
  CHECK(suspect->again == "--edit \"remove kind:nvlink\"");
  CHECK(table.conclusion().starts_with("unexplained by topology as it is said, but as with "));
  series.point = point_on("dgx_a100", {"remove kind:nvlink"});
  CHECK(predict(series, kUsualTolerance, kSettings).conclusion() == "as expected");
}

TEST_CASE("negative controls: a constant more a call, and a constant rate, are no topology") {
  MeasuredSeries slow_calls = made_up("dgx_a100", kSmall);
  for (MeasuredSeries::Row& row : slow_calls.rows) row.microseconds += 2000;
  const PredictedTable calls = predict(slow_calls, kUsualTolerance, kSettings);
  CHECK(calls.conclusion() == "unexplained by topology; fits: latency: +2e+03 us a call");
  CHECK(calls.ranges.at(0).suspects.front().cause == Cause::fitted);
  CHECK(calls.ranges[0].suspects.front().again == "");

  MeasuredSeries capped = made_up("dgx_a100", kLarge);
  for (MeasuredSeries::Row& row : capped.rows)
    row.microseconds = static_cast<double>(row.bytes.count) / 400;  // 0.4 GB/s x 7/4
  const PredictedTable rate = predict(capped, kUsualTolerance, kSettings);
  CHECK(rate.conclusion() ==
        "unexplained by topology; fits: a cap of 0.7 GB/s of bus bandwidth, as TCP flows have");
  CHECK(rate.verdict() == Verdict::unexplained);
}

TEST_CASE("what no suspect explains is said to be unexplained") {
  MeasuredSeries odd = made_up("dgx_a100", kMiddle);
  odd.rows[0].microseconds *= 100;
  odd.rows[1].microseconds *= 3000;
  odd.rows[2].microseconds *= 60000;
  CHECK(predict(odd, kUsualTolerance, kSettings).conclusion() ==
        "unexplained by topology, nor by any suspect");
}

TEST_CASE("a table that is faster than the model is said to be so, with what would explain it") {
  MeasuredSeries fast = made_up("dgx_a100", kLarge);
  for (MeasuredSeries::Row& row : fast.rows) row.microseconds /= 2;
  const PredictedTable table = predict(fast, kUsualTolerance, kSettings);
  CHECK(table.rows[0].verdict == Verdict::faster);
  CHECK(found(table.ranges.at(0), "faster_links") != nullptr);
  CHECK(table.conclusion() == "faster than the model; fits: every nvlink link at twice its rate");
}

TEST_CASE("a change that would spoil sizes that are as expected is no suspect") {
  // Large sizes as without NVLink, but middle ones as with it.
  MeasuredSeries series = made_up("dgx_a100", kMiddle);
  const MeasuredSeries large = made_up("dgx_a100", kLarge, {"remove kind:nvlink"});
  series.rows.insert(series.rows.end(), large.rows.begin(), large.rows.end());
  const PredictedTable table = predict(series, kUsualTolerance, kSettings);
  REQUIRE(table.ranges.size() == 2);
  CHECK(table.ranges[0].verdict == Verdict::as_expected);
  CHECK(found(table.ranges[1], "nvlink_off") == nullptr);
}

TEST_CASE("the same rows in another order, or twice, get the same conclusion") {
  MeasuredSeries series = made_up("dgx_a100", kLarge, {"remove kind:nvlink"});
  const std::string conclusion = predict(series, kUsualTolerance, kSettings).conclusion();
  std::reverse(series.rows.begin(), series.rows.end());
  CHECK(predict(series, kUsualTolerance, kSettings).conclusion() == conclusion);
  const std::vector<MeasuredSeries::Row> rows = series.rows;
  series.rows.insert(series.rows.end(), rows.begin(), rows.end());
  CHECK(predict(series, kUsualTolerance, kSettings).conclusion() == conclusion);
}

TEST_CASE("a machine must be said, and have as many ranks as the table") {
  MeasuredSeries series = made_up("dgx_a100", kSmall);
  series.ranks = 4;
  const auto refusal = [&] {
    return testing::refusal_of([&] { predict(series, kUsualTolerance, kSettings); });
  };
  CHECK(refusal() ==
        "t:1: the table is of 4 ranks, dgx_a100 has 8; name a machine of as many, or choose some "
        "with --ranks");
  series.point.ranks = {0, 1, 2};
  CHECK(refusal() ==
        "t:1: the table is of 4 ranks, the choice has 3; name a machine of as many, or choose "
        "some with --ranks");
  series.ranks = 0;
  series.point.ranks = {3};
  series.point.places["ranks"] = "--ranks";
  CHECK(refusal() == "--ranks: one rank has nobody to talk to; choose two or more");
  series.point.topology = "";
  CHECK(refusal() ==
        "--topology: a machine is needed; name the one that the table was measured on");
}

}  // namespace syncsim::predict_test
