// The machine as a page draws it.

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/report/heat.h"
#include "sim/report/page/page_json.h"
#include "tests/report/reports.h"

namespace syncsim::testing::picture_json_test {
namespace {

using Json = nlohmann::ordered_json;

Json textbook_picture() {
  const Topology machine = load_topology("pcie_4gpu", SYNCSIM_SHELF);
  return picture_json(machine, {.heat = heat_of(textbook_report(), machine)});
}

const Json& named(const Json& figures, const std::string& name) {
  for (const Json& figure : figures)
    if (figure["tooltip"] == name) return figure;
  throw std::runtime_error("no figure " + name);
}

const Json& between(const Json& picture, const std::string& cable) {
  for (const Json& line : picture["lines"])
    if (line["cable"] == cable) return line;
  throw std::runtime_error("no line " + cable);
}

}  // namespace

TEST_CASE("every node is a figure within the picture, the CPU above the switch and the GPUs") {
  const Json picture = textbook_picture();
  REQUIRE(picture["figures"].size() == 6);
  for (const Json& figure : picture["figures"]) {
    CHECK(figure["x"].get<double>() >= figure["width"].get<double>() / 2);
    CHECK(figure["y"].get<double>() >= figure["height"].get<double>() / 2);
    CHECK(figure["x"] <= picture["width"]);
    CHECK(figure["y"] <= picture["height"]);
  }
  const Json& figures = picture["figures"];
  CHECK(named(figures, "cpu0")["y"] < named(figures, "switch0")["y"]);
  CHECK(named(figures, "switch0")["y"] < named(figures, "gpu0")["y"]);
  CHECK(named(figures, "gpu0")["role"] == "gpu");
  CHECK(named(figures, "switch0")["role"] == "pcie_switch");
}

// central_gpu takes 60 ms: gpu0's cable is full for 30 ms in either direction, the others' for 10.
TEST_CASE("a line has each direction's bandwidth, rate and utilization") {
  const Json picture = textbook_picture();
  const Json& root = between(picture, "gpu0-switch0");
  CHECK(root["kind"] == "pcie");
  CHECK(root["cables"] == 1);
  for (const char* way : {"there", "back"}) {
    CHECK(root[way]["Bps"] == 16e9);
    CHECK(root[way]["carried_Bps"] == 8e9);
    CHECK(root[way]["hottest"] == 0.5);
  }
  CHECK(between(picture, "switch0-cpu0")["there"]["hottest"] == 0);
}

TEST_CASE("a line leads from one of its figures to the other, in cubic curves") {
  const Json picture = textbook_picture();
  const Json& line = between(picture, "gpu2-switch0");
  REQUIRE(line["curves"].size() == 1);
  CHECK(line["curves"][0].size() % 6 == 2);
  const Json& gpu = named(picture["figures"], "gpu2");
  const Json& end = picture["figures"][line["a"].get<std::size_t>()] == gpu
                        ? line["curves"][0][0]
                        : line["curves"][0][line["curves"][0].size() - 2];
  CHECK(std::abs(end.get<double>() - gpu["x"].get<double>()) <= gpu["width"].get<double>() / 2);
}

TEST_CASE("the ramp's first colour is that of idle links, the last that of full ones") {
  const Json ramp = ramp_json();
  CHECK(ramp.size() == 21);
  CHECK(ramp.front() == "#C8C8C8");
  CHECK(ramp.back() == "#800026");
}

}  // namespace syncsim::testing::picture_json_test
