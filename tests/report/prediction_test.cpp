#include "sim/report/prediction.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace syncsim::prediction_test {
namespace {

const FoundSuspect kHalf{"nics_missing", "half the NICs missing", "ibstat",
                         "--edit \"x\"", Cause::machine,          0.02};
const FoundSuspect kCap{"rate_cap", "a cap of 1 GB/s", "iperf3", "", Cause::fitted, 0.01};

PredictedTable table_of(const std::vector<PredictedRange>& ranges) {
  PredictedTable table{.topology = "box", .collective = "allreduce", .datatype = "float32"};
  table.ranges = ranges;
  return table;
}

PredictedRange range_of(SizeClass size, Verdict verdict,
                        const std::vector<FoundSuspect>& suspects = {}) {
  return {.size = size, .rows = 1, .verdict = verdict, .suspects = suspects};
}

}  // namespace

TEST_CASE("a ratio up to the tolerance away from 1 is as expected") {
  CHECK(verdict_of(1.25, 0.25) == Verdict::as_expected);
  CHECK(verdict_of(0.75, 0.25) == Verdict::as_expected);
  CHECK(verdict_of(1.26, 0.25) == Verdict::unexplained);
  CHECK(verdict_of(0.74, 0.25) == Verdict::faster);
  CHECK(verdict_of(1, 0) == Verdict::as_expected);
}

TEST_CASE("the conclusion joins ranges that are alike") {
  using enum Verdict;
  CHECK(table_of({range_of(SizeClass::small, as_expected), range_of(SizeClass::large, as_expected)})
            .conclusion() == "as expected");
  CHECK(table_of({range_of(SizeClass::small, as_expected),
                  range_of(SizeClass::middle, unexplained, {kHalf}),
                  range_of(SizeClass::large, unexplained, {kHalf, kCap})})
            .conclusion() ==
        "up to 64 KiB: as expected; 64 KiB to 64 MiB and from 64 MiB: unexplained by topology as "
        "it is said, but as with half the NICs missing");
  CHECK(table_of({range_of(SizeClass::middle, faster), range_of(SizeClass::large, unexplained)})
            .conclusion() ==
        "64 KiB to 64 MiB: faster than the model; from 64 MiB: unexplained by topology, nor by any "
        "suspect");
  CHECK(table_of({range_of(SizeClass::large, unexplained, {kCap})}).conclusion() ==
        "unexplained by topology; fits: a cap of 1 GB/s");
}

TEST_CASE("a table is as bad as its worst range") {
  using enum Verdict;
  CHECK(table_of({range_of(SizeClass::small, as_expected)}).verdict() == as_expected);
  CHECK(table_of({range_of(SizeClass::small, faster), range_of(SizeClass::large, as_expected)})
            .verdict() == faster);
  CHECK(table_of({range_of(SizeClass::small, unexplained), range_of(SizeClass::large, faster)})
            .verdict() == unexplained);
}

TEST_CASE("errors are |predicted / measured - 1|, over all tables") {
  Prediction prediction;
  prediction.tables = {table_of({range_of(SizeClass::small, Verdict::as_expected)}),
                       table_of({range_of(SizeClass::small, Verdict::unexplained)})};
  prediction.tables[0].rows.push_back(
      {.place = "t:1", .bytes = {8}, .measured = 10, .predicted = 9});
  prediction.tables[1].rows.push_back({.place = "t:2",
                                       .bytes = {8},
                                       .measured = 10,
                                       .predicted = 5,
                                       .verdict = Verdict::unexplained});
  CHECK(prediction.errors().rows == 2);
  CHECK(prediction.errors().mean() == doctest::Approx(0.3));
  CHECK(prediction.errors().worst == doctest::Approx(0.5));
  CHECK(prediction.beyond() == 1);
  CHECK(prediction.tables[1].rows[0].ratio() == 2);

  const auto json = nlohmann::json::parse(prediction_json(prediction));
  CHECK(json["rows"].size() == 2);
  CHECK(json["tables"].size() == 2);
  CHECK(json["rows_beyond"] == 1);
  CHECK(json["library"].is_null());
  CHECK(json["rows"][1]["ratio"] == 2);
}

TEST_CASE("what binds is cut on the left where it is too long for its column") {
  Prediction prediction;
  prediction.tables = {table_of({range_of(SizeClass::small, Verdict::as_expected)})};
  prediction.tables[0].rows.push_back({.place = "t:1",
                                       .bytes = {8},
                                       .measured = 10,
                                       .predicted = 10,
                                       .algorithm = "nvls_tree",
                                       .protocol = "simple",
                                       .binds = "rack0/node0/gpu0>rack0/node0/nvs0"});
  const std::string text = prediction_text(prediction);
  CHECK(text.find("  nvls_tree simple  ../gpu0>rack0/node0/nvs0  as expected\n") != text.npos);
}

}  // namespace syncsim::prediction_test
