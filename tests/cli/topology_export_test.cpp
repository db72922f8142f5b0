// `topology export`: JSON that reads back, edits, files that are whole, and what it refuses.

#include <filesystem>

#include "tests/cli/refusals.h"

namespace syncsim::testing::topology_export_test {

TEST_CASE("an exported machine is the machine: exporting it again changes nothing") {
  const TemporaryFolder folder;
  const Outcome first = syncsim({"topology", "export", "dgx1v"}, folder.path());
  CHECK(first.exit_code == 0);
  CHECK(first.err == "");
  folder.write("again.json", first.out);
  CHECK(syncsim({"topology", "export", "again.json"}, folder.path()).out == first.out);
  const Arguments show = {"topology", "show", "again.json", "--route", "gpu0", "gpu5"};
  CHECK(syncsim(show, folder.path()).out ==
        read_text(SYNCSIM_SOURCE_DIR "/tests/golden/topology_show_dgx1v.txt"));
}

TEST_CASE("an edited machine is written as it became, and says so") {
  const TemporaryFolder folder;
  const Outcome outcome = syncsim({"topology", "export", "pcie_4gpu", "--edit",
                                   "link:gpu0>switch0 bandwidth=8 GB/s", "-o", "mine.json"},
                                  folder.path());
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out == "");
  const std::string text = read_text(folder.path() + "/mine.json");
  CHECK(text.find("; edited: link:gpu0>switch0 bandwidth=8 GB/s\"") != std::string::npos);
  CHECK(text.find(R"({"between": ["gpu0", "switch0"], "type": "pcie", "back": "pcie_2"})") !=
        std::string::npos);
  CHECK(syncsim({"topology", "validate", "mine.json"}, folder.path()).exit_code == 0);
}

TEST_CASE("a refused export leaves the file as it was, and no other beside it") {
  const TemporaryFolder folder;
  folder.write("mine.json", "old");
  check_refused(syncsim({"topology", "export", "pcie_4gp", "-o", "mine.json"}, folder.path()),
                R"(unknown topology "pcie_4gp"; did you mean "pcie_4gpu"?)");
  CHECK(read_text(folder.path() + "/mine.json") == "old");
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("a file beyond the limit of file sizes is refused, and not left") {
  const TemporaryFolder folder;
  for (const std::string action : {"export dgx_a100 -o m.json", "draw dgx_a100 -o m.dot"}) {
    CAPTURE(action);
    const Outcome outcome = run_program(
        {"sh", "-c", "ulimit -f 2; exec " SYNCSIM_BINARY " topology " + action}, folder.path());
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err.starts_with("syncsim: -o: \"m."));
    CHECK(outcome.err.find("cannot be written: ") != std::string::npos);
    CHECK(std::filesystem::is_empty(folder.path()));
  }
}

TEST_CASE("unknown formats and unwritable files are refused") {
  const Outcome format = syncsim({"topology", "export", "dgx1v", "--format", "jsn"});
  check_refused(format, R"(--format: unknown export format "jsn"; did you mean "json"?)");
  check_refused(syncsim({"topology", "export", "dgx1v", "-o", "/nowhere/x.json"}),
                R"(-o: "/nowhere/x.json" cannot be written: No such file or directory; )"
                "check the path, its permissions and the disk");
}

}  // namespace syncsim::testing::topology_export_test
