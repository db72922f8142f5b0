#include "sim/scenario/predict/suspects.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>

#include "sim/scenario/setting.h"

namespace syncsim::suspects_test {
namespace {

const RunSettings kSettings{.shelf = SYNCSIM_SHELF};

struct Place {
  Setting setting;
  explicit Place(const std::string& topology)
      : setting(setting_of(
            [&] {
              Point point;
              point.topology = topology;
              point.bytes = {1 << 20};
              return point;
            }(),
            kSettings)) {}
  Scene scene() const { return {setting.machine, setting.ranks, {}, ""}; }
};

std::vector<std::string> agains(const std::vector<Variant>& variants) {
  std::vector<std::string> texts;
  for (const Variant& variant : variants) texts.push_back(variant.again);
  return texts;
}

}  // namespace

TEST_CASE("every suspect says what people would check, and is a change or a fitted figure") {
  for (const Suspect& suspect : suspects().rows()) {
    CAPTURE(suspect.name);
    CHECK(suspect.check != "");
    CHECK((suspect.variants == nullptr) != (suspect.fit == nullptr));
    CHECK((suspect.fit != nullptr) == (suspect.cause == Cause::fitted));
  }
}

TEST_CASE("variants are of what the machine has, and apply to it") {
  for (const char* topology : {"dgx_a100", "dgx_a100_x2", "a100_pcie_quad", "mi300x", "hgx_h100"}) {
    const Place place(topology);
    std::size_t count = 0;
    for (const Suspect& suspect : suspects().rows()) {
      if (suspect.variants == nullptr) continue;
      for (const Variant& variant : suspect.variants(place.scene())) {
        CAPTURE(topology);
        CAPTURE(variant.what);
        ++count;
        CHECK_NOTHROW(apply_edits(place.setting.machine, variant.edits));
      }
    }
    CHECK(count > 10);
  }
}

TEST_CASE("nics are taken from all machines alike") {
  CHECK(agains(nics_missing(Place("dgx_a100_x2").scene())) ==
        std::vector<std::string>{"--edit \"remove node:*/nic[4-7]\"",
                                 "--edit \"remove node:*/nic1\" --edit \"remove node:*/nic3\" "
                                 "--edit \"remove node:*/nic5\" "
                                 "--edit \"remove node:*/nic7\"",
                                 "--edit \"remove node:*/nic[1-7]\""});
  CHECK(agains(rail_lost(Place("dgx_a100_x2").scene())) ==
        std::vector<std::string>{"--edit \"remove node:*/nic0\"",
                                 "--edit \"remove node:node0/nic0\""});
  CHECK(nics_missing(Place("a100_pcie_quad").scene()).empty());
}

TEST_CASE("links that may be slow are of every kind on the way") {
  const std::vector<std::string> found = agains(slow_link(Place("dgx_a100_x2").scene()));
  const auto names = [&](const std::string& part) {
    for (const std::string& text : found)
      if (text.find(part) != text.npos) return true;
    return false;
  };
  CHECK(names("scale link:node0/gpu0-node0/nvs"));
  CHECK(names("/nic"));
  CHECK(names("bandwidth 0.25"));
}

TEST_CASE("terms that are said already are not tried") {
  const Place place("dgx_a100_x2");
  Scene scene = place.scene();
  scene.terms.launch = Launch::graph;
  scene.terms.network = Network::tcp;
  scene.terms.pins = {.channels = 4, .protocol = NcclProtocol::ll};
  CHECK(agains(other_launch(scene)) ==
        std::vector<std::string>{"--launch one_process", "--launch process_per_gpu"});
  CHECK(sockets(scene).empty());
  CHECK(agains(few_channels(scene)) == std::vector<std::string>{"--channels 1", "--channels 2"});
  CHECK(agains(protocol_pinned(scene)) ==
        std::vector<std::string>{"--protocol ll128", "--protocol simple"});
  scene.terms.network = Network::infiniband;
  CHECK(agains(sockets(scene)) == std::vector<std::string>{"--network tcp"});
  CHECK(sockets(Place("dgx_a100").scene()).empty());
}

TEST_CASE("without sums in the switches there are none") {
  const Place place("hgx_h100");
  const std::vector<Variant> variants = nvls_off(place.scene());
  REQUIRE(variants.size() == 1);
  const Topology machine = apply_edits(place.setting.machine, variants[0].edits);
  for (const Node& node : machine.nodes()) CHECK(node.abilities == Abilities{});
  CHECK(nvls_off(Place("dgx_a100").scene()).empty());
}

TEST_CASE("fitted figures are exact: predicted + 25 us, or bytes at 2 GB/s") {
  std::vector<FitRow> rows;
  for (const int bytes : {1000, 2000, 4000, 8000})
    rows.push_back({Bytes{bytes}, 25 + bytes * 1e-3, bytes * 1e-3});
  const auto more = extra_latency(rows, SizeClass::small, 1);
  REQUIRE(more.has_value());
  CHECK(more->what == "latency: +25 us a call");
  CHECK(log_error(rows, more->times) == doctest::Approx(0));
  CHECK(!rate_cap(rows, SizeClass::small, 1));
  CHECK(!extra_latency(std::span(rows).first(2), SizeClass::small, 1));

  std::vector<FitRow> capped;
  for (const int bytes : {1000, 2000, 4000, 8000})
    capped.push_back({Bytes{bytes}, bytes / 2e3, bytes / 1e4});
  const auto cap = rate_cap(capped, SizeClass::large, 1.5);
  REQUIRE(cap.has_value());
  CHECK(cap->what == "a cap of 3 GB/s of bus bandwidth, as TCP flows have");
  CHECK(log_error(capped, cap->times) == doctest::Approx(0));
  CHECK(!extra_latency(capped, SizeClass::large, 1));
}

TEST_CASE("a cap holds back only what would be faster") {
  // Two rows that are slower than the cap by themselves.
  const std::vector<FitRow> rows = {
      {Bytes{1000}, 10, 10}, {Bytes{2000}, 11, 11}, {Bytes{40000}, 40, 15}, {Bytes{80000}, 80, 20}};
  const auto cap = rate_cap(rows, SizeClass::middle, 1);
  REQUIRE(cap.has_value());
  CHECK(cap->times == std::vector<double>{10, 11, 40, 80});
}

TEST_CASE("of rows some of which are disturbed, the others are fitted") {
  std::vector<FitRow> rows;
  for (const double measured : {30.0, 31.0, 500.0, 32.0, 33.0, 700.0, 34.0, 35.0})
    rows.push_back({Bytes{8 << rows.size()}, measured, measured - 20});
  CHECK(!disturbed(rows, SizeClass::small, 1));
  for (const std::size_t i : {2u, 5u}) rows[i] = {rows[i].bytes, rows[i].measured, 12, true};
  const auto fitted = disturbed(rows, SizeClass::small, 1);
  REQUIRE(fitted.has_value());
  CHECK(fitted->what == "2 of 8 rows disturbed, and of the others latency: +20 us a call");
  CHECK(log_error(rows, fitted->times) == doctest::Approx(0));
}

TEST_CASE("of very many rows the best figure is that of some of them, near the best of all") {
  std::vector<FitRow> rows;
  for (int i = 1; i <= 5001; ++i) rows.push_back({Bytes{8}, 1e6 + i, 1e6});
  const auto best = best_figure(
      rows, [](const FitRow& row) { return row.measured - row.predicted; },
      [](const FitRow& row, double more) { return row.predicted + more; });
  REQUIRE(best.has_value());
  CHECK(best->first == doctest::Approx(2501).epsilon(0.01));  // the median
  CHECK(best->second.size() == rows.size());
}

TEST_CASE("log errors are means of magnitudes") {
  const std::vector<FitRow> rows = {{Bytes{8}, 2, 1}, {Bytes{16}, 1, 2}};
  CHECK(log_error(rows, std::vector<double>{1, 2}) == doctest::Approx(std::log(2)));
  CHECK(log_error(rows, std::vector<double>{2, 1}) == 0);
}

}  // namespace syncsim::suspects_test
