// `check`: verdicts, exit codes, directories.

#include <doctest/doctest.h>

#include "tests/cli/program.h"

namespace syncsim::testing {
namespace {

// Aggregation on one GPU takes 60 ms.
std::string claim(const std::string& name, const std::string& time) {
  return R"({"name": ")" + name +
         R"(", "topology": "pcie_4gpu", "strategy": "central_gpu", "bytes": "160 MB",
             "source": "the textbook",
             "expect": [{"metric": "time", "value": ")" +
         time + R"(", "tolerance": "0.1 %"}]})";
}

}  // namespace

TEST_CASE("a claim that holds: exit code 0") {
  const TemporaryFolder folder;
  folder.write("good.json", claim("one GPU", "60 ms"));
  const Outcome outcome = syncsim({"check", "good.json"}, folder.path());
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err == "");
  CHECK(outcome.out == read_text(SYNCSIM_SOURCE_DIR "/tests/golden/check_good.txt"));
}

TEST_CASE("one claim of two fails: both are told, exit code 1") {
  const TemporaryFolder folder;
  folder.write("bad.json", claim("hoped for", "50 ms"));
  folder.write("good.json", claim("one GPU", "60 ms"));
  const Outcome outcome = syncsim({"check", "bad.json", "good.json"}, folder.path());
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.err == "");
  CHECK(outcome.out == read_text(SYNCSIM_SOURCE_DIR "/tests/golden/check_bad.txt"));
}

TEST_CASE("as JSON, claims carry figures, and passed and failed are counted") {
  const TemporaryFolder folder;
  folder.write("bad.json", claim("hoped for", "50 ms"));
  folder.write("good.json", claim("one GPU", "60 ms"));
  const Outcome outcome =
      syncsim({"check", "--format", "json", "bad.json", "good.json"}, folder.path());
  CHECK(outcome.exit_code == 1);
  const Json json = json_of(outcome);
  CHECK(json["passed"].dump() == "1");
  CHECK(json["failed"].dump() == "1");
  REQUIRE(json["claims"].size() == 2);
  const Json& bad = json["claims"][0];
  CHECK(bad["file"] == "bad.json");
  CHECK(bad["name"] == "hoped for");
  CHECK(bad["metric"] == "time");
  CHECK(bad["expected"] == "50 ms");
  CHECK(bad["actual"] == "60.0000 ms");
  CHECK(bad["deviation"].get<double>() == doctest::Approx(0.2).epsilon(1e-12));
  CHECK(bad["passed"] == false);
  CHECK(json["claims"][1]["deviation"] == 0.0);
  CHECK(json["claims"][1]["passed"] == true);
}

TEST_CASE("a directory means all its .json files, sorted, without models and measured tables") {
  const TemporaryFolder folder;
  folder.write("claims/b.json", claim("b", "60 ms"));
  folder.write("claims/a/deep.json", claim("deep", "60 ms"));
  folder.write("claims/c.json", claim("c", "60 ms"));
  folder.write("claims/notes.txt", "no JSON");
  folder.write("claims/models/model.json", "no claim");
  folder.write("claims/measured/table.json", "no claim");
  const Json json = json_of(syncsim({"check", "claims", "--format", "json"}, folder.path()));
  std::string files;
  for (const Json& entry : json["claims"]) files += entry["file"].get<std::string>() + " ";
  CHECK(files == "claims/a/deep.json claims/b.json claims/c.json ");
}

TEST_CASE("a directory that leads back to itself is read once") {
  const TemporaryFolder folder;
  folder.write("claims/good.json", claim("one GPU", "60 ms"));
  std::filesystem::create_directory_symlink(".", folder.path() + "/claims/again");
  const Outcome outcome = syncsim({"check", "claims", "--format", "json"}, folder.path());
  CHECK(outcome.exit_code == 0);
  CHECK(json_of(outcome)["passed"] == 1);
}

TEST_CASE("one wrong file among claims is bad input, not a verdict") {
  const TemporaryFolder folder;
  folder.write("claims/a.json", claim("a", "60 ms"));
  folder.write("claims/b.json", "{}");
  const Outcome outcome = syncsim({"check", "claims"}, folder.path());
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out == "");
  CHECK(outcome.err ==
        "syncsim: claims/b.json:/: \"topology\" is missing; add \"topology\", here, in every point "
        "or in the sweep\n");
}

TEST_CASE("the shipped claims hold") {
  const Outcome outcome = syncsim({"check", "scenarios/claims", "--format", "json"});
  CHECK(outcome.exit_code == 0);
  const Json json = json_of(outcome);
  CHECK(json["failed"] == 0);
  CHECK(json["passed"] == json["claims"].size());
  CHECK(json["claims"].size() >= 53);
}

}  // namespace syncsim::testing
