#include "sim/scenario/predict/measured_series.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/refusal.h"

namespace syncsim::measured_series_test {
namespace {

MeasuredSeriesFile read(const std::string& text, const TableTerms& beside = {}) {
  return read_series({"t", text}, beside);
}

TableTerms of(CollectiveKind kind) {
  TableTerms terms;
  terms.point.collective = kind;
  terms.has_collective = true;
  return terms;
}

constexpr const char* kTwo = R"(# Collective test starting: all_reduce_perf
  1024   256   float  sum  -1  20.5  0.05  0.09  0  21.5 0.05 0.09 0
  2048   512   float  sum  -1  30.5  0.07  0.12  0   N/A  N/A  N/A N/A
# Collective test starting: broadcast_perf
  1024   256   half  none   2  10.5  0.10  0.10  0  11.5 0.10 0.10 0
  1024   256   half  none   3  12.5  0.10  0.10  0  11.5 0.10 0.10 0
)";

constexpr const char* kFile = R"({"machine": "a box", "collective": "all_reduce", "gpus": 4,
  "topology": "dgx_a100", "edits": ["disable p2p"], "ranks": "0-3", "launch": "one_process",
  "library": "nccl", "version": "2.21", "channels": 2,
  "rows": [{"bytes": 8, "time_us": 12.5, "in_place_us": 13.5}]})";

}  // namespace

TEST_CASE("a paste of several collectives, types and roots is a series each") {
  const MeasuredSeriesFile file = read(kTwo);
  REQUIRE(file.series.size() == 3);
  CHECK(file.series[0].point.collective == CollectiveKind::allreduce);
  REQUIRE(file.series[0].rows.size() == 2);
  CHECK(file.series[0].rows[1].place == "t:3");
  CHECK(file.series[0].rows[1].bytes == Bytes{2048});
  CHECK(file.series[0].rows[1].microseconds == doctest::Approx(30.5));
  CHECK(file.series[1].point.collective == CollectiveKind::broadcast);
  CHECK(file.series[1].point.datatype == "float16");
  CHECK(file.series[1].point.root == 2);
  CHECK(file.series[2].point.root == 3);
  CHECK(file.series[0].point.topology == "");
}

TEST_CASE("in-place times are taken where they are asked for and there") {
  TableTerms beside;
  beside.in_place = true;
  const MeasuredSeriesFile file = read(kTwo, beside);
  CHECK(file.series[0].rows[0].microseconds == doctest::Approx(21.5));
  CHECK(file.series[0].rows[1].microseconds == doctest::Approx(30.5));
  CHECK(read(kFile, beside).series[0].rows[0].microseconds == doctest::Approx(13.5));
}

TEST_CASE("a collective said beside is that of rows without one, and chooses among the others") {
  CHECK(read("size,time\n8,10\n", of(CollectiveKind::all_gather)).series[0].point.collective ==
        CollectiveKind::all_gather);
  CHECK(read(kTwo, of(CollectiveKind::allreduce)).series.size() == 1);
  CHECK(testing::refusal_of([] { read("size,time\n8,10\n"); }) ==
        "t:2: the table does not say its collective; name it with --collective");
  CHECK(testing::refusal_of([] { read(kTwo, of(CollectiveKind::reduce)); }) ==
        "t: holds no row of reduce, but of allreduce; leave --collective out");
}

TEST_CASE("what the columns tell of the collective gives way to what is said beside") {
  const char* paste = "# nThread 1 nGpus 8\n1048576 262144 float sum -1 60.10 17.45 30.53 0\n";
  const MeasuredSeriesFile told = read(paste);
  CHECK(told.series.at(0).point.collective == CollectiveKind::allreduce);
  CHECK(told.series[0].terms.launch == Launch::one_process);
  CHECK(told.notes.size() == 1);
  const MeasuredSeriesFile said = read(paste, of(CollectiveKind::all_gather));
  CHECK(said.series.at(0).point.collective == CollectiveKind::all_gather);
  CHECK(said.notes.empty());
}

TEST_CASE("a file says its machine and terms, and what is said beside wins") {
  const MeasuredSeries said = read(kFile).series.at(0);
  CHECK(said.point.topology == "dgx_a100");
  CHECK(said.point.edits.size() == 1);
  CHECK(said.point.ranks.size() == 4);
  CHECK(said.ranks == 4);
  CHECK(said.terms.launch == Launch::one_process);
  CHECK(said.terms.version == "2.21");
  CHECK(said.terms.pins.channels == 2);

  TableTerms beside;
  beside.point.edits.push_back(parse_edit("enable acs"));
  CHECK(read(kFile, beside).series[0].point.edits.size() == 2);
  beside.point.ranks = {4, 5, 6, 7};
  CHECK(read(kFile, beside).series[0].point.ranks.front() == 4);
  beside.point.topology = "hgx_h100";
  const MeasuredSeries other = read(kFile, beside).series[0];
  CHECK(other.point.topology == "hgx_h100");
  CHECK(other.point.edits.size() == 1);  // the file's are of its own machine
  beside.point.ranks.clear();
  CHECK(read(kFile, beside).series[0].point.ranks.empty());
}

TEST_CASE("what is no table is refused") {
  CHECK(testing::refusal_of([] { read("{}"); }).starts_with("t:/: "));
  CHECK(testing::refusal_of([] { read(""); }).starts_with("t: "));
  CHECK(testing::refusal_of([] { read(std::string("a\0b", 3)); }).starts_with("t: "));
}

}  // namespace syncsim::measured_series_test
