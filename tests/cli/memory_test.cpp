// Sizes that would exhaust memory are refused with their figure; and what happens where they are
// not.

#include "tests/cli/refusals.h"

namespace syncsim::testing::memory_test {
namespace {

std::string star(int gpus) {
  return R"({"kind": "star", "gpus": )" + std::to_string(gpus) +
         R"(, "link": {"kind": "nvlink", "bandwidth": "16 GB/s"}})";
}

}  // namespace

TEST_CASE("--memory refuses a schedule that needs more, before it is emitted") {
  const TemporaryFolder folder;
  folder.write("m.json", star(1024));
  const Arguments run = {"run", "--topology", "m.json", "--strategy", "ring", "--bytes", "160 MB"};
  check_refused(syncsim(with(run, {"--memory", "100 MB"}), folder.path()),
                "--ranks: ring on 1024 ranks needs about 170 MB (2.1 M transfers), --memory allows "
                "100 MB; use fewer ranks or chunks, or allow more with --memory");
  check_refused(syncsim(with(run, {"--memory", "100"}), folder.path()),
                R"(--memory: "100" has no unit; write "100 MB")");
}

TEST_CASE("more transfers than a schedule holds are refused whatever the memory") {
  const TemporaryFolder folder;
  folder.write("m.json", star(65536));
  check_refused(syncsim({"run", "--topology", "m.json", "--strategy", "distributed", "--bytes",
                         "160 MB", "--memory", "1000 TB"},
                        folder.path()),
                "--ranks: distributed on 65536 ranks makes 8.6 G transfers (about 2.2 TB), more "
                "than the 2147483647 ops that a schedule holds; use fewer ranks or chunks");
}

TEST_CASE("flows are estimated by their file's size") {
  const TemporaryFolder folder;
  folder.write("m.json", star(4));
  std::string text = "start,source,destination,bytes\n";
  for (int flow = 0; flow < 10'000; ++flow) text += "0,gpu0,gpu1,1 MB\nx";
  folder.write("f.csv", text);  // its third line is wrong, and never read
  check_refused(
      syncsim({"flows", "--topology", "m.json", "--flows", "f.csv", "--memory", "6 MB"},
              folder.path()),
      "f.csv: a replay of 10 k flows needs about 8.9 MB, --memory allows 6.0 MB; split the traffic "
      "into smaller files, or allow more with --memory");
}

TEST_CASE("check refuses too, at the claim's place") {
  const TemporaryFolder folder;
  folder.write("c.json", R"({"topology": "pcie_4gpu", "strategy": "ring", "bytes": "160 MB",
    "expect": [{"metric": "time", "at_most": "1 s"}]})");
  check_refused(syncsim({"check", "c.json", "--memory", "5 MB"}, folder.path()),
                "c.json:/topology: a run on this machine needs about 5.0 MB (6 nodes), --memory "
                "allows 5.0 MB; take a smaller one, or allow more with --memory");
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;  // which reserves more than any limit here
#else
constexpr bool kSanitized = false;
#endif

TEST_CASE("memory that runs out all the same ends in one line" * doctest::skip(kSanitized)) {
  const TemporaryFolder folder;
  folder.write("m.json", star(1024));
  const Outcome outcome = run_program(
      {"/bin/sh", "-c",
       "ulimit -v 120000; exec \"$0\" run --topology m.json --strategy ring --bytes '160 MB' "
       "--memory '1 TB'",
       SYNCSIM_BINARY},
      folder.path());
  check_refused(outcome, "out of memory; ask for fewer ranks, chunks or points");
}

TEST_CASE("what the system leaves to the process is its limit" * doctest::skip(kSanitized)) {
  const TemporaryFolder folder;
  folder.write("m.json", star(1024));
  const Outcome outcome = run_program(
      {"/bin/sh", "-c",
       "ulimit -v 150000; exec \"$0\" run --topology m.json --strategy ring --bytes '160 MB'",
       SYNCSIM_BINARY},
      folder.path());
  CHECK(outcome.exit_code == 2);
  CHECK(
      outcome.err.starts_with("syncsim: --ranks: ring on 1024 ranks needs about 170 MB (2.1 M "
                              "transfers), this machine has 1"));
}

}  // namespace syncsim::testing::memory_test
