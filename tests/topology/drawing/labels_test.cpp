#include "sim/topology/drawing/labels.h"

#include <doctest/doctest.h>

#include "tests/topology/drawing/pictures.h"

namespace syncsim::testing::labels_test {
namespace {

drawing::Bundle bundle_of(std::size_t cables, double there, double back) {
  drawing::Bundle bundle;
  bundle.cables = cables;
  bundle.there = there;
  bundle.back = back;
  bundle.least = std::min(there, back) / static_cast<double>(cables);
  bundle.most = std::max(there, back) / static_cast<double>(cables);
  return bundle;
}

// Two links each way, of which one carries nothing where `even` is not set.
drawing::Bundle heated(double there, double back, bool even = true) {
  drawing::Bundle bundle = bundle_of(2, 50e9, 50e9);
  bundle.hottest_there = there;
  bundle.hottest_back = back;
  bundle.carried_there = there * 50e9 / (even ? 1 : 2);
  bundle.carried_back = back * 50e9 / (even ? 1 : 2);
  return bundle;
}

std::string ranges(const Lines& ids) { return drawing::ranges(ids); }

}  // namespace

TEST_CASE("numbered ids become ranges, in the order of their first ones") {
  CHECK(ranges({"gpu0"}) == "gpu0");
  CHECK(ranges({"gpu0", "gpu1", "gpu2", "gpu3"}) == "gpu[0-3]");
  CHECK(ranges({"node7/nic0", "node8/nic0"}) == "node[7-8]/nic0");
  CHECK(ranges({"node7/nic0", "node9/nic0"}) == "node7/nic0, node9/nic0");
  CHECK(ranges({"rail0_leaf0", "rail0_leaf1", "rail1_leaf0", "rail1_leaf1"}) ==
        "rail[0-1]_leaf[0-1]");
  CHECK(ranges({"leaf3", "leaf0", "leaf1", "spine", "core9"}) == "leaf[0-1,3], spine, core9");
  CHECK(ranges({"rack1b", "rack2b"}) == "rack[1-2]b");
}

TEST_CASE("numbers that would not print back the same are no numbers") {
  CHECK(ranges({"gpu00", "gpu01"}) == "gpu00, gpu01");
  CHECK(ranges({"x99999999999999999999", "x1"}) == "x99999999999999999999, x1");
}

TEST_CASE("long text is cut in its middle, between characters") {
  CHECK(drawing::shown("abcdefghij", 10) == "abcdefghij");
  CHECK(drawing::shown("abcdefghijk", 10) == "abc...ijk");
  CHECK(drawing::shown("äöüäöüäöüäö", 9) == "äöü...üäö");
}

TEST_CASE("what is shown is one line of valid UTF-8") {
  CHECK(drawing::shown("a\nb\x01") == "a\\nb\\x01");
  CHECK(drawing::shown("\xff\xc3 \xe2\x82") == std::string("??") + " ??");
  CHECK(drawing::shown("€𝄞") == "€𝄞");
}

TEST_CASE("things are counted with their plurals") {
  CHECK(drawing::counted(1, drawing::Role::box) == "1 box");
  CHECK(drawing::counted(2, drawing::Role::box) == "2 boxes");
  CHECK(drawing::counted(6, drawing::Role::nvswitch) == "6 NVSwitches");
  CHECK(drawing::counted(8, drawing::Role::nic) == "8 NICs");
}

TEST_CASE("a rate says how many cables there are, and how fast each is per direction") {
  CHECK(drawing::rate_text(bundle_of(1, 16e9, 16e9)) == "16 GB/s");
  CHECK(drawing::rate_text(bundle_of(2, 50e9, 50e9)) == "2 x 25 GB/s");
  CHECK(drawing::rate_text(bundle_of(1, 8e9, 16e9)) == "8 GB/s, back 16 GB/s");
  CHECK(drawing::rate_text(bundle_of(3, 8e9, 16e9)) == "3 cables, 8 GB/s, back 16 GB/s");
  drawing::Bundle mixed = bundle_of(12, 275e9, 275e9);
  mixed.most = 25e9;
  CHECK(drawing::rate_text(mixed) == "12 cables, 275 GB/s");
}

TEST_CASE("of many things, each one's share of the cables is told where it is whole") {
  drawing::Figure gpus{drawing::Role::gpu, {}, 72};
  CHECK(drawing::share_text(bundle_of(1'296, 1, 1), gpus) == "18 a GPU");
  CHECK(drawing::share_text(bundle_of(100, 1, 1), gpus) == "");
  gpus.count = 1;
  CHECK(drawing::share_text(bundle_of(18, 1, 1), gpus) == "");
}

TEST_CASE("heat has one percentage where both directions have it, or else an arrow for each") {
  drawing::Bundle bundle = heated(0.5, 0.5);
  CHECK(drawing::heat_text(bundle, {0, 0}, {100, 0}) == "50 %");
  bundle = heated(0.5, 0.25);
  CHECK(drawing::heat_text(bundle, {0, 0}, {100, 0}) == "→ 50 %\n← 25 %");
  CHECK(drawing::heat_text(bundle, {100, 0}, {0, 0}) == "→ 25 %\n← 50 %");
  CHECK(drawing::heat_text(bundle, {0, 0}, {0, 100}) == "↑ 50 %\n↓ 25 %");
  CHECK(drawing::heat_text(bundle, {0, 100}, {0, 0}) == "↑ 25 %\n↓ 50 %");
  bundle = heated(0.5, 0.004);
  CHECK(drawing::heat_text(bundle, {0, 0}, {0, 100}) == "↑ 50 %");
  bundle.half_duplex = true;
  CHECK(drawing::heat_text(bundle, {0, 0}, {0, 100}) == "50 %");
}

TEST_CASE("heat of several links that differ is their mean, weighted by rate, and the busiest's") {
  CHECK(drawing::heat_text(heated(1, 1, false), {0, 0}, {100, 0}) == "50 %, up to 100 %");
  CHECK(drawing::heat_text(heated(1, 0, false), {0, 0}, {100, 0}) == "→ 50 %, up to 100 %");
  CHECK(drawing::heat_text(heated(0.5, 0.25, false), {0, 0}, {0, 100}) ==
        "↑ 25 %, up to 50 %\n↓ 12 %, up to 25 %");
  CHECK(drawing::has_uneven_heat(heated(0.5, 0.5, false)));
  CHECK_FALSE(drawing::has_uneven_heat(heated(0.5, 0.25)));
  CHECK_FALSE(drawing::has_uneven_heat(heated(0.004, 0, false)));
}

TEST_CASE("a bundle's mean heat is what its links carry over what they could") {
  Topology::Parts parts = cluster(9, 1);  // one figure of 9 boxes, one line of 9 cables
  DrawingOptions options;
  options.heat = Heat{std::vector<double>(parts.links.size()),
                      std::vector<double>(parts.nodes.size()), "a run"};
  for (std::size_t link = 0; link < parts.links.size(); ++link)
    if (parts.links[link].kind == LinkKind::network &&
        parts.links[link].from < parts.links[link].to)
      options.heat->links[link] = link % 4 == 0 ? 0.9 : 0.45;
  const drawing::Picture picture = folded(parts, options);
  REQUIRE(picture.bundles.size() == 1);
  CHECK(picture.bundles[0].carried_there / picture.bundles[0].there ==
        doctest::Approx((4 * 0.9 + 5 * 0.45) / 9));
  CHECK(drawing::heat_text(picture.bundles[0], {0, 0}, {0, 100}) == "↑ 65 %, up to 90 %");
}

TEST_CASE(
    "a label that all of three lines have, or most of six, is the kind's, multiples are short") {
  const auto labels = [](const Topology::Parts& parts) {
    drawing::Picture picture = folded(parts);
    drawing::label_bundles(picture, {}, 100);
    std::vector<std::string> texts = {picture.common_labels[static_cast<int>(LinkKind::pcie)]};
    for (const drawing::Bundle& bundle : picture.bundles) texts.push_back(bundle.label);
    return texts;
  };
  CHECK(labels(star(2)) == Lines{"", "16 GB/s", "16 GB/s"});
  CHECK(labels(star(3)) == Lines{"16 GB/s", "", "", ""});
  Topology::Parts unlike = star(7);
  for (Link* link : {&unlike.links[2], &unlike.links[3]}) {
    link->count = 2;
    link->bandwidth = link->usable = gigabytes(32);
  }
  CHECK(labels(unlike) == Lines{"16 GB/s", "", "2 x", "", "", "", "", ""});
}

TEST_CASE("where labels would be too many there are none") {
  drawing::Picture picture = folded(star(2));
  drawing::label_bundles(picture, {}, 1);
  CHECK(picture.unlabelled);
  for (const drawing::Bundle& bundle : picture.bundles) CHECK(bundle.label == "");
}

}  // namespace syncsim::testing::labels_test
