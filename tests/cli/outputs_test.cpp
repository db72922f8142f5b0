// Two outputs of a command, or an output and what is read, in one file.

#include <doctest/doctest.h>

#include <filesystem>

#include "tests/cli/refusals.h"

namespace syncsim::testing {
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

}  // namespace syncsim::testing
