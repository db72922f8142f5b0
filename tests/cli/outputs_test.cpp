// Two outputs of a command, or an output and what is read, in one file.

#include <doctest/doctest.h>

#include <filesystem>

#include "tests/cli/refusals.h"

namespace syncsim::testing::outputs_test {
namespace {

const Arguments kRing = {"run", "--topology", "pcie_4gpu", "--strategy", "ring", "--bytes", "1 MB"};

Arguments drawn_to(const std::string& trace, const std::string& report) {
  return with(kRing, {"--trace", trace, "--report", report});
}

}  // namespace

TEST_CASE("a trace and a page in one file are refused, however its path is written") {
  const TemporaryFolder folder;
  folder.write("sub/x", "");
  folder.write("z.html", "as before");
  std::filesystem::create_symlink("z.html", folder.path() + "/link.html");
  std::filesystem::create_directory_symlink("sub", folder.path() + "/way");
  for (const auto& [trace, report] : {std::pair<std::string, std::string>("x.html", "x.html"),
                                      {"x.html", "./x.html"},
                                      {"sub/../x.html", "x.html"},
                                      {"x.html", folder.path() + "/x.html"},
                                      {"link.html", "z.html"},
                                      {"way/y.html", "sub/y.html"}}) {
    check_refused(syncsim(drawn_to(trace, report), folder.path()),
                  "--report: \"" + report.substr(0, 60) + (report.size() > 60 ? "..." : "") +
                      "\" is the file of --trace, too; name two files");
    CHECK_FALSE(std::filesystem::exists(folder.path() + "/x.html"));
  }
}

TEST_CASE("so is a hard link to the other's file, which stays as it was") {
  const TemporaryFolder folder;
  folder.write("x.html", "as before");
  std::filesystem::create_hard_link(folder.path() + "/x.html", folder.path() + "/y.html");
  CHECK(syncsim(drawn_to("x.html", "y.html"), folder.path()).exit_code == 2);
  CHECK(read_text(folder.path() + "/x.html") == "as before");
}

TEST_CASE("what a command reads is not written over") {
  const TemporaryFolder folder;
  const std::string scenario = R"({"topology": "pcie_4gpu", "strategy": "ring", "bytes": "1 MB"})";
  folder.write("s.json", scenario);
  folder.write("m.json", shipped_machine("pcie_4gpu").dump());
  check_refused(syncsim({"run", "s.json", "--trace", "./s.json"}, folder.path()),
                "--trace: \"./s.json\" is what SCENARIO reads; name another file");
  check_refused(syncsim({"plan", "--topology", "m.json", "--strategy", "ring", "--bytes", "1 MB",
                         "--out", "m.json"},
                        folder.path()),
                "--out: \"m.json\" is what --topology reads; name another file");
  CHECK(read_text(folder.path() + "/s.json") == scenario);
}

namespace {

// Of the options in a folder whose files all stay as they are.
void check_kept(const TemporaryFolder& folder, const Arguments& command, const std::string& output,
                const std::string& reader = "this command") {
  CAPTURE(command[0]);
  const std::string before = read_text(folder.path() + "/" + output);
  const Outcome outcome = syncsim(command, folder.path());
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out == "");
  const std::string option = command[command.size() - 2];
  const std::string told = "syncsim: " + option + ": \"" + output + "\" is what " + reader +
                           " reads; name another file\n";
  CHECK(outcome.err.ends_with(told));
  CHECK(read_text(folder.path() + "/" + output) == before);
}

}  // namespace

TEST_CASE("nor is what a scenario, a machine or a strategy names") {
  const TemporaryFolder folder;
  folder.write("m.json", shipped_machine("pcie_4gpu").dump());
  folder.write("f.csv", read_text(SYNCSIM_SOURCE_DIR "/scenarios/traffic/pcie_4gpu.csv"));
  folder.write("s.json", R"({"topology": "m.json", "strategy": "ring", "bytes": "1 MB",
    "background": "f.csv", "expect": [{"metric": "time", "at_least": "1 us"}]})");
  folder.write("top.json", R"({"name": "top",
    "instances": [{"prefix": "a/", "topology": "m.json"}]})");
  const Arguments plan = {"--topology", "m.json", "--bytes", "1 MB", "--strategy"};
  CHECK(syncsim(with({"plan", "--out", "p.json"}, with(plan, {"ring"})), folder.path()).exit_code ==
        0);
  check_kept(folder, {"run", "s.json", "--trace", "m.json"}, "m.json");
  check_kept(folder, {"run", "s.json", "--report", "m.json"}, "m.json");
  check_kept(folder, {"run", "s.json", "--trace", "f.csv"}, "f.csv");
  check_kept(folder, with(with({"run"}, plan), {"plan:p.json", "--trace", "p.json"}), "p.json");
  check_kept(folder, with(with({"plan"}, plan), {"plan:p.json", "--out", "p.json"}), "p.json");
  check_kept(folder, {"topology", "export", "top.json", "-o", "m.json"}, "m.json");
  check_kept(folder, {"check", "s.json", "--junit", "m.json"}, "m.json");
  check_kept(folder, {"check", "s.json", "--junit", "s.json"}, "s.json");
  check_kept(folder, {"check", ".", "--junit", "s.json"}, "s.json");
}

TEST_CASE("nor what flows and the commands of topology read") {
  const TemporaryFolder folder;
  folder.write("m.json", shipped_machine("pcie_4gpu").dump());
  folder.write("f.csv", read_text(SYNCSIM_SOURCE_DIR "/scenarios/traffic/pcie_4gpu.csv"));
  const Arguments flows = {"flows", "--topology", "m.json", "--flows", "f.csv", "--out"};
  check_kept(folder, with(flows, {"f.csv"}), "f.csv", "--flows");
  check_kept(folder, with(flows, {"m.json"}), "m.json", "--topology");
  const std::string piped = "exec \"$0\" flows --topology m.json --flows - --out f.csv < f.csv";
  check_refused(run_program({"sh", "-c", piped, SYNCSIM_BINARY}, folder.path()),
                "--out: \"f.csv\" is what this command reads; name another file");
  check_kept(folder, {"topology", "rings", "m.json", "-o", "m.json"}, "m.json");
  check_kept(folder, {"topology", "export", "m.json", "--format", "dot", "-o", "m.json"}, "m.json");
  CHECK(syncsim({"topology", "export", "m.json", "--format", "nccl_xml", "-o", "t.xml"},
                folder.path())
            .exit_code == 0);
  check_kept(folder, {"topology", "import", "t.xml", "-o", "t.xml"}, "t.xml");
}

}  // namespace syncsim::testing::outputs_test
