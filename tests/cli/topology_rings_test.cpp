// `topology rings`: the rings of a machine, written for people and for NCCL.

#include <filesystem>

#include "tests/cli/refusals.h"

namespace syncsim::testing {
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

TEST_CASE("both forms are written to a file, and a run around them takes the same time") {
  const TemporaryFolder folder;
  const Json found = point_of({"--rates", "usable"}, folder.path());
  for (const std::string format : {"text", "nccl"}) {
    const Outcome outcome =
        syncsim(with(kRings, {"--format", format, "-o", format}), folder.path());
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out == "");
    const Json read = point_of({"--rates", "usable", "--rings", format}, folder.path());
    CHECK(read["time_ps"] == found["time_ps"]);
    CHECK(read["parameters"]["rings"].get<std::string>().starts_with(
        "0,3,2,1,5,6,7,4 x2; 0,1,3,7,5,4,6,2"));
  }
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
  refused({"--ranks", "0-8"}, "--ranks: rank 8 does not exist on dgx1v; use ranks 0 to 7");
  refused({"--ranks", "3", "--format", "nccl"},
          "--ranks: a single rank has no ring; choose two ranks at least");
}

}  // namespace syncsim::testing
