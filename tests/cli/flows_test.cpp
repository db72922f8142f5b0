// `flows`: the summary, every flow as CSV, and what it refuses.

#include <filesystem>

#include "tests/cli/refusals.h"

namespace syncsim::testing::flows_test {
namespace {

// On pcie_4gpu, of 16 GB/s links: 2 ms in halves, then 1 ms alone; 1 ms elsewhere.
constexpr const char* kThree =
    "start,source,destination,bytes\n"
    "0,gpu0,gpu1,16 MB\n"
    "0,gpu0,gpu2,32 MB\n"
    "1 ms,cpu0,gpu3,16000000\n";

constexpr const char* kThreeFinished =
    "index,start,source,destination,bytes,via,weight,finish,fct,finish_ps,fct_ps\n"
    "0,0.000000000000,gpu0,gpu1,16000000,,1,0.002000000000,0.002000000000,2000000000,2000000000\n"
    "1,0.000000000000,gpu0,gpu2,32000000,,1,0.003000000000,0.003000000000,3000000000,3000000000\n"
    "2,0.001000000000,cpu0,gpu3,16000000,,1,0.002000000000,0.001000000000,2000000000,1000000000\n";

const Arguments kCommand = {"flows", "--topology", "pcie_4gpu", "--flows", "f.csv"};

// A folder with f.csv in it.
struct Desk {
  explicit Desk(const char* flows = kThree) { folder.write("f.csv", flows); }
  Outcome run(const Arguments& more = {}) const {
    return syncsim(with(kCommand, more), folder.path());
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(std::filesystem::directory_iterator(folder.path()), {}));
  }

  TemporaryFolder folder;
};

}  // namespace

TEST_CASE("a summary to read") {
  const Outcome outcome = Desk().run({"--audit"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err == "");
  CHECK("\n" + outcome.out == R"(
pcie_4gpu: 3 flows from f.csv, line rates
bytes          64 MB
makespan       3.0000 ms (from 0 ps to 3.0000 ms)
mean FCT       2.0000 ms
median FCT     2.0000 ms
p99 FCT        3.0000 ms
max FCT        3.0000 ms
mean slowdown  1.5000 times the flow alone on its route
busiest link   gpu0>switch0 carries 16 GB/s of 16 GB/s (100.0 %)
)");
}

TEST_CASE("what differs from the defaults stands in the heading") {
  const Outcome outcome = Desk("start,source,destination,bytes\n1 us,gpu0,gpu0,5\n")
                              .run({"--edit", "link:gpu0-switch0 bandwidth=8 GB/s", "--overhead",
                                    "5 us", "--seed", "7", "--rates", "usable"});
  CHECK(outcome.err == "");
  CHECK("\n" + outcome.out == R"(
pcie_4gpu: 1 flow from f.csv, usable rates
  edit: link:gpu0-switch0 bandwidth=8 GB/s
  overhead: 5 us
  seed: 7
bytes          5 B
makespan       5.0000 us (from 1.0000 us to 6.0000 us)
mean FCT       5.0000 us
median FCT     5.0000 us
p99 FCT        5.0000 us
max FCT        5.0000 us
mean slowdown  1.0000 times the flow alone on its route
busiest link   none
)");
}

TEST_CASE("the summary as JSON: times are whole picoseconds") {
  const Json json = json_of(Desk().run({"--format", "json"}));
  CHECK(json.dump() ==
        R"({"topology":"pcie_4gpu","edits":[],"file":"f.csv","rates":"line","overhead_us":0.0,)"
        R"("seed":0,"flows":3,"bytes":64000000,"first_start_ps":0,"last_finish_ps":3000000000,)"
        R"("makespan_ps":3000000000,"mean_fct_ps":2000000000,"median_fct_ps":2000000000,)"
        R"("p99_fct_ps":3000000000,"max_fct_ps":3000000000,"mean_slowdown":1.5,)"
        R"("busiest_link":{"link":"gpu0-switch0","direction":"gpu0>switch0","GBps":16.0,)"
        R"("utilization":1.0},"events":[]})");
}

TEST_CASE("every flow as CSV, on standard output or in a file") {
  const Desk desk;
  CHECK(desk.run({"--format", "csv"}).out == kThreeFinished);
  const Outcome outcome = desk.run({"--out", "out.csv"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out == desk.run().out);
  CHECK(read_text(desk.folder.path() + "/out.csv") == kThreeFinished);
  CHECK(desk.files() == 2);
}

TEST_CASE("flows come from standard input as well, and a result can be replayed") {
  const Desk desk;
  const Outcome outcome =
      run_program({"/bin/sh", "-c",
                   "\"$0\" flows --topology pcie_4gpu --flows - --format csv < f.csv | "
                   "\"$0\" flows --topology pcie_4gpu --flows - --format csv",
                   SYNCSIM_BINARY},
                  desk.folder.path());
  CHECK(outcome.err == "");
  CHECK(outcome.out == kThreeFinished);
}

TEST_CASE("an output over the input is refused, and the input stays") {
  const Desk desk;
  const std::string before = read_text(desk.folder.path() + "/f.csv");
  CHECK(desk.run({"--out", "f.csv"}).exit_code == 2);
  CHECK(read_text(desk.folder.path() + "/f.csv") == before);
}

TEST_CASE("a run beside background traffic, said on the command line") {
  const Desk desk("start,source,destination,bytes\n0,gpu0,gpu1,16 MB\n");
  const Arguments command = {"run",     "--topology", "pcie_4gpu",    "--strategy", "ring",
                             "--bytes", "64 MB",      "--background", "f.csv",      "--audit"};
  const Json point =
      json_of(syncsim(with(command, {"--format", "json"}), desk.folder.path()))["points"][0];
  // six steps of 1 ms; the first over gpu0's link takes 2 ms beside 16 MB at half rate
  CHECK(point["time_ps"] == 7'000'000'000);
  CHECK(point["background"].dump() == R"({"file":"f.csv","flows":1})");
  CHECK(point["bound_us"] == 6'000.0);
  const std::string text = syncsim(command, desk.folder.path()).out;
  CHECK(text.find("\n  background: f.csv, 1 flow; lower bounds leave it out\n") != text.npos);
}

TEST_CASE("what flows refuses, in one line") {
  const Desk desk;
  const auto refused = [&](const Arguments& arguments, const std::string& message) {
    CAPTURE(message);
    check_refused(syncsim(arguments, desk.folder.path()), message);
  };
  refused({"flows"}, "flows: --topology is required; see syncsim flows --help");
  refused({"flows", "--topology", "pcie_4gpu"},
          "flows: --flows is required; see syncsim flows --help");
  refused({"flows", "--topology", "pcie_5gpu", "--flows", "f.csv"},
          R"(--topology: unknown topology "pcie_5gpu"; did you mean "pcie_4gpu"?)");
  refused(
      {"flows", "--topology", "pcie_4gpu", "--flows", "g.csv"},
      R"(--flows: "g.csv" cannot be read: No such file or directory; name a CSV file of flows)");
  refused({"flows", "--topology", "pcie_4gpu", "--flows", "."},
          R"(--flows: "." is a directory; name a CSV file of flows)");
  refused({"flows", "--topology", "pcie_4gpu", "--flows", "-"},
          "standard input: is empty; begin it with the line start,source,destination,bytes");
  refused({"flows", "--topology", "mi250", "--flows", "f.csv"},
          R"(f.csv:4:source: unknown node "cpu0"; did you mean "gpu0"?)");
  refused(with(kCommand, {"--format", "xml"}),
          R"(--format: unknown format "xml"; choose one of csv, json, text)");
  refused(with(kCommand, {"--rates", "lin"}),
          R"(--rates: unknown rates "lin"; did you mean "line"?)");
  refused(with(kCommand, {"--overhead", "5"}), R"(--overhead: "5" has no unit; write "5 us")");
  refused(with(kCommand, {"--overhead", "2 s"}),
          "--overhead: 2 s is too long for a latency or an overhead; write at most 1 s");
  refused(with(kCommand, {"--seed", "x"}),
          R"(--seed: "x" is no whole number; write one from 0 to 4294967295)");
  refused(with(kCommand, {"--edit", "remov node:gpu0"}),
          R"(--edit: edit "remov node:gpu0": unknown edit "remov"; did you mean "remove"?)");
  refused(with(kCommand, {"--edit", "remove node:gpu3"}),
          R"(f.csv:4:destination: unknown node "gpu3"; did you mean "gpu0"?)");
  refused(with(kCommand, {"--ouy", "x"}), R"(unknown option "--ouy"; did you mean "--out"?)");
  refused(with(kCommand, {"--out", "no/out.csv"}),
          R"(--out: "no/out.csv" cannot be written: No such file or directory; )"
          "check the path, its permissions and the disk");
  refused(with(kCommand, {"--out", "/dev/full"}),
          R"(--out: "/dev/full" cannot be written: No space left on device; )"
          "check the path, its permissions and the disk");
  refused({"run", "--topology", "pcie_4gpu", "--strategy", "ring", "--bytes", "4 B", "--background",
           "g.csv"},
          R"(--background: "g.csv" cannot be read: No such file or directory; )"
          "name a CSV file of flows");
  refused({"run", "--topology", "pcie_4gpu", "--strategy", "ring", "--bytes", "4 B", "--background",
           ""},
          "--background: the path is empty; name a CSV file of flows");
  CHECK(desk.files() == 1);
}

TEST_CASE("a failure leaves what --out named as it was") {
  const Desk desk("start,source,destination,bytes\n0,gpu0,gpu1,x\n");
  desk.folder.write("out.csv", "old");
  check_refused(desk.run({"--out", "out.csv"}),
                R"(f.csv:2:bytes: "x" does not begin with a number; write "16 MB")");
  CHECK(read_text(desk.folder.path() + "/out.csv") == "old");
  CHECK(desk.files() == 2);
}

}  // namespace syncsim::testing::flows_test
