// syncsim calibrate: what it prints and writes, and what it refuses.

#include <filesystem>

#include "tests/cli/refusals.h"

namespace syncsim::testing::calibrate_test {
namespace {

// Of a ring on pcie_4gpu: 2 x 3/4 x bytes at 12 GB/s, and 6 steps of 4 us.
std::string table() {
  std::string text = "size,time,collective\n";
  for (const int bytes : {4'000, 40'000, 400'000, 4'000'000, 40'000'000})
    text += std::to_string(bytes) + "," + std::to_string(24 + bytes * 1.5 / 12e3) + ",allreduce\n";
  return text;
}

const Arguments kMachine = {"calibrate", "--topology", "pcie_4gpu"};
const Arguments kTable = with(kMachine, {"--strategy", "ring", "--from", "table.csv"});

struct Desk {
  TemporaryFolder folder;
  Desk() { folder.write("table.csv", table()); }
  Outcome run(const Arguments& arguments) const { return syncsim(arguments, folder.path()); }
};

}  // namespace

TEST_CASE("calibrate says figures before and after, points, and errors of both sets") {
  const Desk desk;
  const Outcome outcome = desk.run(kTable);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err == "");
  for (const char* part :
       {"pcie_4gpu: 2 figures fitted to 4 points, usable rates\n",
        "bandwidth of pcie                           12 GB/s          12 GB/s ",
        "latency of pcie                                0 ps        2.0000 us ",
        "kept, not to be told from the latency of pcie: overhead of pcie, 0 ps\n",
        "ring                                     400 kB     74.0000 us     74.0000 us     ",
        " %  held out\n",
        "\nfitted: 4 points, mean error 0.00 %, worst 0.00 %\nheld out: 1 point, mean error 0.00 "
        "%"})
    CHECK_MESSAGE(outcome.out.find(part) != outcome.out.npos, outcome.out);
}

TEST_CASE("times longer than a delay may be are fitted by rates") {
  const Desk desk;
  desk.folder.write("slow.csv", "size,time\n1048576,1e9\n2097152,2e9\n4194304,4e9\n");
  const Outcome outcome = desk.run(
      with(kMachine, {"--strategy", "ring", "--collective", "allreduce", "--from", "slow.csv"}));
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err == "");
  desk.folder.write("slow.csv", "size,time\n1048576,1e300\n");
  check_refused(desk.run(with(kMachine, {"--strategy", "ring", "--collective", "allreduce",
                                         "--from", "slow.csv"})),
                "slow.csv:2: a time of 1e+294 s; write at most 1e+06 s, or leave the row out");
}

TEST_CASE("the machine that calibrate writes runs as it says, with usable rates") {
  const Desk desk;
  const Json said = json_of(desk.run(with(kTable, {"-o", "mine.json", "--format", "json"})));
  CHECK(json_of(desk.run({"topology", "show", "mine.json", "--format", "json"}))["topology"] ==
        "pcie_4gpu");
  for (const Json& point : said["points"]) {
    const Outcome run =
        desk.run({"run", "--topology", "mine.json", "--strategy", "ring", "--rates", "usable",
                  "--bytes", std::to_string(point["bytes"].get<int>()) + " B", "--format", "json"});
    CHECK(json_of(run)["points"][0]["time_ps"] == point["simulated_ps"]);
  }
  const std::string source = Json::parse(read_text(desk.folder.path() + "/mine.json"))["source"];
  CHECK(
      source.ends_with("calibrated: bandwidth of pcie, latency of pcie fitted to 4 points of "
                       "table.csv, mean error 0.00 %, 0.00 % on 1 held out"));
  CHECK(said["source"] == source);
}

TEST_CASE("the same input gives the same output, also from standard input and by another path") {
  const Desk desk;
  const std::string first = desk.run(with(kTable, {"-o", "a.json"})).out;
  CHECK(desk.run(with(kTable, {"-o", "b.json"})).out == first);
  const std::string path = desk.folder.path();
  desk.run(with(kMachine, {"--strategy", "ring", "--from", path + "/table.csv", "-o", "c.json"}));
  CHECK(read_text(path + "/a.json") == read_text(path + "/b.json"));
  CHECK(read_text(path + "/a.json") == read_text(path + "/c.json"));
}

TEST_CASE("runs of execute are calibrated on as they are") {
  const Desk desk;
  const Outcome runs =
      desk.run({"execute", "--topology", "pcie_4gpu", "--strategy", "ring,distributed", "--bytes",
                "4 kB,400 kB", "--iterations", "2", "--format", "json"});
  desk.folder.write("runs.json", runs.out);
  const Json said = json_of(
      desk.run(with(kMachine, {"--from", "runs.json", "--above-line", "--format", "json"})));
  CHECK(said["points"].size() == 4);
  CHECK(said["fitted"]["points"] == 4);
  CHECK(said["held_out"]["mean_abs_error"] == nullptr);
}

TEST_CASE("--expect is a claim on what is held out: exit code 1 beyond it") {
  const Desk desk;
  CHECK(desk.run(with(kTable, {"--expect", "within 1 %"})).exit_code == 0);
  desk.folder.write("table.csv", table() + "400000,7400,allreduce\n400000,7400,allreduce\n");
  const Outcome outcome = desk.run(with(kTable, {"--expect", "within 5 %", "-o", "mine.json"}));
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.out.find("expected of what is held out: within 5.0 %: NO\n") != outcome.out.npos);
  CHECK(outcome.err ==
        "syncsim: the mean error of what is held out, 9900.00 %, is not within 5 %\n");
  CHECK(std::filesystem::exists(desk.folder.path() + "/mine.json"));
}

TEST_CASE("what calibrate cannot do is refused at its option, and nothing is written") {
  const Desk desk;
  const struct {
    Arguments arguments;
    const char* message;
  } lines[] = {
      {{"--by", "cable"}, R"(--by: unknown grouping "cable"; choose one of kind, link)"},
      {{"--fit", "latency,speed"},
       R"(--fit: unknown figure "speed"; choose one of bandwidth, latency, overhead, reduce, transit)"},
      {{"--hold-out", "1"},
       "--hold-out: every size would be held out; write 2 or more, or 0 for none"},
      {{"--hold-out", "few"}, R"(--hold-out: "few" is no whole number; write one from 0 to 1000)"},
      {{"--expect", "5 %"}, R"(--expect: "5 %" is no expectation; write such as "within 15 %")"},
      {{"--format", "csv"}, R"(--format: unknown format "csv"; choose one of json, text)"},
      {{"--strategy", "distributed"},
       "--strategy: several strategies for one table; name the one that ran"},
      {{"--from", "none.csv"}, "none.csv: there is no such file; name a file of measured times"},
      {{"--ranks", "0-7"}, "--ranks: rank 4 does not exist on pcie_4gpu; use ranks 0 to 3"}};
  for (const auto& line : lines) {
    CAPTURE(line.message);
    check_refused(desk.run(with(kTable, with(line.arguments, {"--out", "mine.json"}))),
                  line.message);
  }
  CHECK(!std::filesystem::exists(desk.folder.path() + "/mine.json"));
  check_refused(desk.run(with(kTable, {"-o", "table.csv"})),
                R"(-o: "table.csv" is what this command reads; name another file)");
  check_refused(desk.run({"calibrate", "--from", "table.csv"}),
                "--topology: a machine is needed; write such as: syncsim calibrate --topology "
                "pcie_4gpu --ranks 0,1 --strategy ring --from "
                "scenarios/measured/rtx4090-x2-all_reduce.json");
  check_refused(desk.run(kMachine), "calibrate: --from is required; see syncsim calibrate --help");
}

}  // namespace syncsim::testing::calibrate_test
