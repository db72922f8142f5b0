// `topology rings`: the rings of a machine, written for people and for NCCL.

#include <filesystem>

#include "sim/base/text.h"
#include "tests/cli/refusals.h"
#include "tests/support/shelf.h"

namespace syncsim::testing::topology_rings_test {
namespace {

const Arguments kRings = {"topology", "rings", "dgx1v"};
const Arguments kRun = {"run",     "--topology", "dgx1v",    "--strategy", "ring",
                        "--bytes", "160 MB",     "--format", "json"};

Json point_of(const Arguments& more, const std::string& directory) {
  return json_of(syncsim(with(kRun, more), directory))["points"][0];
}

}  // namespace

TEST_CASE("the rings of a machine are those that the ring strategy runs on") {
  const Outcome outcome = syncsim(kRings);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out == "0,3,2,1,5,6,7,4 x2; 0,1,3,7,5,4,6,2\n");
  const Outcome run =
      syncsim({"run", "--topology", "dgx1v", "--strategy", "ring", "--bytes", "4 B"});
  CHECK(run.out.find("rings: 0,3,2,1,5,6,7,4 x2; 0,1,3,7,5,4,6,2\n") != std::string::npos);
  CHECK(syncsim(with(kRings, {"--ranks", "0,3,2,1", "--edit", "remove link:gpu0-gpu1"})).out ==
        "0,1,3,2\n");
}

TEST_CASE("both forms are written to a file, which a run takes as the same rings") {
  const TemporaryFolder folder;
  const auto read_back = [&](const Arguments& more) {
    const Outcome outcome = syncsim(with(kRings, with(more, {"-o", "rings"})), folder.path());
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out == "");
    return point_of({"--rings", "rings"}, folder.path())["parameters"]["rings"].get<std::string>();
  };
  const std::string one = "0,3,2,1,5,6,7,4 x2; 0,1,3,7,5,4,6,2";
  const std::string both =
      "0,3,2,1,5,6,7,4 x2; 0,4,7,6,5,1,2,3 x2; 0,1,3,7,5,4,6,2; 0,2,6,4,5,7,3,1";
  CHECK(trimmed(read_back({})) == one);
  CHECK(trimmed(read_back({"--directions", "both"})) == both);
  CHECK(read_back({"--format", "nccl"}) == both);
  CHECK(read_back({"--format", "nccl", "--directions", "one"}) == one);
}

TEST_CASE("rings read back take the time of those found, on every machine of up to 64 ranks") {
  const TemporaryFolder folder;
  for (const std::string& name : shelf_names(SYNCSIM_SHELF)) {
    if (testing::shelf(name).ranks().size() > 64) continue;
    CAPTURE(name);
    const Arguments run = {"run",     "--topology", name,       "--strategy", "ring",
                           "--bytes", "16 MB",      "--format", "json"};
    const auto time_of = [&](const Arguments& more) {
      return json_of(syncsim(with(run, more), folder.path()))["points"][0]["time_ps"].dump();
    };
    const std::string one = time_of({});
    for (const std::string format : {"text", "nccl"}) {
      const Outcome written = syncsim(
          {"topology", "rings", name, "--format", format, "--directions", "one", "-o", "rings"},
          folder.path());
      CHECK(written.exit_code == 0);
      CHECK(time_of({"--rings", "rings"}) == one);
    }
  }
}

TEST_CASE("by default a file for NCCL has both directions in one box, and one through several") {
  const auto channels = [](const std::string& machine, const Arguments& more) {
    const Arguments write = {"topology", "rings", machine, "--format", "nccl"};
    const std::string text = syncsim(with(write, more)).out;
    std::size_t count = 0;
    for (auto at = text.find("<channel>"); at != text.npos; at = text.find("<channel>", at + 1))
      ++count;
    return count;
  };
  CHECK(channels("dgx1v", {}) == 2 * 3);
  CHECK(channels("dgx1v", {"--ranks", "0,3"}) == 2);  // both cables, a ring each
  CHECK(channels("pcie_4gpu", {}) == 2);
  CHECK(channels("dgx_a100_x4", {}) == 8);  // a ring for each nic of a box
}

TEST_CASE("ranks in another order keep their GPUs in a file for NCCL") {
  const std::string text = syncsim(with(kRings, {"--ranks", "7,6", "--format", "nccl"})).out;
  CHECK(text.find("<gpu dev=\"7\" rank=\"0\"/>\n      <gpu dev=\"6\" rank=\"1\"/>") != text.npos);
}

TEST_CASE("what cannot be written is refused, and no file is left") {
  const TemporaryFolder folder;
  const auto refused = [&](const Arguments& more, const std::string& message) {
    CAPTURE(message);
    check_refused(syncsim(with(kRings, with(more, {"-o", "x"})), folder.path()), message);
    CHECK(std::filesystem::is_empty(folder.path()));
  };
  refused({"--format", "nccll"}, R"(--format: unknown format "nccll"; did you mean "nccl"?)");
  refused({"--directions", "bot"},
          R"(--directions: unknown directions "bot"; did you mean "both"?)");
  refused({"--ranks", "0-8"}, "--ranks: rank 8 does not exist on dgx1v; use ranks 0 to 7");
  refused({"--ranks", "3", "--format", "nccl"},
          "--ranks: a single rank has no ring; choose two ranks at least");
}

}  // namespace syncsim::testing::topology_rings_test
