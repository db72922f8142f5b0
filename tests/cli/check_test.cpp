// `check`: verdicts, exit codes, directories.

#include <doctest/doctest.h>

#include "tests/cli/refusals.h"

namespace syncsim::testing::check_test {
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

TEST_CASE("a directory is read once: again by a link, by its name, by a file's") {
  const TemporaryFolder folder;
  folder.write("claims/good.json", claim("one GPU", "60 ms"));
  folder.write("elsewhere/other.json", claim("other", "60 ms"));
  std::filesystem::create_directory_symlink("../elsewhere", folder.path() + "/claims/linked");
  const Json json = json_of(syncsim(
      {"check", "claims", "claims/good.json", "elsewhere", "claims/../claims", "--format", "json"},
      folder.path()));
  REQUIRE(json["claims"].size() == 2);
  CHECK(json["claims"][1]["file"] == "claims/linked/other.json");
}

TEST_CASE("one wrong file among claims is refused by itself: the others are judged, exit code 2") {
  const TemporaryFolder folder;
  folder.write("claims/a.json", claim("a", "60 ms"));
  folder.write("claims/b.json", R"({"expect": []})");
  folder.write("claims/c.json", claim("c", "50 ms"));
  folder.write("claims/d.json", "{\"expect\"");
  const std::string b =
      "claims/b.json:/: \"topology\" is missing; add \"topology\", here, in every point or in the "
      "sweep";
  const std::string d = "claims/d.json:1:10: ";
  const auto check_as = [&](const std::string& format) {
    return syncsim({"check", "claims", "--format", format}, folder.path());
  };
  const Outcome text = check_as("text");
  CHECK(text.exit_code == 2);
  CHECK(text.out.ends_with("\n1 passed, 1 failed, 2 files refused\n"));
  CHECK(text.err.starts_with("syncsim: " + b + "\nsyncsim: " + d));
  const Json json = Json::parse(check_as("json").out);
  REQUIRE(json["errors"].size() == 2);
  CHECK(json["errors"][0]["file"] == "claims/b.json");
  CHECK(json["errors"][0]["place"] == "claims/b.json:/");
  CHECK(b.ends_with(json["errors"][0]["error"].get<std::string>()));
  CHECK(json["claims"].size() == 2);
  CHECK(check_as("github").out.find("::error file=claims/b.json,line=1,title=refused::" + b) !=
        std::string::npos);
  const std::string junit = check_as("junit").out;
  CHECK(junit.find("tests=\"4\" failures=\"1\" errors=\"2\"") != std::string::npos);
  CHECK(junit.find("<testsuite name=\"claims/d.json\" tests=\"1\"") != std::string::npos);
}

TEST_CASE("a file is refused for its first wrong point, its machine's file, its claims") {
  const TemporaryFolder folder;
  folder.write("a.json", R"({"topology": "pcie_4gpu", "strategy": "ring",
    "sweep": {"bytes": [64, 7, 9]}, "expect": [{"metric": "time", "at_most": "1 s"}]})");
  folder.write("b.json", R"({"topology": "./m.json", "strategy": "ring", "bytes": 64,
    "expect": [{"metric": "time", "at_most": "1 s"}]})");
  folder.write("m.json", R"({"nodes": 4})");
  folder.write("c.json", R"({"topology": "pcie_4gpu", "strategy": "ring", "bytes": 64,
    "expect": [{"metric": "phase.x.time", "at_most": "1 s"}]})");
  const Outcome outcome =
      syncsim({"check", "a.json", "b.json", "c.json", "--format", "json"}, folder.path());
  CHECK(outcome.exit_code == 2);
  const Json errors = Json::parse(outcome.out)["errors"];
  REQUIRE(errors.size() == 3);
  CHECK(errors[0]["place"] == "a.json:/sweep/bytes/1");
  CHECK(errors[1]["file"] == "b.json");
  CHECK(errors[1]["place"].get<std::string>().starts_with("./m.json:/"));
  CHECK(errors[2]["place"] == "c.json:/expect/0/metric");
}

TEST_CASE("one named file that is refused: the message, and what else was asked for") {
  const TemporaryFolder folder;
  folder.write("b.json", "{}");
  const Outcome text = syncsim({"check", "b.json", "--junit", "j.xml"}, folder.path());
  CHECK(text.exit_code == 2);
  CHECK(text.out == "");
  CHECK(read_text(folder.path() + "/j.xml").find("<error message=") != std::string::npos);
  const Outcome json = syncsim({"check", "b.json", "--format", "json"}, folder.path());
  CHECK(Json::parse(json.out)["errors"].size() == 1);
  CHECK(json.err == text.err);
}

TEST_CASE("other people's JSON in a directory is passed over, and told so on one line") {
  const TemporaryFolder folder;
  folder.write("claims/a.json", claim("a", "60 ms"));
  folder.write("claims/machine.json", R"({"nodes": [], "links": []})");
  folder.write("claims/list.json", "[1, 2]");
  folder.write("claims/plans/p.json", "{}");
  const Outcome outcome = syncsim({"check", "claims"}, folder.path());
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err ==
        "syncsim: passed over, no claims: claims/list.json, claims/machine.json, claims/plans\n");
  CHECK(outcome.out.ends_with("\n1 passed, 0 failed\n"));
  folder.write("others/package.json", R"({"name": "x"})");
  const Outcome none = syncsim({"check", "others"}, folder.path());
  CHECK(none.exit_code == 2);
  CHECK(none.err ==
        "syncsim: passed over, no claims: others/package.json\n"
        "syncsim: others: holds no claims; name a directory of claims\n");
}

TEST_CASE("links that lead nowhere are refused, each by itself") {
  const TemporaryFolder folder;
  folder.write("claims/a.json", claim("a", "60 ms"));
  std::filesystem::create_symlink("gone.json", folder.path() + "/claims/b.json");
  std::filesystem::create_symlink("c.json", folder.path() + "/claims/c.json");
  const Outcome outcome = syncsim({"check", "claims"}, folder.path());
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out.ends_with("\n1 passed, 0 failed, 2 files refused\n"));
  CHECK(outcome.err.starts_with("syncsim: claims/b.json: there is no such file; check the path\n"));
}

TEST_CASE("what is told does not depend on --jobs") {
  const TemporaryFolder folder;
  for (const char* name : {"a", "c", "e"})
    folder.write("claims/" + std::string(name) + ".json", claim(name, "60 ms"));
  folder.write("claims/b.json", R"({"topology": "pcie_4gpu", "strategy": "ring", "name": "sizes",
    "sweep": {"bytes": "4 kB..4 MB x2", "rates": ["line", "usable"]},
    "expect": [{"metric": "time", "at_most": "1 ms"},
               {"where": {"rates": "line"}, "metric": "time", "order": "increasing"},
               {"metric": "busiest_link.rate", "at_most": "16 GB/s"},
               {"metric": "link.gpu0>switch0.bytes", "at_least": "1 kB"}]})");
  folder.write("claims/d.json", R"({"topology": "pcie_4gpu", "strategy": "ring",
    "sweep": {"bytes": [64, 7, 9]}, "expect": [{"metric": "time", "at_most": "1 s"}]})");
  const auto check_with = [&](const std::string& jobs) {
    return syncsim({"check", "claims", "--jobs", jobs}, folder.path());
  };
  const Outcome serial = check_with("1");
  CHECK(serial.exit_code == 2);
  CHECK(serial.out.ends_with("\n64 passed, 0 failed, 1 file refused\n"));
  for (const char* jobs : {"2", "5"}) {
    const Outcome parallel = check_with(jobs);
    CHECK(parallel.out == serial.out);
    CHECK(parallel.err == serial.err);
    CHECK(parallel.exit_code == serial.exit_code);
  }
  check_refused(check_with("0"), "--jobs: \"0\" is out of range; write one from 1 to 4096");
}

TEST_CASE("a point that needs more than its share of the memory runs alone") {
  const TemporaryFolder folder;
  folder.write("c.json", R"({"topology": "pcie_4gpu", "strategy": "ring", "bytes": "160 MB",
    "sweep": {"seed": [1, 2, 3]}, "expect": [{"metric": "time", "at_most": "1 s"}]})");
  const auto check_with = [&](const std::string& memory) {
    return syncsim({"check", "c.json", "--jobs", "4", "--memory", memory}, folder.path());
  };
  CHECK(check_with("12 MB").exit_code == 0);
  CHECK(check_with("5 MB").err.find("needs about 5.0 MB") != std::string::npos);
}

TEST_CASE("the shipped claims hold") {
  const Outcome outcome = syncsim({"check", "scenarios/claims", "--format", "json"});
  CHECK(outcome.exit_code == 0);
  const Json json = json_of(outcome);
  CHECK(json["failed"] == 0);
  CHECK(json["passed"] == json["claims"].size());
  CHECK(json["claims"].size() >= 53);
}

}  // namespace syncsim::testing::check_test
