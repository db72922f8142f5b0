#include "sim/topology/drawing/labels.h"

#include <doctest/doctest.h>

#include "tests/topology/drawing/pictures.h"

namespace syncsim::testing {
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

std::string ranges(const Lines& ids) { return drawing::ranges(ids); }

}  // namespace

TEST_CASE("numbered ids become ranges, in the order of their first ones") {
  CHECK(ranges({"gpu0"}) == "gpu0");
  CHECK(ranges({"gpu0", "gpu1", "gpu2", "gpu3"}) == "gpu[0-3]");
  CHECK(ranges({"node7/nic0", "node8/nic0"}) == "node7/nic0, node8/nic0");
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
  drawing::Bundle bundle;
  bundle.hottest_there = bundle.hottest_back = 0.5;
  CHECK(drawing::heat_text(bundle, {0, 0}, {100, 0}) == "50 %");
  bundle.hottest_back = 0.25;
  CHECK(drawing::heat_text(bundle, {0, 0}, {100, 0}) == "→ 50 %\n← 25 %");
  CHECK(drawing::heat_text(bundle, {100, 0}, {0, 0}) == "→ 25 %\n← 50 %");
  CHECK(drawing::heat_text(bundle, {0, 0}, {0, 100}) == "↑ 50 %\n↓ 25 %");
  CHECK(drawing::heat_text(bundle, {0, 100}, {0, 0}) == "↑ 25 %\n↓ 50 %");
  bundle.hottest_back = 0.004;
  CHECK(drawing::heat_text(bundle, {0, 0}, {0, 100}) == "↑ 50 %");
  bundle.half_duplex = true;
  CHECK(drawing::heat_text(bundle, {0, 0}, {0, 100}) == "50 %");
}

}  // namespace syncsim::testing
