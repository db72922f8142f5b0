// Files of flows: what is read, and what is refused, on a star of three gpus.

#include "sim/exec/traffic.h"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "tests/support/machines.h"
#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"

namespace syncsim::traffic_test {
namespace {

const Topology& machine() {
  static const Topology topology(testing::star(3));
  return topology;
}

Traffic read(const std::string& text) {
  std::istringstream input(text);
  return read_traffic(input, "f.csv", machine());
}

std::string refusal(const std::string& text) {
  return testing::refusal_of([&] { read(text); });
}

const std::string kHeader = "start,source,destination,bytes\n";

// The message for a line below the usual header, behind "f.csv:2".
std::string line_refusal(const std::string& line) {
  const std::string message = refusal(kHeader + line);
  const std::string place = "f.csv:2";
  return message.starts_with(place) ? message.substr(place.size()) : message;
}

std::string weight_refusal(const std::string& weight) {
  return refusal("start,source,destination,bytes,weight\n0,gpu0,gpu1,1," + weight);
}

}  // namespace

TEST_CASE("a flow has a start, two nodes and bytes, with units or bare") {
  const Traffic traffic = read(kHeader + "1.5 us,gpu0,gpu1,4 MiB\n0.25,switch0,gpu2,7\n");
  CHECK(traffic.file == "f.csv");
  CHECK(traffic.bytes == Bytes{4'194'311});
  REQUIRE(traffic.flows.size() == 2);
  const Flow& first = traffic.flows[0];
  CHECK(first.start == Time{1'500'000});
  CHECK(first.source == 0);
  CHECK(first.destination == 1);
  CHECK(first.bytes == Bytes{4'194'304});
  CHECK_FALSE(first.via.has_value());
  CHECK(first.weight == 1);
  CHECK(traffic.place(first) == "f.csv:2");
  const Flow& second = traffic.flows[1];
  CHECK(second.start == Time{250'000'000'000});
  CHECK(second.source == 3);
  CHECK(second.bytes == Bytes{7});
}

TEST_CASE("columns come in any order - via and weight may be empty") {
  const Traffic traffic = read(
      "weight,bytes,via,destination,source,start\n"
      "2.5,1,gpu2,gpu1,gpu0,1e-6\n"
      ",1,,gpu1,gpu0,0\n");
  REQUIRE(traffic.flows.size() == 2);
  CHECK(traffic.flows[0].start == Time{1'000'000});
  CHECK(traffic.flows[0].destination == 1);
  CHECK(traffic.flows[0].via == NodeId{2});
  CHECK(traffic.flows[0].weight == 2.5);
  CHECK_FALSE(traffic.flows[1].via.has_value());
  CHECK(traffic.flows[1].weight == 1);
}

TEST_CASE("CRLF, quotes, comments and blank lines do not matter") {
  const Traffic traffic = read(
      "# by hand\r\n\"start\", source ,destination,bytes\r\n\r\n"
      "\"1 us\", \"gpu0\" ,gpu1,\"2 kB\"\r\n# end");
  REQUIRE(traffic.flows.size() == 1);
  CHECK(traffic.flows[0].start == Time{1'000'000});
  CHECK(traffic.flows[0].bytes == Bytes{2'000});
  CHECK(traffic.flows[0].line == 4);
}

TEST_CASE("a file without flows is refused") {
  CHECK(refusal("") == "f.csv: is empty; begin it with the line start,source,destination,bytes");
  CHECK(refusal("# nothing\n\n") ==
        "f.csv: is empty; begin it with the line start,source,destination,bytes");
  CHECK(refusal(kHeader) == "f.csv: holds no flows; write one a line below the header");
}

TEST_CASE("a wrong header is refused at its line") {
  CHECK(refusal("start,source,destinaton,bytes\n") ==
        R"(f.csv:1: unknown column "destinaton"; did you mean "destination"?)");
  CHECK(refusal("# c\n0,gpu0,gpu1,5\n") ==
        R"(f.csv:2: unknown column "0"; )"
        "choose one of start, source, destination, bytes, via, weight");
  CHECK(refusal("start,source,bytes\n") ==
        R"(f.csv:1: column "destination" is missing; )"
        "begin the file with a line such as start,source,destination,bytes");
  CHECK(refusal("start,source,destination,bytes,start\n") ==
        R"(f.csv:1: column "start" stands twice; keep one of the two)");
  CHECK(refusal("start;source;destination;bytes\n") ==
        R"(f.csv:1: the columns are separated by ";"; separate them by commas)");
  CHECK(refusal("start\tsource\tdestination\tbytes\n") ==
        R"(f.csv:1: the columns are separated by "\t"; separate them by commas)");
}

TEST_CASE("a line has as many fields as the header") {
  CHECK(line_refusal("0,gpu0,gpu1") ==
        ":bytes: is missing: the line has 3 of 4 fields; write start,source,destination,bytes");
  CHECK(line_refusal("0,gpu0,gpu1,1,000") ==
        ": the line has 5 fields, the header 4; write start,source,destination,bytes; "
        "a field that holds a comma goes in quotes");
}

TEST_CASE("a wrong value is refused at its line and column") {
  CHECK(line_refusal("1 sec,gpu0,gpu1,1") ==
        R"(:start: "1 sec" has the unknown unit "sec"; use one of ps, ns, us, ms, s)");
  CHECK(line_refusal("-1,gpu0,gpu1,1") ==
        R"(:start: "-1" is negative; write a time without a sign)");
  CHECK(line_refusal(",gpu0,gpu1,1") == R"(:start: the time is empty; write "16 us")");
  CHECK(line_refusal("0.5 ps,gpu0,gpu1,1") ==
        R"(:start: "0.5 ps" is no whole number of picoseconds; round it to whole picoseconds)");
  CHECK(line_refusal("1e9,gpu0,gpu1,1") ==
        R"(:start: "1e9" seconds are too many; write at most "9223372" (about 106 days))");
  CHECK(line_refusal("0,gpux,gpu1,1") == R"(:source: unknown node "gpux"; did you mean "gpu0"?)");
  CHECK(line_refusal("0,gpu0,,1") == ":destination: is empty; name a node of the machine");
  CHECK(line_refusal("0,gpu0,gpu1,4 mib") ==
        R"(:bytes: "4 mib" has the unknown unit "mib"; did you mean "MiB"?)");
  CHECK(line_refusal("0,gpu0,gpu1,-4") ==
        R"(:bytes: "-4" is negative; write a size without a sign)");
  CHECK(line_refusal("0,gpu0,gpu1,1.5") == R"(:bytes: "1.5" has no unit; write "1.5 MB")");
  CHECK(line_refusal("0,gpu0,gpu1,9223372036854775808") ==
        R"(:bytes: "9223372036854775808" is out of range; )"
        "write one from 0 to 9223372036854775807");
}

TEST_CASE("a wrong via or weight is refused") {
  CHECK(refusal("via,start,source,destination,bytes\nswitch1,0,gpu0,gpu1,1") ==
        R"(f.csv:2:via: unknown node "switch1"; did you mean "switch0"?)");
  for (const char* weight : {"0", "-1", "1e7", "nan", "heavy", "1 x"})
    CHECK(weight_refusal(weight) ==
          "f.csv:2:weight: \"" + std::string(weight) +
              R"(" is no weight; write a number from 0.000001 to 1000000, such as "2" or "0.5")");
}

TEST_CASE("all flows together keep to 64 bits") {
  CHECK(refusal(kHeader + "0,gpu0,gpu1,9223372036854775807\n0,gpu0,gpu1,1") ==
        "f.csv:3: all flows together pass 2^63 - 1 bytes; send less");
}

TEST_CASE("a file that is missing or none is refused") {
  const testing::TemporaryFolder folder;
  CHECK(testing::refusal_of([] { load_traffic("no/such.csv", machine()); }) ==
        R"("no/such.csv" cannot be read: No such file or directory; name a CSV file of flows)");
  CHECK(testing::refusal_of([] { load_traffic("/dev", machine()); }) ==
        R"("/dev" is a directory; name a CSV file of flows)");
  const std::string path = folder.write("f.csv", kHeader + "0,gpu0,gpu1,1");
  CHECK(load_traffic(path, machine()).flows.size() == 1);
}

}  // namespace syncsim::traffic_test
