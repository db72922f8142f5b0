// Tables of measured times, as people paste them and as programs write them.

#include "sim/scenario/calibration/measured_table.h"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/support/refusal.h"

namespace syncsim::testing::measured_table_test {
namespace {

MeasuredTable read(const std::string& text) { return read_measured_table(text, "t"); }

std::string refused(const std::string& text) {
  return refusal_of([&] { read(text); });
}

// In microseconds, rounded to nanoseconds.
double us(const std::optional<double>& seconds) {
  return seconds ? std::round(*seconds * 1e9) / 1e3 : -1;
}

}  // namespace

TEST_CASE("nccl-tests' present columns, out of place and in place") {
  const MeasuredTable table = read(R"(# nThread 1 nGpus 2 minBytes 8 maxBytes 134217728
# Collective test starting: all_reduce_perf
# Using devices
#  Rank  0 Group  0 Pid   4711 on   node1 device  0 [0x1a] NVIDIA GeForce RTX 4090
#  Rank  1 Group  0 Pid   4711 on   node1 device  1 [0x1b] NVIDIA GeForce RTX 4090
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
           0             0     float     sum      -1     5.98    0.00    0.00      0     5.95    0.00    0.00      0
     1048576        262144     float     sum      -1    345.1    3.04    3.04      0    350.2    2.99    2.99      0
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 3.015
)");
  CHECK(table.ranks == 2);
  CHECK(table.notes == std::vector<std::string>{"t: left out 1 row of 0 bytes"});
  REQUIRE(table.rows.size() == 1);
  const MeasuredRow& row = table.rows[0];
  CHECK(row.place == "t:10");
  CHECK(row.bytes == Bytes{1'048'576});
  CHECK(us(row.out_of_place) == 345.1);
  CHECK(us(row.in_place) == 350.2);
  CHECK(row.collective == CollectiveKind::allreduce);
  CHECK(row.datatype == "float32");
  CHECK(!row.root);
}

TEST_CASE("the old columns: no root, error in place of #wrong, N/A") {
  const MeasuredTable table = read(
      "#       size    count    type   redop     time   algbw   busbw  error     time   algbw   "
      "busbw  error\n"
      "        1024      256   float     sum    11.61    0.09    0.09  0e+00    11.48    0.09   "
      " 0.09    N/A\n"
      "        2048      512  double     sum    12.00    0.17    0.17  1e-07      N/A     N/A   "
      "  N/A    N/A\n");
  REQUIRE(table.rows.size() == 2);
  CHECK(us(table.rows[0].out_of_place) == 11.61);
  CHECK(us(table.rows[0].in_place) == 11.48);
  CHECK(table.rows[1].datatype == "float64");
  CHECK(us(table.rows[1].out_of_place) == 12);
  CHECK(!table.rows[1].in_place);
  CHECK(!table.rows[1].collective);
  CHECK(table.ranks == 0);
}

TEST_CASE("what mpirun, srun and logs write before lines is passed over") {
  for (const std::string tag :
       {"[1,0]<stdout>:", "0: ", "worker-1: ", "[2024-05-01 12:00:03] ",
        "2024-05-01T12:00:03.250Z ", "2024-05-01 12:00:03,250 ", "12:00:03 0: ", "[node-3] "}) {
    CAPTURE(tag);
    const MeasuredTable table = read(tag + "# Collective test starting: broadcast_perf\n" + tag +
                                     "# size count type redop root time algbw busbw #wrong\n" +
                                     tag + "  4096  1024  half  none  3  20.5  0.20  0.20  0\n");
    REQUIRE(table.rows.size() == 1);
    CHECK(table.rows[0].place == "t:3");
    CHECK(us(table.rows[0].out_of_place) == 20.5);
    CHECK(table.rows[0].collective == CollectiveKind::broadcast);
    CHECK(table.rows[0].datatype == "float16");
    CHECK(table.rows[0].root == 3);
  }
}

TEST_CASE("each row is of the collective that the lines above it name") {
  const std::string row = "  4096  1024  float  sum  -1  20.5  0.20  0.20  0  20.5 0.20 0.20 0\n";
  const MeasuredTable table = read(row + "$ mpirun -n 8 ./build/reduce_scatter_perf -b 4K -e 4K\n" +
                                   row + "$ ./alltoall_perf -g 8\n" + row);
  REQUIRE(table.rows.size() == 3);
  CHECK(!table.rows[0].collective);
  CHECK(table.rows[1].collective == CollectiveKind::reduce_scatter);
  CHECK(table.rows[2].collective == CollectiveKind::all_to_all);
}

TEST_CASE("types that schedules lack stand for those of the same size") {
  const auto type = [](const std::string& name) {
    return read("4096 4096 " + name + " sum -1 20.5 0.20 0.20 0\n").rows.at(0).datatype;
  };
  CHECK(type("uint8") == "int8");
  CHECK(type("uint64") == "int64");
  CHECK(type("bfloat16") == "bfloat16");
  CHECK(type("f8e4m3") == "int8");
}

TEST_CASE("CSV has a line of names, in any order, with units where they are said") {
  const MeasuredTable table = read(
      "gpu,Size (B),Time (us),in-place time,collective,root\n"
      "0,1024,11.5,11.25,all_reduce,-1\n"
      "0,4 MiB,1e3,,broadcast,2\n"
      "0,0,3,3,broadcast,2\n"
      "0,8192,,,broadcast,2\n");
  CHECK(table.notes == std::vector<std::string>{"t: left out 1 row of 0 bytes",
                                                "t: left out 1 row without a time"});
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[0].place == "t:2");
  CHECK(us(table.rows[0].out_of_place) == 11.5);
  CHECK(us(table.rows[0].in_place) == 11.25);
  CHECK(table.rows[0].collective == CollectiveKind::allreduce);
  CHECK(!table.rows[0].root);
  CHECK(table.rows[1].bytes == Bytes{4 << 20});
  CHECK(us(table.rows[1].out_of_place) == 1'000);
  CHECK(table.rows[1].root == 2);
  CHECK(us(read("bytes,time_ms\n4,2.5\n").rows.at(0).out_of_place) == 2'500);
  CHECK(us(read("# a remark\nsize,time_s\n4,2\n").rows.at(0).out_of_place) == 2e6);
}

TEST_CASE("a measured table in JSON") {
  const MeasuredTable table = read(R"({"machine": "2x V100", "gpus": 2, "nodes": 1, "links": "x16",
    "software": "NCCL", "source": "a log", "notes": "", "collective": "sendrecv", "rows": [
    {"bytes": 8, "time_us": 10.98, "algbw_GBps": 0.0, "busbw_GBps": 0.0},
    {"bytes": "1 MB", "time_us": 61.5, "in_place_us": 60}]})");
  CHECK(table.machine == "2x V100");
  CHECK(table.ranks == 2);
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[1].place == "t:/rows/1");
  CHECK(table.rows[1].bytes == Bytes{1'000'000});
  CHECK(us(table.rows[0].out_of_place) == 10.98);
  CHECK(us(table.rows[1].in_place) == 60);
  CHECK(table.rows[0].collective == CollectiveKind::send_recv);
}

TEST_CASE("tables that cannot be read are refused at their place") {
  CHECK(refused("hello\n") ==
        R"(t: holds no row of nccl-tests; paste rows such as "1048576  262144  float  sum  -1  )"
        R"(61.50  17.05  25.57  0")");
  CHECK(refused("0 0 float sum -1 5.98 0.00 0.00 0\n") ==
        "t: holds no row of more than 0 bytes; give sizes and their times");
  CHECK(refused("4096 1024 float sum -1 0.00 0.00 0.00 0\n") ==
        "t:1: a time of 0; write one above 0, or leave the row out");
  CHECK(refused("# Collective test starting: al_reduce_perf\n4096 1024 float sum -1 9 0 0 0\n") ==
        R"(t:2: unknown collective "al_reduce"; did you mean "allreduce"?)");
  CHECK(refused("size,time\n4096,fast\n") ==
        "t:2: \"fast\" is no time; write a number such as 61.5");
  CHECK(refused("size,time\n4096,-1\n") ==
        "t:2: a time of -1; write one above 0, or leave the row out");
  CHECK(refused("size,time\n4 kilo,1\n").starts_with("t:2: "));
  CHECK(refused(R"({"rows": [{"bytes": 8}]})") ==
        "t:/rows/0: \"time_us\" is missing; add \"time_us\": 61.5");
  CHECK(refused(R"({"rows": [{"bytes": 8, "time_us": 0}]})") ==
        "t:/rows/0/time_us: a time of 0; write one above 0, or leave the row out");
  CHECK(refused(R"({"rows": [], "colour": 1})").starts_with("t:/colour: "));
}

}  // namespace syncsim::testing::measured_table_test
