#include "sim/scenario/calibration/nccl_tests_measured.h"

#include <doctest/doctest.h>

#include "sim/report/nccl_tests_words.h"
#include "tests/support/refusal.h"

namespace syncsim::testing::nccl_tests_measured_test {
namespace {

using Kind = CollectiveKind;

std::optional<Kind> kind_of(const std::string& row) {
  return measured_by_nccl_tests(row, "t").by_columns;
}

MeasuredTable from_json(const std::string& text) {
  return measured_by_nccl_tests(JsonFile::parse(text, "t.json").root());
}

std::string refusal_of_json(const std::string& text) {
  return refusal_of([&] { from_json(text); });
}

}  // namespace

TEST_CASE("where no line names the test, the columns tell the collective, if one has such") {
  CHECK(kind_of("1048576 262144 float sum -1 60.10 17.45 30.53 0") == Kind::allreduce);
  CHECK(kind_of("1048576 262144 float sum 60.10 17.45 17.45 0") == Kind::allreduce);  // of two
  CHECK(kind_of("1048576 32768 float sum -1 45.10 23.25 20.34 0") == Kind::reduce_scatter);
  CHECK(kind_of("1048576 262144 float sum 0 60.10 17.45 17.45 0") == Kind::reduce);
  CHECK(kind_of("1048576 262144 float none 0 60.10 17.45 17.45 0") == Kind::broadcast);
  CHECK(!kind_of("1048576 262144 float none -1 60.10 17.45 15.27 0"));  // two have such
  CHECK(!kind_of("8 2 float sum -1 35.10 0.00 0.00 0"));                // no digits
  CHECK(
      !kind_of("1048576 262144 float sum -1 60.10 17.45 30.53 0\n"
               "1048576 262144 float sum 0 60.10 17.45 17.45 0"));
  const std::string row = "1048576 262144 float sum -1 60.10 17.45 30.53 0";
  CHECK(!kind_of("# Collective test starting: reduce_scatter_perf\n" + row));
  MeasuredTable table = measured_by_nccl_tests(row, "t");
  CHECK(!table.rows[0].collective);
  name_by_columns(table);
  CHECK(table.rows[0].collective == Kind::allreduce);
  CHECK(table.notes ==
        std::vector<std::string>{"t:1: taken as allreduce, by redop, root and busbw / algbw"});
}

TEST_CASE("a paste says how it was launched, and its library's version") {
  const std::string row = "1048576 262144 float sum -1 60.10 17.45 30.53 0";
  const auto table = [&](const std::string& head) {
    return measured_by_nccl_tests(head + "\n" + row, "t");
  };
  CHECK(table("# nThread 1 nGpus 8 minBytes 8 graph: 0").launch == Launch::one_process);
  CHECK(table("# nThread 1 nGpus 1 minBytes 8 graph: 0").launch == Launch::process_per_gpu);
  CHECK(table("# nThread 8 nGpus 1 minBytes 8").launch == Launch::process_per_gpu);
  CHECK(table("# nThread 1 nGpus 8 minBytes 8 graph: 2").launch == Launch::graph);
  CHECK(table("#").launch == Launch::unknown);
  CHECK(table("NCCL version 2.18.3+cuda12.2").version == "2.18.3");
  CHECK(table("node0:1:2 [0] NCCL INFO RCCL version 2.20.5-HEAD:x").version == "2.20.5");
  CHECK(table("# nccl-tests version 2.17.1 nccl-headers=22600 nccl-library=22703").version ==
        "2.27.3");
  CHECK(table("#").version.empty());
}

TEST_CASE("versions of NCCL as one number") {
  CHECK(library_version_of(22703) == "2.27.3");
  CHECK(library_version_of(20900) == "2.9.0");
  CHECK(library_version_of(2804) == "2.8.4");
  CHECK(library_version_of(0).empty());
}

TEST_CASE("what nccl-tests writes as JSON") {
  const MeasuredTable table = from_json(R"({"args": ["./build/all_gather_perf", "-b", "8"],
    "nccl_version": 22703, "config": {"nthreads": 1, "ngpus": 4, "graph": 0,
      "devices": [{"rank": 0, "pid": 7}, {"rank": 4, "pid": 8}]},
    "results": [{"size": 1048576, "count": 32768, "type": "half", "redop": "none",
        "root": "    -1", "out_of_place": {"time": 61.5, "alg_bw": 1, "bus_bw": 1, "nwrong": 0},
        "in_place": {"time": 60.5, "alg_bw": 1, "bus_bw": 1, "nwrong": null}, "other": 1},
      {"size": 8, "out_of_place": null, "in_place": {"cpu_time": 30}},
      {"size": 16, "out_of_place": {"time": "nan"}, "in_place": null}]})");
  REQUIRE(table.rows.size() == 2);
  CHECK(table.ranks == 8);
  CHECK(table.launch == Launch::one_process);
  CHECK(table.version == "2.27.3");
  CHECK(table.rows[0].bytes == Bytes{1048576});
  CHECK(table.rows[0].out_of_place == doctest::Approx(61.5e-6));
  CHECK(table.rows[0].in_place == doctest::Approx(60.5e-6));
  CHECK(table.rows[0].collective == Kind::all_gather);
  CHECK(table.rows[0].datatype == "float16");
  CHECK(!table.rows[0].root);
  CHECK(table.rows[1].place == "t.json:/results/1");
  CHECK(!table.rows[1].out_of_place);
  CHECK(table.rows[1].in_place == doctest::Approx(30e-6));
  CHECK(table.notes == std::vector<std::string>{"t.json: left out 1 row without a time"});
}

TEST_CASE("devices are one a process, or all") {
  const auto ranks = [](const std::string& config) {
    return from_json(R"({"config": )" + config +
                     R"(, "results": [{"size": 8, "out_of_place": {"time": 3}}]})")
        .ranks;
  };
  CHECK(ranks(R"({"nthreads": 2, "ngpus": 4, "devices": [{"rank": 0}]})") == 8);
  CHECK(ranks(R"({"nthreads": 1, "ngpus": 1, "devices": [{"rank": 0}, {"rank": 1}]})") == 2);
  CHECK(ranks(R"({"ngpus": 2, "devices": [{"rank": 0}, {"rank": 1}]})") == 2);
  CHECK(ranks("{}") == 0);
}

TEST_CASE("such JSON is refused at its place") {
  CHECK(refusal_of_json(R"({"results": [{"size": -8}]})").starts_with("t.json:/results/0/size: "));
  CHECK(refusal_of_json(R"({"results": [3]})").starts_with("t.json:/results/0: is the number 3"));
  CHECK(refusal_of_json(R"({"args": 3, "results": []})").starts_with("t.json:/args: "));
  CHECK(refusal_of_json(R"({"results": [{"size": 8, "out_of_place": {"time": 0}}]})") ==
        "t.json:/results/0: a time of 0; write one above 0, or leave the row out");
  CHECK(refusal_of_json(R"({"results": []})") ==
        "t.json: holds no row of more than 0 bytes; give sizes and their times");
}

}  // namespace syncsim::testing::nccl_tests_measured_test
