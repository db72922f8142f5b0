// The sources keep to the layers that CMakeLists.txt declares, and those to the design.

#include <doctest/doctest.h>

#include <algorithm>

#include "tests/architecture/sources.h"

namespace syncsim::testing::includes_test {
namespace {

using Names = std::set<std::string>;

// A small machine room of layers for the trees below.
const Layers kLayers = closed({{"base", {}},
                               {"topology", {"base"}},
                               {"schedule", {"topology"}},
                               {"engine", {"base"}},
                               {"exec", {"schedule", "engine"}},
                               {"strategies", {"schedule"}},
                               {"cli", {"exec", "strategies"}}});

// Every violation on a line of its own.
std::string told(const Sources& sources, const Layers& layers = kLayers) {
  std::string text;
  for (const std::string& line : violations(sources, layers)) text += line + "\n";
  return text;
}

}  // namespace

TEST_CASE("the sources include downwards only, only what exists, and without cycles") {
  const Sources sources = read_sources();
  REQUIRE(sources.contains("sim/base/units.h"));
  REQUIRE(sources.contains("strategies/ring.cpp"));
  CHECK(told(sources, closed(direct_layers())) == "");
}

TEST_CASE("the layers that CMake declares follow the design's order") {
  const std::vector<std::string> order = {"base",     "topology", "schedule", "engine",
                                          "analysis", "workload", "exec",     "report",
                                          "scenario", "cli"};
  const auto place = [&](const std::string& layer) {
    return std::find(order.begin(), order.end(), layer) - order.begin();
  };
  for (const auto& [layer, below] : closed(direct_layers())) {
    if (layer == "strategies") continue;
    CHECK_MESSAGE(place(layer) < std::ssize(order), layer);
    for (const std::string& lower : below)
      if (lower != "strategies") CHECK_MESSAGE(place(lower) < place(layer), layer, " on ", lower);
  }
}

TEST_CASE("engine sees base only - strategies see schedule and topology, never the engine") {
  const Layers layers = closed(direct_layers());
  CHECK(layers.at("engine") == Names{"base"});
  CHECK(layers.at("strategies") == Names{"schedule", "topology", "base"});
}

TEST_CASE("only cli brings strategies into sim/") {
  for (const auto& [layer, below] : closed(direct_layers()))
    CHECK_MESSAGE(below.contains("strategies") == (layer == "cli"), layer);
}

TEST_CASE("layers are read from CMake's words, without libraries, directories and exclusions") {
  const Layers layers = declared_layers(
      "syncsim_layer(base LIBRARIES fmt::fmt)\n"
      "syncsim_layer(strategies LAYERS base schedule DIRECTORY strategies)\n"
      "syncsim_layer(cli LAYERS base strategies LIBRARIES CLI11::CLI11 EXCLUDE main.cpp)\n");
  CHECK(layers == Layers{{"base", {}},
                         {"strategies", {"base", "schedule"}},
                         {"cli", {"base", "strategies"}}});
}

TEST_CASE("layers above each other are refused, and so are layers that nobody declares") {
  CHECK_THROWS_WITH(closed({{"a", {"b"}}, {"b", {"a"}}}), "a lies below itself");
  CHECK_THROWS_WITH(closed({{"a", {"b"}}}), "layer b is not declared");
}

TEST_CASE("a tree that keeps to the layers has no violations") {
  CHECK(told({{"sim/base/a.h", "#pragma once\n#include <vector>\n"},
              {"sim/base/b.cpp", "#include \"sim/base/a.h\"\n"},
              {"sim/exec/c.cpp", "#include \"sim/base/a.h\"\n"}}) == "");
}

TEST_CASE("an include that goes upwards is found") {
  CHECK(told({{"sim/base/a.h", "\n#include \"sim/topology/t.h\"\n"}, {"sim/topology/t.h", ""}}) ==
        "sim/base/a.h:2 includes sim/topology/t.h: base does not lie above topology\n");
}

TEST_CASE("the engine's look at a schedule is found, in angle brackets too") {
  CHECK(told({{"sim/engine/e.cpp", "#  include <sim/schedule/s.h>  // why\n"},
              {"sim/schedule/s.h", ""}}) ==
        "sim/engine/e.cpp:1 includes sim/schedule/s.h: engine does not lie above schedule\n");
}

TEST_CASE("a strategy's look at the engine is found") {
  CHECK(told({{"strategies/ring.cpp", "#include \"sim/engine/e.h\"\n"}, {"sim/engine/e.h", ""}}) ==
        "strategies/ring.cpp:1 includes sim/engine/e.h: strategies does not lie above "
        "engine\n");
}

TEST_CASE("an include of strategies from sim/ is found, even in cli, which links them") {
  CHECK(told({{"sim/cli/c.cpp", "#include \"strategies/strategies.h\"\n"},
              {"strategies/strategies.h", ""}}) ==
        "sim/cli/c.cpp:1 includes strategies/strategies.h: sim/ never sees strategies/\n");
}

TEST_CASE("an include that leads nowhere, or is not rooted at the repository, is found") {
  CHECK(told({{"sim/base/a.cpp", "#include \"sim/base/gone.h\"\n#include \"a.h\"\n"},
              {"sim/base/a.h", ""}}) ==
        "sim/base/a.cpp:1 includes sim/base/gone.h: there is no such file\n"
        "sim/base/a.cpp:2 includes a.h: there is no such file\n");
}

TEST_CASE("a file outside of all layers is found") {
  CHECK(told({{"sim/stray.h", ""}, {"sim/misc/m.h", ""}}, kLayers) ==
        "sim/misc/m.h is in no layer\n"
        "sim/stray.h is in no layer\n");
}

TEST_CASE("a cycle of files is found and told in its order") {
  CHECK(told({{"sim/base/a.h", "#include \"sim/base/b.h\"\n"},
              {"sim/base/b.h", "#include \"sim/base/c.h\"\n"},
              {"sim/base/c.h", "#include \"sim/base/b.h\"\n"}}) ==
        "cycle: sim/base/b.h -> sim/base/c.h -> sim/base/b.h\n");
  CHECK(told({{"sim/base/a.h", "#include \"sim/base/a.h\"\n"}}, kLayers) ==
        "cycle: sim/base/a.h -> sim/base/a.h\n");
}

}  // namespace syncsim::testing::includes_test
