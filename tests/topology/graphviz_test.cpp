// The DOT text: its form, its colours, and that Graphviz takes it.

#include "sim/topology/graphviz.h"

#include <doctest/doctest.h>

#include <chrono>

#include "sim/base/filter_program.h"
#include "sim/topology/drawing/dot_text.h"
#include "sim/topology/topology_json.h"
#include "tests/topology/drawing/pictures.h"

namespace syncsim::testing::graphviz_test {
namespace {

// A good picture: the SVG; otherwise what dot said.
std::string svg_of(const std::string& text) {
  const Filtered dot = run_filter({"dot", "-Tsvg"}, text, std::chrono::seconds(60));
  REQUIRE_MESSAGE(dot.started, "Graphviz is a dependency of this project (Debian: graphviz)");
  return dot.exit_code == 0 && dot.err.empty() ? dot.out : "dot: " + dot.err;
}

bool is_svg(const std::string& text) { return text.starts_with("<?xml"); }

std::size_t count_of(const std::string& text, const std::string& word) {
  std::size_t count = 0;
  for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++count;
  return count;
}

std::string drawn(const Topology::Parts& parts, const DrawingOptions& options = {}) {
  return graphviz(Topology(parts), options);
}

DrawingOptions heated(const Topology::Parts& parts, double utilization) {
  DrawingOptions options;
  options.heat = Heat{std::vector<double>(parts.links.size(), utilization),
                      std::vector<double>(parts.nodes.size()), "a run"};
  return options;
}

}  // namespace

TEST_CASE("the whole text for two gpus, one at half the rate") {
  Topology::Parts parts = star(2);
  for (Link* link : {&parts.links[2], &parts.links[3]})
    link->bandwidth = link->usable = gigabytes(8);
  CHECK("\n" + drawn(parts) == R"(
graph "star" {
  graph [layout=nop2, outputorder=edgesfirst, charset="UTF-8", bgcolor=white,
    fontname="Helvetica", fontsize=11, fontcolor="#444444", pad=0.15]
  node [fixedsize=true, fontname="Helvetica", fontsize=11, color="#444444"]
  edge [fontname="Helvetica", fontsize=10]
  title [label="star", pos="64.0,142.0", shape=plaintext, fontsize=14, width=0.768]
  n0 [label="gpu0", pos="24.0,14.5", shape=box, style="filled,rounded", fillcolor="#DDF1E4", width=0.667, height=0.403, tooltip="gpu0"]
  n1 [label="gpu1", pos="88.0,14.5", shape=box, style="filled,rounded", fillcolor="#DDF1E4", width=0.667, height=0.403, tooltip="gpu1"]
  n2 [label="switch0", pos="56.0,101.5", shape=box, style="filled", fillcolor="#DCE9F5", width=1.556, height=0.403, tooltip="switch0"]
  n0 -- n2 [pos="24.0,29.0 24.0,48.3 24.0,67.7 24.0,87.0", color="#0072B2", penwidth=2.10, label=<<table border="0" cellborder="0" cellspacing="0" cellpadding="0" bgcolor="#FFFFFFC0"><tr><td>16 GB/s</td></tr></table>>, lp="49.0,58.0", tooltip="gpu0-switch0: pcie, 16 GB/s"]
  n1 -- n2 [pos="88.0,29.0 88.0,48.3 88.0,67.7 88.0,87.0", color="#0072B2", penwidth=1.20, label=<<table border="0" cellborder="0" cellspacing="0" cellpadding="0" bgcolor="#FFFFFFC0"><tr><td>8 GB/s</td></tr></table>>, lp="109.8,58.0", tooltip="gpu1-switch0: pcie, 8 GB/s"]
  swatch0_0 [label="", pos="11.0,-26.0", shape=box, style=filled, color="#0072B2", fillcolor="#0072B2", width=0.306, height=0.05]
  legend0 [label="pcie\l", pos="50.8,-26.0", shape=plaintext, fontsize=10, width=0.633, height=0.2]
  legend1 [label="width: logarithm of the bandwidth per direction (line rates), 8 GB/s to 16 GB/s\l", pos="218.3,-42.0", shape=plaintext, fontsize=10, width=6.258, height=0.2]
}
)");
}

TEST_CASE("Graphviz takes every machine of the shelf, plain, unfolded and hot, without a word") {
  for (const std::string& name : shelf_names(SYNCSIM_SHELF)) {
    CAPTURE(name);
    const Topology::Parts parts = load_topology(name, SYNCSIM_SHELF).parts();
    const std::string svg = svg_of(drawn(parts));
    CHECK_MESSAGE(is_svg(svg), svg.substr(0, 200));
    CHECK(svg.size() < 120'000);
    if (parts.nodes.size() <= 2000)
      CHECK(is_svg(svg_of(drawn(parts, {.folding = Folding::never}))));
    CHECK(is_svg(svg_of(drawn(parts, heated(parts, 0.5)))));
  }
}

TEST_CASE("the same machine gives the same text") {
  CHECK(drawn(dgx1v()) == drawn(dgx1v()));
  CHECK(drawn(cluster(40, 4)) == drawn(cluster(40, 4)));
}

TEST_CASE("each kind of link has its colour and its row in the legend, and only where it occurs") {
  const std::string text = drawn(dgx1v());
  CHECK(count_of(text, ", color=\"#009E73\", penwidth") == 16);
  CHECK(count_of(text, ", color=\"#0072B2\", penwidth") == 12);
  CHECK(count_of(text, ", color=\"#E69F00\", penwidth") == 1);
  CHECK(count_of(text, "swatch") == 3);
  Topology::Parts parts = star(2);
  const std::pair<LinkKind, const char*> kinds[] = {
      {LinkKind::nvlink, "#009E73"}, {LinkKind::xgmi, "#D55E00"}, {LinkKind::c2c, "#CC79A7"},
      {LinkKind::pcie, "#0072B2"},   {LinkKind::host, "#56B4E9"}, {LinkKind::socket, "#E69F00"},
      {LinkKind::network, "#595959"}};
  for (const auto& [kind, colour] : kinds) {
    for (Link& link : parts.links) link.kind = kind;
    CHECK(count_of(drawn(parts), colour) == 2 + 2);  // lines; a swatch's edge and inside
  }
}

TEST_CASE("a label that most lines of a kind have stands in the legend, which says of the others") {
  CHECK(count_of(drawn(star(2)), "<td>16 GB/s</td>") == 2);
  const std::string text = drawn(star(6));
  CHECK(count_of(text, "<td>16 GB/s</td>") == 0);
  CHECK(count_of(text, "\"pcie: 16 GB/s\\l\"") == 1);
  const std::string mesh = drawn(dgx1v());
  CHECK(count_of(mesh, "<td>2 x</td>") == 8);
  CHECK(count_of(mesh, "\"nvlink: 25 GB/s unless labelled; \\\"2 x\\\": two of these\\l\"") == 1);
}

TEST_CASE("kinds of links that lie within figures are in the legend too") {
  const std::string text = graphviz(load_topology("gb200_nvl72", SYNCSIM_SHELF), {});
  CHECK(count_of(text, "\"socket: within figures only\\l\"") == 1);
  CHECK(count_of(text, "joined by socket: 18 x ") == 1);
}

TEST_CASE("the legend names the edits in force, the first eight of many") {
  DrawingOptions options;
  options.edits = {"remove node:\"x\"\n"};
  CHECK(count_of(drawn(star(2), options), "\"edit: remove node:\\\"x\\\"\\\\n\\l\"") == 1);
  options.edits.assign(10, "disable p2p");
  const std::string text = drawn(star(2), options);
  CHECK(count_of(text, "\"edit: disable p2p\\l\"") == 8);
  CHECK(count_of(text, "\"and 2 more edits\\l\"") == 1);
}

TEST_CASE("the legend says what a line that stands for several is coloured and labelled by") {
  Topology::Parts parts = cluster(9, 1);
  DrawingOptions options = heated(parts, 0.5);
  CHECK(count_of(drawn(parts, options), "of several links as one line") == 0);
  CHECK(count_of(drawn(parts, options), "inside: the busiest link or transit within") == 1);
  options.heat->links.back() = 1;
  const std::string text = drawn(parts, options);
  CHECK(count_of(text, "of several links as one line: mean, up to the busiest, which colours it") ==
        1);
  CHECK(count_of(text, "color=\"#800026\", penwidth") == 1);
}

TEST_CASE("the width of a line grows with each doubling of its bandwidth") {
  Topology::Parts parts = star(3);
  for (std::size_t link = 0; link < 6; ++link)
    parts.links[link].bandwidth = parts.links[link].usable = gigabytes(link < 2   ? 10
                                                                       : link < 4 ? 20
                                                                                  : 40);
  const std::string text = drawn(parts);
  CHECK(count_of(text, "penwidth=1.20") == 1);
  CHECK(count_of(text, "penwidth=2.10") == 1);
  CHECK(count_of(text, "penwidth=3.00") == 1);
  CHECK(count_of(text, "(line rates), 10 GB/s to 40 GB/s") == 1);
  parts.links[0].bandwidth = parts.links[1].bandwidth = {1e-3};  // 45 doublings
  parts.links[0].usable = parts.links[1].usable = {1e-3};
  CHECK(count_of(drawn(parts), "penwidth=8.00") == 1);
}

TEST_CASE("heat colours the lines from grey through yellow to dark red and says the percentage") {
  const Topology::Parts parts = star(2);
  const auto text_at = [&](double utilization) { return drawn(parts, heated(parts, utilization)); };
  CHECK(count_of(text_at(0), "color=\"#C8C8C8\", penwidth=3.50, tooltip") == 2);
  CHECK(count_of(text_at(0.25), "color=\"#FEB24C\"") == 2 + 2);
  CHECK(count_of(text_at(0.25), "<td>25 %</td>") == 2);
  CHECK(count_of(text_at(0.25), "gpu0-switch0: pcie, 16 GB/s; 25 %") == 1);
  CHECK(count_of(text_at(1), "color=\"#800026\"") == 2 + 2);
  CHECK(count_of(text_at(1), "label=\"star: a run\"") == 1);
  CHECK(count_of(text_at(1), "swatch") == 5);
}

TEST_CASE("beyond 160 labels all of them are in tooltips only, and the legend says so") {
  const Topology::Parts parts = grid({4, 4, 4}, true);
  const std::string text = drawn(parts, heated(parts, 0.5));
  CHECK(count_of(text, "<td>") == 0);
  CHECK(count_of(text, "; 50 %\"") == 192);
  CHECK(count_of(text, "too many lines for labels: point at one for its figures") == 1);
}

TEST_CASE("quotes, backslashes, entities and line ends in a string stay inside of it") {
  CHECK(drawing::quoted("a\"b\\c&d\ne<f>") == "\"a\\\"b\\\\c&amp;d\\ne<f>\"");
}

TEST_CASE("hostile ids stand in the picture as they are, and change nothing else in it") {
  Topology::Parts parts = star(4);
  parts.name = "\"]; evil [label=\"";
  parts.nodes[0].id = "\"];x[label=\"";
  parts.nodes[1].id = "<b&lt;\\N\\";
  parts.nodes[2].id = "gpü\xff#{}|";
  parts.nodes[3].id = std::string(5'000, 'x');
  const std::string svg = svg_of(drawn(parts));
  REQUIRE_MESSAGE(is_svg(svg), svg);
  CHECK(count_of(svg, "class=\"node\"") == 5 + 1 + 2);  // title, swatch, legend
  CHECK(count_of(svg, "class=\"edge\"") == 4);
  CHECK(count_of(svg, ">&quot;];x[label=&quot;</text>") == 1);
  CHECK(count_of(svg, ">&lt;b&amp;lt;\\N\\</text>") == 1);
  CHECK(count_of(svg, ">gpü?#{}|</text>") == 1);
  CHECK(svg.size() < 20'000);
}

TEST_CASE("a machine of one gpu and one of many unlike things are drawn too") {
  CHECK(is_svg(svg_of(drawn(full_mesh(1)))));
  CHECK(is_svg(svg_of(drawn(grid({16, 16}, true)))));
  CHECK(is_svg(svg_of(drawn(cluster(100, 8), {.folding = Folding::never}))));
}

}  // namespace syncsim::testing::graphviz_test
