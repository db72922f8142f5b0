// Where things are drawn.

#include "sim/topology/drawing/layout.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "sim/topology/drawing/shapes.h"
#include "sim/topology/topology_json.h"
#include "tests/topology/drawing/pictures.h"

namespace syncsim::testing::layout_test {
namespace {

using drawing::Figure;
using drawing::Picture;

Picture drawn(const Topology::Parts& parts, const DrawingOptions& options = {}) {
  Picture picture = folded(parts, options);
  drawing::lay_out(picture);
  return picture;
}

const Figure& figure(const Picture& picture, const std::string& label) {
  const auto found =
      std::find_if(picture.figures.begin(), picture.figures.end(),
                   [&](const Figure& figure) { return figure.lines.front() == label; });
  REQUIRE_MESSAGE(found != picture.figures.end(), label);
  return *found;
}

double y_of(const Picture& picture, const std::string& label) {
  return figure(picture, label).at.y;
}

// Pairs of figures that cover each other.
Lines collisions(const Picture& picture) {
  Lines found;
  for (std::size_t i = 0; i < picture.figures.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const Figure& a = picture.figures[i];
      const Figure& b = picture.figures[j];
      if (std::abs(a.at.x - b.at.x) * 2 < a.width + b.width &&
          std::abs(a.at.y - b.at.y) * 2 < a.height + b.height)
        found.push_back(words(a) + " on " + words(b));
    }
  return found;
}

bool inside(const Picture& picture, const Figure& figure) {
  return figure.at.x - figure.width / 2 >= 0 && figure.at.y - figure.height / 2 >= 0 &&
         figure.at.x + figure.width / 2 <= picture.size.x &&
         figure.at.y + figure.height / 2 <= picture.size.y;
}

}  // namespace

TEST_CASE("no figure covers another, and all are inside, on every machine of the shelf") {
  for (const std::string& name : shelf_names(SYNCSIM_SHELF)) {
    CAPTURE(name);
    Topology::Parts parts = load_topology(name, SYNCSIM_SHELF).parts();
    for (const Folding folding : {Folding::automatic, Folding::never}) {
      if (folding == Folding::never && parts.nodes.size() > 2000) continue;  // refused
      const Picture picture = drawn(parts, {.folding = folding});
      CHECK(collisions(picture) == Lines{});
      for (const Figure& figure : picture.figures) CHECK(inside(picture, figure));
    }
  }
}

TEST_CASE("no figure covers another on grids, circles and clusters") {
  for (const Topology::Parts& parts :
       {grid({4, 4, 4}, true), grid({16, 16}, true), grid({4, 4, 4, 4}, true), grid({40}, true),
        full_mesh(16), cluster(8, 4), cluster(100, 4)}) {
    CHECK(collisions(drawn(parts)) == Lines{});
    CHECK(collisions(drawn(parts, {.folding = Folding::never})) == Lines{});
  }
}

TEST_CASE("a PCIe tree hangs from its CPUs: each thing below what it is joined to") {
  const Picture picture = drawn(dgx1v());
  CHECK(y_of(picture, "cpu0") == y_of(picture, "cpu1"));
  CHECK(y_of(picture, "cpu0") > y_of(picture, "plx0"));
  CHECK(y_of(picture, "plx0") > y_of(picture, "gpu0"));
  CHECK(y_of(picture, "gpu7") == y_of(picture, "gpu0"));
}

TEST_CASE("a switch is above the middle of what hangs from it, and as wide") {
  const Picture picture = drawn(dgx1v());
  const Figure& plx = figure(picture, "plx0");
  const Figure& first = figure(picture, "gpu0");
  const Figure& last = figure(picture, "gpu1");
  CHECK(plx.at.x == doctest::Approx((first.at.x + last.at.x) / 2));
  CHECK(plx.width == doctest::Approx(last.at.x - first.at.x + first.width));
}

TEST_CASE("NVSwitches are below the gpus, networks below those where there is a tree") {
  Topology::Parts parts = dgx2();
  add_two_socket_tree(parts);
  const NodeId nic = add_node(parts, "nic0", NodeKind::nic);
  const NodeId net = add_node(parts, "net0", NodeKind::switch_);
  add_cable(parts, nic, net, link_of(LinkKind::network, gigabytes(25)));
  add_cable(parts, nic, Topology(parts).node("plx3"), link_of(LinkKind::pcie, gigabytes(16)));
  const Picture picture = drawn(parts);
  CHECK(y_of(picture, "gpu0") > y_of(picture, "6 NVSwitches"));
  CHECK(y_of(picture, "6 NVSwitches") > y_of(picture, "net0"));
}

TEST_CASE("networks are above boxes, by their distance") {
  Topology::Parts parts = cluster(2, 2);
  const NodeId spine = add_node(parts, "spine", NodeKind::switch_);
  for (const char* leaf : {"leaf0", "leaf1"})
    add_cable(parts, Topology(parts).node(leaf), spine, link_of(LinkKind::network, gigabytes(25)));
  const Picture picture = drawn(parts);
  CHECK(y_of(picture, "node0") < y_of(picture, "2 network switches"));
  CHECK(y_of(picture, "2 network switches") < y_of(picture, "spine"));
}

TEST_CASE("links between gpus are arcs below them, the farther the deeper") {
  const Picture picture = drawn(dgx1v());
  const double bottom = y_of(picture, "gpu0") - figure(picture, "gpu0").height / 2;
  const auto depth = [&](std::size_t a, std::size_t b) {
    for (const drawing::Bundle& bundle : picture.bundles)
      if (bundle.a == a && bundle.b == b) return bottom - bundle.curves[0][1].y;
    return 0.0;
  };
  CHECK(depth(0, 1) > 0);
  CHECK(depth(0, 2) > depth(0, 1));
  CHECK(depth(0, 3) > depth(0, 2));
  CHECK(depth(0, 4) > depth(0, 3));
}

TEST_CASE("arcs of one gpu leave it in an order in which they do not cross") {
  const Picture picture = drawn(full_mesh(2));  // two gpus stand in a row
  CHECK(picture.figures[0].at.y == picture.figures[1].at.y);
  Topology::Parts parts = direct_mesh(3, {{0, 1, 1}, {1, 2, 1}, {0, 2, 1}});
  add_node(parts, "cpu0", NodeKind::cpu);
  const Picture arcs = drawn(parts);
  CHECK(arcs.bundles[0].curves[0].front().x > arcs.bundles[1].curves[0].front().x);  // 0-1, 0-2
  CHECK(arcs.bundles[2].curves[0].back().x < arcs.bundles[1].curves[0].back().x);    // 1-2, 0-2
}

TEST_CASE("lines of one edge of a figure start apart from each other, and do not cross there") {
  Topology::Parts parts = cluster(8, 3);
  parts.links.back().bandwidth = parts.links.back().usable = gigabytes(1);
  const Picture picture = drawn(parts);  // two of the leaves are one figure, the third is another
  for (std::size_t box = 0; box < 8; ++box) {
    std::vector<double> starts;
    for (const drawing::Bundle& bundle : picture.bundles)
      if (bundle.a == box) starts.push_back(bundle.curves[0].front().x);
    REQUIRE(starts.size() == 2);
    CHECK(std::abs(starts[0] - starts[1]) > 10);
  }
}

TEST_CASE("rows between which lines cross are farther apart") {
  const auto gap = [](const Topology::Parts& parts) {
    const Picture picture = drawn(parts);
    return picture.bundles[0].curves[0].back().y - picture.bundles[0].curves[0].front().y;
  };
  Topology::Parts crossed = cluster(2, 2);
  crossed.links.back().bandwidth = crossed.links.back().usable = gigabytes(1);
  CHECK(gap(cluster(2, 1)) == doctest::Approx(58));
  CHECK(gap(crossed) == doctest::Approx(58 + 10));
}

TEST_CASE("on a circle with chords a line to the next but one keeps off the one between") {
  const Picture picture = drawn(full_mesh(16));
  for (const drawing::Bundle& bundle : picture.bundles) {
    if (bundle.b != bundle.a + 2) continue;
    const Figure& passed = picture.figures[bundle.a + 1];
    CHECK(drawing::length_inside(drawing::box_around(passed.at, passed.width, passed.height),
                                 drawing::path_of(bundle)) == 0);
  }
}

TEST_CASE("every socket of several has a frame around all of its tree - one alone has none") {
  const Picture picture = drawn(dgx1v());
  REQUIRE(picture.frames.size() == 2);
  CHECK(picture.frames[0].title == "socket of cpu0");
  CHECK(picture.frames[0].figures.size() == 1 + 2 + 4);
  for (const std::size_t i : picture.frames[0].figures) {
    const Figure& figure = picture.figures[i];
    CHECK(figure.at.x - figure.width / 2 > picture.frames[0].low.x);
    CHECK(figure.at.x + figure.width / 2 < picture.frames[0].high.x);
    CHECK(figure.at.y + figure.height / 2 < picture.frames[0].high.y);
  }
  CHECK(picture.frames[0].high.x < picture.frames[1].low.x);
  CHECK(drawn(star(4)).frames.empty());
}

TEST_CASE("boxes that are drawn in detail have frames, apart from each other") {
  const Picture picture = drawn(cluster(2, 1), {.folding = Folding::never});
  REQUIRE(picture.frames.size() == 2);
  CHECK(picture.frames[0].title == "node0");
  CHECK(picture.frames[1].title == "node1");
  CHECK(picture.frames[0].figures.size() == 4);
  CHECK(picture.frames[0].high.x < picture.frames[1].low.x);
}

TEST_CASE("links that close a circle of a torus end in the open, on both sides") {
  const Picture torus = drawn(grid({4, 4}, true));
  CHECK(torus.wrapped);
  CHECK(std::count_if(torus.bundles.begin(), torus.bundles.end(),
                      [](const auto& bundle) { return bundle.curves.size() == 2; }) == 8);
  CHECK(!drawn(grid({4, 4}, false)).wrapped);
}

TEST_CASE("a line past a row goes upright beside what is there") {
  Topology::Parts parts = two_socket_tree();
  const NodeId nic = add_node(parts, "nic0", NodeKind::nic);
  add_cable(parts, nic, Topology(parts).node("cpu0"), link_of(LinkKind::pcie, gigabytes(16)));
  const Picture picture = drawn(parts);
  const auto bent = std::find_if(picture.bundles.begin(), picture.bundles.end(),
                                 [](const auto& b) { return b.curves[0].size() == 7; });
  REQUIRE(bent != picture.bundles.end());
  const drawing::Bundle& line = *bent;
  CHECK(picture.figures[line.b].lines.front() == "nic0");
  const Figure& card = figure(picture, "nic0");
  CHECK(std::count_if(line.curves[0].begin(), line.curves[0].end(),
                      [&](drawing::Spot spot) { return spot.x == card.at.x; }) == 4);
  for (const char* plx : {"plx0", "plx1"})
    CHECK(std::abs(figure(picture, plx).at.x - card.at.x) > figure(picture, plx).width / 2);
}

}  // namespace syncsim::testing::layout_test
