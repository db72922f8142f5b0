#include "sim/topology/architecture.h"

#include <doctest/doctest.h>

#include <string>

#include "sim/topology/topology_json.h"
#include "tests/support/refusal.h"

namespace syncsim::architecture_test {

TEST_CASE("architectures are read as their makers write them, and written back") {
  CHECK(parse_architecture("sm_90") == Architecture{90, 0});
  CHECK(parse_architecture("gfx90a") == Architecture{0, 0x90a});
  for (const char* text : {"sm_70", "sm_120", "gfx942", "gfx90a"})
    CHECK(to_string(parse_architecture(text)) == text);
  CHECK(to_string(Architecture{}).empty());
  CHECK_FALSE(Architecture{});
}

TEST_CASE("what is no architecture is refused") {
  for (const std::string text : {"", "sm90", "SM_90", "sm_", "sm_090", "sm_9x", "sm_0", "sm_70000",
                                 "gfx", "gfx90A", "gfx10000", "ampere", " sm_90"}) {
    CAPTURE(text);
    CHECK(testing::refusal_of([&] { parse_architecture(text); }) ==
          "\"" + text + R"(" is no gpu's architecture; write it as in "sm_90" or "gfx942")");
  }
}

TEST_CASE("files give architectures to gpus, and to nothing else") {
  const auto machine = [](const std::string& gpu, const std::string& cpu) {
    return read_topology(JsonFile::parse(R"({"name": "m", "nodes": [{"id": "gpu0", "kind": "gpu")" +
                                             gpu + R"(}, {"id": "cpu0", "kind": "cpu")" + cpu +
                                             "}]}",
                                         "m.json")
                             .root());
  };
  const std::string hopper = R"(, "architecture": "sm_90")";
  CHECK(machine(hopper, "").nodes()[0].architecture == Architecture{90, 0});
  CHECK_FALSE(machine("", "").nodes()[0].architecture);
  CHECK(testing::refusal_of([&] { machine(R"(, "architecture": "hopper")", ""); }) ==
        R"(m.json:/nodes/0/architecture: "hopper" is no gpu's architecture; )"
        R"(write it as in "sm_90" or "gfx942")");
  CHECK(testing::refusal_of([&] { machine("", hopper); }) ==
        R"(m.json:/nodes/1: node "cpu0" is a cpu with a gpu's architecture, sm_90; )"
        "give architectures to gpus");
}

}  // namespace syncsim::architecture_test
