// syncsim execute: real runs, their figures, and what is refused before they begin.

#include <algorithm>
#include <filesystem>

#include "tests/cli/child.h"
#include "tests/cli/refusals.h"

namespace syncsim::testing::execute_test {
namespace {

const Arguments kPoint = {"execute", "--topology", "pcie_4gpu", "--strategy",
                          "ring",    "--bytes",    "40 kB"};
const Arguments kExecute = with(kPoint, {"--iterations", "3"});

}  // namespace

TEST_CASE("execute prints what a run prints, measured, and says that the data is exact") {
  const Outcome outcome = syncsim(with(kExecute, {"--format", "json", "--threads", "3"}));
  CHECK(outcome.exit_code == 0);
  const Json point = json_of(outcome)["points"][0];
  CHECK(point["executor"] == "host");
  CHECK(point["data_correct"] == true);
  CHECK(point["wrong"] == nullptr);
  CHECK(point["workers"] == "3 threads");
  CHECK(point["warmup"] == 2);
  CHECK(point["iterations_us"].size() == 3);
  CHECK(point["measured_us"] == point["time_us"]);
  CHECK(point["simulated_us"] == 3.75);  // 2 x 3/4 x 40 kB at 16 GB/s
  const Json simulated = json_of(syncsim({"run", "--topology", "pcie_4gpu", "--strategy", "ring",
                                          "--bytes", "40 kB", "--format", "json"}))["points"][0];
  for (const auto& item : simulated.items()) CHECK_MESSAGE(point.contains(item.key()), item.key());
}

TEST_CASE("execute compares phase by phase and link by link") {
  const Outcome outcome = syncsim(with(kExecute, {"--compare", "--links"}));
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err == "");
  for (const char* part : {" exact\n", "\n  whole: measured ", "\n  phase ", "simulated 3.7500 us",
                           "\n  gpu0>switch0                             60000 "})
    CHECK_MESSAGE(outcome.out.find(part) != outcome.out.npos, outcome.out);
}

TEST_CASE("--expect is a claim: exit code 1 beyond it") {
  CHECK(syncsim(with(kExecute, {"--expect", "within 100000000 %"})).exit_code == 0);
  const Outcome outcome = syncsim(with(kExecute, {"--expect", "within 0 %"}));
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.out.find("expected within 0.0 % of the simulated 3.7500 us: NO") !=
        outcome.out.npos);
  CHECK(outcome.err.starts_with("syncsim: ring, 40 kB: measured "));
  CHECK(outcome.err.ends_with(" is not within 0 % of the simulated 3.7500 us\n"));
  CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
}

TEST_CASE("scenarios and plans are executed, and a plan that is wrong never begins") {
  const TemporaryFolder folder;
  folder.write("s.json", R"({"topology": "pcie_4gpu", "strategy": "central_cpu", "bytes": "4 kB",
    "collective": "reduce", "datatype": "int32", "sweep": {"root": [0, 3]}})");
  const Outcome scenario = syncsim({"execute", "s.json", "--format", "json"}, folder.path());
  CHECK(json_of(scenario)["points"].size() == 2);
  const Arguments point = {"--topology", "pcie_4gpu", "--bytes", "40 kB", "--strategy"};
  REQUIRE(
      syncsim(with(with({"plan"}, point), {"ring", "--out", "p.json"}), folder.path()).exit_code ==
      0);
  const Arguments planned = with(with({"execute"}, point), {"plan:p.json"});
  CHECK(syncsim(planned, folder.path()).exit_code == 0);
  Json plan = Json::parse(read_text(folder.path() + "/p.json"));
  plan["ops"].erase(3);
  folder.write("p.json", plan.dump());
  const Outcome refused = syncsim(planned, folder.path());
  CHECK(refused.exit_code == 2);
  CHECK(refused.out == "");
  CHECK(refused.err.starts_with("syncsim: p.json"));
}

TEST_CASE("what cannot be executed is refused at its option") {
  const struct {
    Arguments arguments;
    const char* message;
  } lines[] = {
      {{"--executor", "hots"}, R"(--executor: unknown executor "hots"; did you mean "host"?)"},
      {{"--iterations", "0"}, R"(--iterations: "0" is out of range; write one from 1 to 100000)"},
      {{"--threads", "many"}, R"(--threads: "many" is no whole number; write one from 0 to 1024)"},
      {{"--devices", "0"},
       "--devices: the host executor runs on no devices; leave it out, or choose --executor cuda"},
      {{"--executor", "cuda", "--devices", "0,x"},
       R"(--devices: "x" is no whole number; write one from 0 to 1023)"},
      {{"--expect", "15 %"}, R"(--expect: "15 %" is no expectation; write such as "within 15 %")"},
      {{"--expect", "within 15"}, R"(--expect: "15" has no unit; write "15 %")"}};
  for (const auto& line : lines) {
    CAPTURE(line.message);
    check_refused(syncsim(with(kPoint, line.arguments)), line.message);
  }
  check_refused(
      syncsim({"execute", "--topology", "pcie_4gpu", "--strategy", "ring", "--bytes", "40 GB",
               "--memory", "1 GB"}),
      "--bytes: a run on the host needs about 160 GB (the buffers of 4 participants), --memory "
      "allows 1.0 GB; use fewer ranks, less data or fewer iterations, or allow more with --memory");
  check_refused(syncsim({"run", "--topology", "pcie_4gpu", "--strategy", "ring", "--bytes", "4 kB",
                         "--executor", "host"}),
                "--executor: \"host\" runs schedules for real; use \"syncsim execute\" for that");
}

// A machine that has a GPU says something else: what is missing, or nothing.
TEST_CASE("without CUDA, a driver or a device the executors of GPUs say which") {
  for (const char* executor : {"cuda", "nccl"}) {
    const Outcome outcome = syncsim(with(kPoint, {"--executor", executor}));
    if (outcome.exit_code == 0) continue;
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out == "");
    CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
    CHECK_MESSAGE(outcome.err.starts_with("syncsim: --executor: "), outcome.err);
  }
  const TemporaryFolder folder;
  const Outcome import = syncsim({"topology", "import", "cuda", "-o", "m.json"}, folder.path());
  CHECK((import.exit_code == 0) == std::filesystem::exists(folder.path() + "/m.json"));
  if (import.exit_code != 0) CHECK_MESSAGE(import.err.starts_with("syncsim: cuda: "), import.err);
  check_refused(syncsim({"topology", "import", "cuda", "--ranks", "0"}),
                "--ranks: a machine has ranks; write at least 1");
  check_refused(syncsim({"topology", "import", "cuda", "--onto", "dgx_a100"}),
                "cuda: \"cuda\" is asked, not read; leave --format and --onto away");
}

TEST_CASE("the executors listed are those of both kinds, completed where they fit") {
  const Json executors = json_of(syncsim({"list", "executors", "--format", "json"}))["executors"];
  std::string names;
  for (const Json& executor : executors) names += executor["name"].get<std::string>() + " ";
  CHECK(names == "cuda host mpi nccl nccl_formula simulated ");
  const Arguments words = {"completion", "bash", "--"};
  CHECK(syncsim(with(words, {"execute", "--executor", "h"})).out == "host\n");
  CHECK(syncsim(with(words, {"execute", "--executor", ""})).out == "cuda\nhost\nmpi\nnccl\n");
  CHECK(syncsim(with(words, {"run", "--executor", ""})).out == "nccl_formula\nsimulated\n");
}

TEST_CASE("Ctrl-C ends a real run between two ops, and says where") {
  const TemporaryFolder folder;
  folder.write("s.json", R"({"topology": "pcie_4gpu", "strategy": "ring", "model":
    {"layers": 1, "bytes": "4 kB", "forward": "100 s", "backward": "100 s"}})");
  Child child(folder, {"execute", "s.json"});
  child.wait_until([&] { return std::filesystem::exists(folder.path() + "/stdout"); });
  child.wait_until([&] { return child.catches(SIGINT); });
  child.send(SIGINT);
  CHECK(child.exit_code() == 130);
  CHECK(child.err() == "syncsim: interrupted in point 1 of 1 (ring)\n");
}

}  // namespace syncsim::testing::execute_test
