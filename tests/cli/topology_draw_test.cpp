// `topology draw`: pictures that are whole, heat of a run, and what it refuses.

#include <filesystem>

#include "tests/cli/refusals.h"

namespace syncsim::testing::topology_draw_test {
namespace {

const Arguments kRing = {"--run", "--strategy", "ring", "--bytes", "160 MB"};

Outcome draw(const TemporaryFolder& folder, const std::string& machine, const std::string& file,
             const Arguments& more = {}) {
  return syncsim(with({"topology", "draw", machine, "-o", file}, more), folder.path());
}

// What was drawn.
std::string drawn(const std::string& machine, const std::string& file, const Arguments& more = {}) {
  const TemporaryFolder folder;
  const Outcome outcome = draw(folder, machine, file, more);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out == "");
  CHECK(outcome.err == "");
  return read_text(folder.path() + "/" + file);
}

std::size_t count_of(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++count;
  return count;
}

}  // namespace

TEST_CASE("each form of picture is one") {
  CHECK(drawn("dgx1v", "x.svg").starts_with("<?xml"));
  CHECK(drawn("dgx1v", "x.png").starts_with("\x89PNG\r\n\x1a\n"));
  CHECK(drawn("dgx1v", "x.dot").starts_with("graph \"dgx1v\" {\n"));
}

TEST_CASE("the exported drawing is the one that is drawn") {
  const Outcome outcome = syncsim({"topology", "export", "dgx1v", "--format", "dot"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out == drawn("dgx1v", "x.dot"));
}

TEST_CASE("edits and rates are drawn") {
  const std::string text =
      drawn("pcie_4gpu", "x.dot", {"--edit", "remove node:gpu3", "--rates", "usable"});
  CHECK(count_of(text, "label=\"gpu3\"") == 0);
  CHECK(count_of(text, "\"pcie: 12 GB/s\\l\"") == 1);
  CHECK(count_of(text, "\"edit: remove node:gpu3\\l\"") == 1);
}

// 2(n-1)/n x 160 MB leave and enter every gpu in both cases: ring 15 ms at 16 GB/s, all of it;
// central_gpu 60 ms, gpu0 for half of it in either direction, the others a third of that.
TEST_CASE("a run's utilization stands on the links") {
  const std::string ring = drawn("pcie_4gpu", "x.dot", kRing);
  CHECK(count_of(ring, "<td>100 %</td>") == 4);
  CHECK(count_of(ring, "color=\"#C8C8C8\", penwidth") == 1);  // to cpu0: idle
  CHECK(count_of(ring, "label=\"pcie_4gpu: allreduce by ring, 160 MB in 15.0000 ms") == 1);
  const std::string central =
      drawn("pcie_4gpu", "x.dot", {"--run", "--strategy", "central_gpu", "--bytes", "160 MB"});
  CHECK(count_of(central, "<td>50 %</td>") == 1);
  CHECK(count_of(central, "<td>17 %</td>") == 3);
}

TEST_CASE("--unfolded draws the nodes that boxes hide") {
  const TemporaryFolder folder;
  folder.write("pair.json", R"({"name": "pair", "description": "two", "source": "none",
    "instances": [{"prefix": "node[0-1]/", "topology": "p3_16xlarge"}],
    "link_types": {"eth": {"kind": "network", "bandwidth": "3.125 GB/s"}},
    "links": [{"between": ["node0/nic0", "node1/nic0"], "type": "eth"}]})");
  CHECK(draw(folder, "pair.json", "folded.dot").exit_code == 0);
  CHECK(draw(folder, "pair.json", "all.dot", {"--unfolded"}).exit_code == 0);
  CHECK(count_of(read_text(folder.path() + "/folded.dot"), "\"gpu0\"") == 0);
  CHECK(count_of(read_text(folder.path() + "/all.dot"), "label=\"gpu0\"") == 2);
}

TEST_CASE("unknown forms and files that cannot be written are refused") {
  const TemporaryFolder folder;
  for (const std::string file : {"x.pdf", "x", "x.SVG"})
    check_refused(draw(folder, "dgx1v", file),
                  "-o: \"" + file + "\" says no form of picture; end it in .svg, .png or .dot");
  check_refused(
      draw(folder, "dgx1v", "no/x.svg"),
      "-o: \"no/x.svg\" cannot be written: No such file or directory; check the path, its "
      "permissions and the disk");
}

TEST_CASE("a run is asked for whole, once, and by --run") {
  const TemporaryFolder folder;
  check_refused(draw(folder, "dgx1v", "x.svg", {"--run"}),
                "--run: 0 runs are asked for; give one --strategy and one --bytes to draw");
  check_refused(draw(folder, "dgx1v", "x.svg", with(kRing, {"--bytes", "1 MB"})),
                "--run: 2 runs are asked for; give one --strategy and one --bytes to draw");
  check_refused(draw(folder, "dgx1v", "x.svg", {"--strategy", "ring"}),
                "topology draw: --strategy requires --run; see syncsim topology draw --help");
  check_refused(draw(folder, "dgx1v", "x.svg", with(kRing, {"--ranks", "0-9"})),
                "--ranks: rank 8 does not exist on dgx1v; use ranks 0 to 7");
}

TEST_CASE("what is refused leaves the picture as it was, and no other beside it") {
  const TemporaryFolder folder;
  folder.write("x.svg", "old");
  CHECK(draw(folder, "dgx1", "x.svg").exit_code == 2);
  CHECK(draw(folder, "dgx1v", "x.svg", {"--run"}).exit_code == 2);
  CHECK(read_text(folder.path() + "/x.svg") == "old");
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("without Graphviz .dot is still written, and for the others it is asked for") {
  const TemporaryFolder folder;
  const auto without = [&](const std::string& file) {
    return run_program({"/usr/bin/env", "PATH=" + folder.path(), SYNCSIM_BINARY, "topology", "draw",
                        "dgx1v", "-o", file},
                       folder.path());
  };
  CHECK(without("x.dot").exit_code == 0);
  check_refused(without("x.svg"),
                "-o: the program dot (Graphviz) is not installed; install it (Debian: graphviz), "
                "or write a .dot file");
}

TEST_CASE("what dot complains of is passed on") {
  const TemporaryFolder folder;
  const std::string dot = folder.write("dot", "#!/bin/sh\necho 'no \"form\"' >&2\nexit 1\n");
  std::filesystem::permissions(dot, std::filesystem::perms::owner_all);
  check_refused(
      run_program({"/usr/bin/env", "PATH=" + folder.path(), SYNCSIM_BINARY, "topology", "draw",
                   "dgx1v", "-o", "x.svg"},
                  folder.path()),
      "-o: dot (Graphviz) failed with exit code 1: \"no \"form\"\"; write a .dot file and see");
}

}  // namespace syncsim::testing::topology_draw_test
