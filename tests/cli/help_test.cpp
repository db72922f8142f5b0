// --help, --version and list.

#include <doctest/doctest.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "tests/cli/program.h"

namespace syncsim::testing::help_test {
namespace {

// The first words of the lines below "Subcommands:".
std::vector<std::string> commands_below(const Arguments& family) {
  std::istringstream lines(syncsim(with(family, {"--help"})).out);
  std::vector<std::string> names;
  bool below = false;
  for (std::string line; std::getline(lines, line);) {
    std::string word;
    if (line.empty()) below = false;
    const bool goes_on = line.starts_with("   ");  // the description of the line before
    if (below && !goes_on && std::istringstream(line) >> word) names.push_back(word);
    below = below || line == "Subcommands:";
  }
  return names;
}

std::string example_of(const std::string& help) {
  const std::string heading = "Example:\n  ";
  const auto begin = help.find(heading);
  REQUIRE(begin != help.npos);
  return help.substr(begin + heading.size(),
                     help.find('\n', begin + heading.size()) - begin - heading.size());
}

Json list_json(const std::string& what) {
  return json_of(syncsim({"list", what, "--format", "json"})).at(what);
}

std::set<std::string> names_in(const Json& entries) {
  std::set<std::string> names;
  for (const Json& entry : entries) names.insert(entry["name"].get<std::string>());
  return names;
}

// Runs a line of help in a folder of its own, beside the shipped files: it may write.
Outcome run_example(const std::string& example) {
  const TemporaryFolder folder;
  for (const char* shipped : {"topologies", "scenarios"})
    std::filesystem::create_symlink(std::string(SYNCSIM_SOURCE_DIR) + "/" + shipped,
                                    folder.path() + "/" + shipped);
  const std::string bin = std::filesystem::path(SYNCSIM_BINARY).parent_path().string();
  return run_program({"/bin/sh", "-c", "PATH=\"" + bin + ":$PATH\"; " + example}, folder.path());
}

// Its help has an example, and that works.
void check_help(const Arguments& command) {
  const Outcome help = syncsim(with(command, {"--help"}));
  CHECK(help.exit_code == 0);
  CHECK(help.err == "");
  const std::string example = example_of(help.out);
  CHECK((example + " ").starts_with("syncsim " + command[0] + " "));
  const Outcome run = run_example(example);
  CHECK(run.exit_code == 0);
  CHECK(run.err == "");
  CHECK(run.out != "");
}

using Names = std::set<std::string>;

}  // namespace

TEST_CASE("every command has help on stdout with an example, and the example works") {
  const std::vector<std::string> names = commands_below({});
  REQUIRE(names.size() >= 3);
  for (const std::string& name : names) {
    CAPTURE(name);
    check_help({name});
  }
}

TEST_CASE("so has the program itself") {
  const std::string example = example_of(syncsim({"--help"}).out);
  CHECK(example.starts_with("syncsim "));
  const Outcome run = run_example(example);
  CHECK(run.exit_code == 0);
  CHECK(run.out != "");
}

TEST_CASE("list alone says what can be listed, and each of them can") {
  const Json lists = json_of(syncsim({"list", "--format", "json"}))["lists"];
  CHECK(names_in(lists) == Names{"collectives", "datatypes", "executors", "formats", "kinds",
                                 "models", "profiles", "strategies", "suspects", "topologies"});
  const Outcome text = syncsim({"list"});
  CHECK(text.exit_code == 0);
  CHECK(text.err == "");
  for (const Json& entry : lists) {
    const std::string name = entry["name"];
    CHECK(entry["description"] != "");
    CHECK(text.out.find(name + " ") != text.out.npos);
    CHECK(!list_json(name).empty());
  }
}

TEST_CASE("so has every topology command") {
  const std::vector<std::string> names = commands_below({"topology"});
  REQUIRE(names.size() >= 4);
  for (const std::string& name : names) {
    CAPTURE(name);
    if (name == "import" || name == "draw") continue;  // their examples need or write a file
    check_help({"topology", name});
  }
}

TEST_CASE("the version is the project's") {
  const Outcome outcome = syncsim({"--version"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err == "");
  CHECK(outcome.out == "syncsim " SYNCSIM_VERSION "\n");
}

TEST_CASE("every list says name and description, sorted, the same as text and as JSON") {
  for (const char* what : {"strategies", "collectives", "topologies", "models", "kinds", "profiles",
                           "executors", "formats", "datatypes", "suspects"}) {
    CAPTURE(what);
    const Json entries = list_json(what);
    REQUIRE(entries.size() > 0);
    const Outcome text = syncsim({"list", what});
    CHECK(text.exit_code == 0);
    CHECK(text.err == "");
    std::string previous;
    std::size_t at = 0;
    for (const Json& entry : entries) {
      const auto name = entry["name"].get<std::string>();
      CHECK(previous < name);
      CHECK(entry["description"].get<std::string>() != "");
      at = text.out.find(name + " ", at);
      CHECK_MESSAGE(at != text.out.npos, name);
      previous = name;
    }
  }
}

TEST_CASE("the lists hold what the contract names") {
  CHECK(names_in(list_json("collectives")) == Names{"all-gather", "all-to-all", "allreduce",
                                                    "barrier", "broadcast", "gather", "reduce",
                                                    "reduce-scatter", "scatter", "send-recv"});
  CHECK(names_in(list_json("datatypes")) ==
        Names{"bfloat16", "float16", "float32", "float64", "int32", "int64", "int8"});
  CHECK(names_in(list_json("strategies")).contains("ring"));
  CHECK(names_in(list_json("executors")).contains("simulated"));
  CHECK(names_in(list_json("profiles")).contains("volta"));
}

TEST_CASE("formats are listed with what they are for") {
  for (const Json& entry : list_json("formats"))
    if (entry["name"] == "json")
      CHECK(entry["description"] ==
            "report: one JSON object with a list of points; "
            "check: one JSON object with a list of claims; "
            "export: a topology file, which reads back as the same machine");
  CHECK(names_in(list_json("formats")).contains("text"));
}

TEST_CASE("the topologies listed are the files on the shelf") {
  Names files;
  for (const auto& entry : std::filesystem::directory_iterator(SYNCSIM_SHELF))
    if (entry.path().extension() == ".json" && entry.path().stem().extension().empty())
      files.insert(entry.path().stem().string());
  CHECK(names_in(list_json("topologies")) == files);
}

TEST_CASE("strategies are listed with their parameters and defaults") {
  for (const Json& entry : list_json("strategies")) {
    if (entry["name"] != "central_gpu") continue;
    REQUIRE(entry["parameters"].size() == 2);
    CHECK(entry["parameters"][0].dump() ==
          R"({"name":"root","default":"auto",)"
          R"("description":"rank that aggregates; auto: the collective's root"})");
    CHECK(entry["parameters"][1]["name"] == "order");
    return;
  }
  FAIL("central_gpu is not listed");
}

}  // namespace syncsim::testing::help_test
