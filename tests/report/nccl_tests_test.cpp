// Tables of nccl-tests, written and read back.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/report/formats.h"
#include "sim/report/nccl_tests_table.h"
#include "tests/report/reports.h"
#include "tests/support/refusal.h"

namespace syncsim::nccl_tests_test {
namespace {

using testing::textbook_report;

std::string written(const std::vector<Report>& reports) { return write_nccl_tests(reports, {}); }

NcclTestsTable read(const std::string& text) { return read_nccl_tests(text, "table.txt"); }

Report of_collective(CollectiveKind kind, std::string_view datatype = "float32") {
  Report report = textbook_report();
  report.facts.collective = {kind, 4, {160'000'000}, datatype, 2};
  return report;
}

// The row of a table of one.
NcclTestsRow row_of(CollectiveKind kind, std::string_view datatype = "float32") {
  return read(written({of_collective(kind, datatype)})).rows.at(0);
}

}  // namespace

TEST_CASE("the textbook's 60 ms on one GPU, as nccl-tests prints it") {
  CHECK("\n" + written({textbook_report()}) == R"(
# syncsim: central_gpu on pcie_4gpu, 4 ranks, line rates, simulated
# Collective test starting: all_reduce_perf
#
#                                                             out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
   160000000      40000000     float     sum      -1    60000    2.67    4.00      0    60000    2.67    4.00      0
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 4
#
)");
}

TEST_CASE("what is written is read back") {
  Report small = textbook_report();
  small.facts.collective.bytes = {1'024};
  small.time = {22'354'000};
  small.algbw = 0.05e9;
  small.busbw = 2e9;
  const NcclTestsTable table = read(written({small, textbook_report()}));
  CHECK(table.collective == "all_reduce_perf");
  CHECK(table.out_of_bounds == 0);
  CHECK(table.average_busbw == 3);  // (2 + 4) / 2
  CHECK(table.broken.empty());
  REQUIRE(table.rows.size() == 2);
  const NcclTestsRow& row = table.rows[0];
  CHECK(row.bytes == Bytes{1'024});
  CHECK(row.count == 256);
  CHECK(row.type == "float");
  CHECK(row.operation == "sum");
  CHECK(row.root == -1);
  for (const auto& half : {row.out_of_place, row.in_place}) {
    REQUIRE(half);
    CHECK(half->microseconds == 22.35);
    CHECK(half->algbw == 0.05);
    CHECK(half->busbw == 2);
    CHECK(half->wrong == 0);
  }
  CHECK(table.rows[1].out_of_place->microseconds == 60'000);
}

TEST_CASE("points that differ in more than their size have tables of their own") {
  Report ring = textbook_report();
  ring.facts.strategy = "ring";
  const std::string text = written({textbook_report(), textbook_report(), ring});
  std::size_t tables = 0;
  for (auto at = text.find("# Avg"); at != text.npos; at = text.find("# Avg", at + 1)) ++tables;
  CHECK(tables == 2);
  CHECK(read(text).rows.size() == 3);
}

TEST_CASE("edits, events and background stand above the table") {
  Report report = textbook_report();
  report.facts.name = "slow";
  report.facts.edits = {"scale kind:pcie bandwidth 0.5"};
  report.facts.events = {"at 2 ms kind:pcie bandwidth=0 GB/s"};
  report.facts.background = "flows.csv";
  const std::string text = written({report});
  for (const char* line : {"# point: slow\n", "# edit: scale kind:pcie bandwidth 0.5\n",
                           "# event: at 2 ms kind:pcie bandwidth=0 GB/s\n",
                           "# background: flows.csv, 0 flows; lower bounds leave it out\n"}) {
    CAPTURE(line);
    CHECK(text.find(line) != text.npos);
  }
}

TEST_CASE("count is each rank's share where blocks go different ways, else all elements") {
  CHECK(row_of(CollectiveKind::allreduce).count == 40'000'000);
  CHECK(row_of(CollectiveKind::broadcast).count == 40'000'000);
  CHECK(row_of(CollectiveKind::send_recv).count == 40'000'000);
  CHECK(row_of(CollectiveKind::all_gather).count == 10'000'000);
  CHECK(row_of(CollectiveKind::reduce_scatter).count == 10'000'000);
  CHECK(row_of(CollectiveKind::all_to_all).count == 10'000'000);
}

TEST_CASE("operation and root are those of the collective") {
  CHECK(row_of(CollectiveKind::reduce).root == 2);
  CHECK(row_of(CollectiveKind::reduce).operation == "sum");
  CHECK(row_of(CollectiveKind::broadcast).root == 2);
  CHECK(row_of(CollectiveKind::broadcast).operation == "none");
  CHECK(row_of(CollectiveKind::reduce_scatter).root == -1);
  CHECK(row_of(CollectiveKind::all_gather).operation == "none");
}

TEST_CASE("datatypes have the names of nccl-tests") {
  CHECK(row_of(CollectiveKind::allreduce, "float16").type == "half");
  CHECK(row_of(CollectiveKind::allreduce, "float64").type == "double");
  CHECK(row_of(CollectiveKind::allreduce, "bfloat16").type == "bfloat16");
  for (const DatatypeRow& row : datatypes().rows()) {
    CAPTURE(row.name);
    CHECK(row_of(CollectiveKind::allreduce, row.name).type == nccl_type(row.name));
  }
}

TEST_CASE("the name of the test is nccl-tests' own") {
  const auto name_of = [](CollectiveKind kind) {
    return read(written({of_collective(kind)})).collective;
  };
  CHECK(name_of(CollectiveKind::allreduce) == "all_reduce_perf");
  CHECK(name_of(CollectiveKind::all_to_all) == "alltoall_perf");
  CHECK(name_of(CollectiveKind::send_recv) == "sendrecv_perf");
  CHECK(name_of(CollectiveKind::reduce_scatter) == "reduce_scatter_perf");
  CHECK(name_of(CollectiveKind::all_gather) == "all_gather_perf");
}

TEST_CASE("what was not checked says so") {
  Report report = textbook_report();
  report.facts.checked = false;
  const NcclTestsTable table = read(written({report}));
  CHECK_FALSE(table.rows.at(0).out_of_place->wrong);
  CHECK_FALSE(table.out_of_bounds);
}

TEST_CASE("times below a microsecond keep their digits") {
  Report report = textbook_report();
  report.time = {2'241};
  CHECK(read(written({report})).rows.at(0).out_of_place->microseconds == 0.0022);
}

TEST_CASE("no points, no table") { CHECK(written({}).empty()); }

TEST_CASE("a pasted log: lines around the table and ranks' tags are passed over") {
  const NcclTestsTable table = read(R"(
$ mpirun -np 16 all_reduce_perf -b 8 -e 1G -f 2
# nThread 1 nGpus 1 minBytes 8 maxBytes 1073741824 step: 2(factor) warmup iters: 5 iters: 20
node1:4711:4711 [0] NCCL INFO Bootstrap : Using eth0:10.0.0.1<0>
[1,0]<stdout>:#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
[1,0]<stdout>:#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
[1,0]<stdout>:           8             2     float     sum      -1    45.12    0.00    0.00      0    44.90    0.00    0.00      0
node1:4711:4890 [0] NCCL INFO 8 coll channels
0:  1073741824     268435456     float     sum      -1   8532.4  125.84  235.95      0   8541.0  125.72  235.72    N/A
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 117.918
)");
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0].line == 7);
  CHECK(table.rows[0].out_of_place->microseconds == 45.12);
  CHECK(table.rows[1].bytes == Bytes{1'073'741'824});
  CHECK(table.rows[1].out_of_place->busbw == 235.95);
  CHECK(table.rows[1].in_place->busbw == 235.72);
  CHECK_FALSE(table.rows[1].in_place->wrong);
  CHECK(table.average_busbw == 117.918);
  CHECK(table.out_of_bounds == 0);
}

TEST_CASE("older columns: no root, an error in place of a count of wrong values") {
  const NcclTestsTable table = read(R"(
#                                                     out-of-place                    in-place
#       size         count    type   redop     time  algbw  busbw  error     time  algbw  busbw  error
    33554432       8388608   float     sum    550.8  60.92 106.62  2e-07    549.3  61.09 106.90  2e-07
)");
  const NcclTestsRow& row = table.rows.at(0);
  CHECK(row.operation == "sum");
  CHECK_FALSE(row.root);
  CHECK(row.out_of_place->microseconds == 550.8);
  CHECK(row.out_of_place->wrong == 2e-07);
  CHECK(row.in_place->busbw == 106.90);
}

TEST_CASE("columns of other names are passed over, one half is enough, and units may be named") {
  const NcclTestsTable table = read(R"(
  size(B)  count(elems)  type   time:avg(us)  time:p99(us)  algbw(GB/s)  busbw(GB/s)
  1048576        524288  bfloat16       61.5          70.1        17.05        25.57
)");
  const NcclTestsRow& row = table.rows.at(0);
  CHECK(row.type == "bfloat16");
  CHECK(row.out_of_place->microseconds == 61.5);
  CHECK(row.out_of_place->busbw == 25.57);
  CHECK_FALSE(row.out_of_place->wrong);
}

TEST_CASE("rows without a head are told by their shape") {
  const auto first = [](const std::string& line) { return read(line).rows.at(0); };
  const std::string halves = " 61.50 17.05 25.57 0 60.88 17.22 25.83 0";
  const NcclTestsRow full = first("1048576 262144 float sum -1" + halves);
  CHECK(full.root == -1);
  CHECK(full.in_place->busbw == 25.83);
  const NcclTestsRow no_root = first("1048576 262144 float sum" + halves);
  CHECK_FALSE(no_root.root);
  CHECK(no_root.in_place->busbw == 25.83);
  const NcclTestsRow no_operation = first("1048576 262144 float 3" + halves);
  CHECK(no_operation.operation.empty());
  CHECK(no_operation.root == 3);
  CHECK(no_operation.in_place->busbw == 25.83);
  CHECK(first("1048576 262144 float" + halves).in_place->busbw == 25.83);
}

TEST_CASE("a row that gives no time is kept apart, one that breaks off has its first half") {
  const NcclTestsTable table = read(
      "8 2 float sum -1 45.12 0.00 0.00 0 44.90 0.00 0.00 0\r\n"
      "16 4 float sum -1 failed\r\n"
      "# size count type redop root time algbw busbw #wrong time algbw busbw #wrong\r\n"
      "32 8 float sum -1 45.20 0.00 0.00 0 44\r\n"
      "64 16 float sum -1 N/A N/A N/A N/A N/A N/A N/A N/A\r\n");
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[1].bytes == Bytes{32});
  CHECK(table.rows[1].out_of_place);
  CHECK_FALSE(table.rows[1].in_place);
  REQUIRE(table.broken.size() == 2);
  CHECK(table.broken[0].line == 2);
  CHECK(table.broken[1].line == 5);
}

TEST_CASE("a text without a whole row is refused") {
  const std::string right =
      R"(; paste rows such as "1048576  262144  float  sum  -1  61.50  17.05  25.57  0")";
  CHECK(testing::refusal_of([] { read("hello\n"); }) ==
        "table.txt: holds no row of nccl-tests" + right);
  CHECK(testing::refusal_of([] { read(""); }) == "table.txt: holds no row of nccl-tests" + right);
  CHECK(testing::refusal_of([] { read("\n8 2 float sum -1 failed\n"); }) ==
        "table.txt: gives no time: no row is whole, nor is that of line 2" + right);
  CHECK(testing::refusal_of([] { read("-8 2 float sum -1 1 1 1 0\n"); }) ==
        "table.txt:1: a size of -8 bytes; write 0 or more");
}

}  // namespace syncsim::nccl_tests_test
