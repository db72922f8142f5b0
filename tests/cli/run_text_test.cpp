// What `run` prints for people, compared whole with tests/golden, and what it does not depend on.

#include <doctest/doctest.h>

#include "tests/cli/program.h"

namespace syncsim::testing::run_text_test {
namespace {

std::string golden(const std::string& name) {
  return read_text(SYNCSIM_SOURCE_DIR "/tests/golden/" + name);
}

void check_golden(const std::string& name, const Arguments& arguments) {
  const Outcome outcome = syncsim(arguments);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err == "");
  CHECK(outcome.out == golden(name));
}

const Arguments kTextbook = {"run",
                             "--topology",
                             "pcie_4gpu",
                             "--bytes",
                             "160 MB",
                             "--strategy",
                             "central_cpu,central_gpu,distributed,ring"};

// Of the only point of a run.
std::int64_t picoseconds(const Arguments& arguments, const std::string& directory) {
  const Json json = json_of(syncsim(with(arguments, {"--format", "json"}), directory));
  REQUIRE(json["points"].size() == 1);
  return json["points"][0]["time_ps"].get<std::int64_t>();
}

}  // namespace

TEST_CASE("the textbook's four ways on the PCIe server, as text") {
  check_golden("run_pcie_4gpu.txt", kTextbook);
}

TEST_CASE("the textbook's four ways on the PCIe server, as text with every link") {
  check_golden("run_pcie_4gpu_links.txt", with(kTextbook, {"--links"}));
}

TEST_CASE("several sizes, changed parameters and edits, as text") {
  check_golden("run_edited.txt",
               {"run", "--topology", "pcie_4gpu", "--strategy", "ring", "--bytes", "4 B,1 MiB",
                "--param", "chunks=1", "--edit", "link:gpu0-switch0 bandwidth=8 GB/s", "--edit",
                "link:gpu0-switch0 latency=2 us"});
}

TEST_CASE("the same command gives the same bytes, from any directory") {
  const TemporaryFolder elsewhere;
  const Arguments command = {"run",      "--topology", "dgx1v", "--strategy", "ring",     "--bytes",
                             "1 MB,7 B", "--datatype", "int8",  "--links",    "--format", "json"};
  const Outcome first = syncsim(command);
  const Outcome second = syncsim(command, elsewhere.path());
  CHECK(first.exit_code == 0);
  CHECK(first.out.size() > 1000);
  CHECK(first.out == second.out);
}

TEST_CASE("half the bandwidth in the topology's file takes twice the time: 60 and 120 ms") {
  const TemporaryFolder folder;
  Json machine = shipped_machine("pcie_4gpu");
  Json& type = machine["link_types"]["pcie3_x16"];
  REQUIRE(type["bandwidth"] == "16 GB/s");
  folder.write("whole.json", machine.dump());
  type["bandwidth"] = "8 GB/s";
  type["usable"] = "6 GB/s";
  folder.write("half.json", machine.dump());
  const auto time_of = [&](const std::string& file) {
    return picoseconds({"run", "--topology", file, "--strategy", "central_gpu", "--bytes=160 MB"},
                       folder.path());
  };
  CHECK(time_of("whole.json") == 60'000'000'000);
  CHECK(time_of("half.json") == 120'000'000'000);
}

TEST_CASE("an edit on the command line says what the file would say") {
  const TemporaryFolder folder;
  folder.write("half.json",
               R"({"topology": "pcie_4gpu", "strategy": "central_gpu", "bytes": 160000000,
                   "edits": [{"kind": "pcie", "bandwidth": "8 GB/s"}]})");
  CHECK(picoseconds({"run", "half.json"}, folder.path()) == 120'000'000'000);
  CHECK(picoseconds({"run", "--topology", "pcie_4gpu", "--strategy", "central_gpu", "--bytes",
                     "160 MB", "--edit", "scale kind:pcie bandwidth 0.5"},
                    folder.path()) == 120'000'000'000);
}

TEST_CASE("a topology's path in a scenario is taken from the scenario's directory") {
  const TemporaryFolder folder;
  folder.write("machines/copy.json", shipped_machine("pcie_4gpu").dump());
  folder.write("questions/one.json",
               R"({"topology": "../machines/copy.json", "strategy": "ring", "bytes": "160 MB"})");
  CHECK(picoseconds({"run", "questions/one.json"}, folder.path()) == 15'000'000'000);
}

TEST_CASE("a result that cannot be written is an error") {
  const Outcome outcome =
      run_program({"/bin/sh", "-c", "exec \"$0\" list strategies > /dev/full", SYNCSIM_BINARY});
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.err ==
        "syncsim: the result cannot be written to standard output; check where it leads\n");
}

TEST_CASE("what differs from the defaults stands above the points") {
  const TemporaryFolder folder;
  folder.write("s.json", R"({"name": "slow links", "topology": "pcie_4gpu", "collective": "reduce",
    "bytes": "160 MB", "strategy": "central_gpu", "ranks": "2,0", "root": 1, "seed": 7,
    "overhead": "5 us", "reduction": "staged", "points": [{"name": "two of four"}]})");
  const Outcome outcome = syncsim({"run", "s.json", "--no-check"}, folder.path());
  CHECK(outcome.err == "");
  CHECK("\n" + outcome.out.substr(0, outcome.out.find("strategy")) == R"(
pcie_4gpu: reduce of float32, 2 ranks, line rates
  scenario: slow links
  point: two of four
  ranks: 2,0
  root: 1
  overhead: 5 us
  reduction: staged
  seed: 7
  not checked: the schedules may not compute the collective
)");
}

}  // namespace syncsim::testing::run_text_test
