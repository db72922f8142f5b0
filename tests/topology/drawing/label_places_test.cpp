// Labels of lines: none on another, none on a figure, each by its own line.

#include "sim/topology/drawing/label_places.h"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sim/topology/drawing/layout.h"
#include "sim/topology/drawing/shapes.h"
#include "sim/topology/topology_json.h"
#include "tests/topology/drawing/pictures.h"

namespace syncsim::testing::label_places_test {
namespace {

using drawing::Box;
using drawing::box_around;
using drawing::Bundle;
using drawing::Picture;

Picture labelled(const Topology::Parts& parts, const DrawingOptions& options = {}) {
  Picture picture = folded(parts, options);
  drawing::lay_out(picture);
  drawing::label(picture, options);
  return picture;
}

Box box_of(const Bundle& bundle, double margin = 0) {
  const drawing::Spot size = drawing::label_size(bundle.label);
  return box_around(bundle.label_at, size.x + margin, size.y + margin);
}

std::vector<Bundle> with_labels(const Picture& picture) {
  std::vector<Bundle> found;
  for (const Bundle& bundle : picture.bundles)
    if (!bundle.label.empty()) found.push_back(bundle);
  return found;
}

// Labels that lie on another, or on a figure.
Lines covered(const Picture& picture) {
  const std::vector<Bundle> bundles = with_labels(picture);
  Lines found;
  for (std::size_t i = 0; i < bundles.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      if (drawing::overlap(box_of(bundles[i]), box_of(bundles[j])) > 0)
        found.push_back(bundles[i].label + " on " + bundles[j].label);
    for (const drawing::Figure& figure : picture.figures)
      if (drawing::overlap(box_of(bundles[i]), box_around(figure.at, figure.width, figure.height)) >
          0)
        found.push_back(bundles[i].label + " on " + words(figure));
  }
  return found;
}

// Labels farther from their own lines than from another with another label.
Lines mistakable(const Picture& picture) {
  Lines found;
  for (const Bundle& bundle : with_labels(picture)) {
    const auto near = [&](double margin, const Bundle& line) {
      return drawing::length_inside(box_of(bundle, margin), drawing::path_of(line)) > 0;
    };
    double margin = 0;
    while (!near(margin, bundle)) margin += 2;
    if (margin > 60) found.push_back(bundle.label + " is far away");
    if (margin == 0) continue;  // it lies on its line
    for (const Bundle& other : picture.bundles)
      if (other.label != bundle.label && near(margin - 2, other))
        found.push_back(bundle.label + " beside " + other.label);
  }
  return found;
}

std::string all(const Lines& lines) { return fmt::format("{}", fmt::join(lines, "; ")); }

Topology::Parts unlike_cluster() {
  Topology::Parts parts = cluster(4, 3);
  double rate = 20;
  for (std::size_t link = 0; link < parts.links.size(); link += 2) {
    if (parts.links[link].kind != LinkKind::network) continue;
    rate += 0.5;
    for (const std::size_t way : {link, link + 1})
      parts.links[way].bandwidth = parts.links[way].usable = gigabytes(rate);
  }
  return parts;
}

}  // namespace

TEST_CASE("no label covers another or a figure, on every machine of the shelf, plain and hot") {
  for (const std::string& name : shelf_names(SYNCSIM_SHELF)) {
    CAPTURE(name);
    const Topology::Parts parts = load_topology(name, SYNCSIM_SHELF).parts();
    DrawingOptions hot;
    hot.heat = Heat{std::vector<double>(parts.links.size(), 0.5),
                    std::vector<double>(parts.nodes.size()), "a run"};
    for (const DrawingOptions& options : {DrawingOptions(), hot}) {
      const Picture picture = labelled(parts, options);
      CHECK(all(covered(picture)) == "");
      CHECK(all(mistakable(picture)) == "");
    }
  }
}

TEST_CASE("labels of a cluster whose links all differ keep apart, each by its own line") {
  const Picture picture = labelled(unlike_cluster());
  CHECK(with_labels(picture).size() == 12);
  CHECK(all(covered(picture)) == "");
  CHECK(all(mistakable(picture)) == "");
}

TEST_CASE("the label of an upright line is to its right, that of a level one above") {
  const Picture tree = labelled(star(2));
  const Bundle& upright = tree.bundles[0];
  CHECK(upright.label_at.x > upright.curves[0][0].x);
  CHECK(upright.label_at.y ==
        doctest::Approx((upright.curves[0][0].y + upright.curves[0][3].y) / 2));
  const Picture sockets = labelled(two_socket_tree());
  const auto level = std::find_if(sockets.bundles.begin(), sockets.bundles.end(),
                                  [](const Bundle& b) { return b.kind == LinkKind::socket; });
  CHECK(level->label_at.y > level->curves[0][0].y);
}

TEST_CASE("a picture of more than 2,000 lines has no labels, whatever its lines") {
  Topology::Parts parts = full_mesh(65);  // 2,080 cables
  parts.links[0].bandwidth = parts.links[0].usable = gigabytes(1);
  const Picture picture = labelled(parts, {.folding = Folding::never});
  CHECK(picture.bundles.size() == 2'080);
  CHECK(with_labels(picture).empty());
  CHECK(picture.unlabelled);
}

TEST_CASE("everything is inside of the picture, labels too") {
  const Picture picture = labelled(unlike_cluster());
  for (const Bundle& bundle : with_labels(picture)) {
    const Box box = box_of(bundle);
    CHECK(box.low.x >= 0);
    CHECK(box.low.y >= 0);
    CHECK(box.high.x <= picture.size.x + 1e-9);
    CHECK(box.high.y <= picture.size.y + 1e-9);
  }
}

}  // namespace syncsim::testing::label_places_test
