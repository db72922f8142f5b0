// Scenario files that are refused, by whole messages.

#include <doctest/doctest.h>

#include <string>

#include "sim/schedule/strategy.h"
#include "tests/scenario/scenarios.h"

namespace syncsim::scenario_refusal_test {
namespace {

using testing::read_refusal;
using testing::textbook;

}  // namespace

TEST_CASE("unknown keys are refused, in the file, in points, in a sweep and in a strategy") {
  CHECK(read_refusal(R"({"topologi": "pcie_4gpu"})") ==
        "s.json:/topologi: unknown key \"topologi\"; did you mean \"topology\"?");
  CHECK(read_refusal(R"({"points": [{"byte": 4}]})") ==
        "s.json:/points/0/byte: unknown key \"byte\"; did you mean \"bytes\"?");
  CHECK(read_refusal(R"({"points": [{"expect": []}]})") ==
        "s.json:/points/0/expect: unknown key \"expect\"; choose one of name, topology, edits, "
        "collective, bytes, datatype, root, ranks, strategy, parameters, executor, rates, ...");
  CHECK(read_refusal(R"({"sweep": {"rank": ["0-1"]}})") ==
        "s.json:/sweep/rank: unknown key \"rank\"; did you mean \"ranks\"?");
  CHECK(read_refusal(textbook(R"("strategy": {"name": "ring", "params": {}})")) ==
        "s.json:/strategy/params: unknown key \"params\"; choose one of name, parameters");
}

TEST_CASE("a point needs a machine, a strategy and a size") {
  CHECK(read_refusal(R"({"strategy": "ring", "bytes": 4})") ==
        "s.json:/: \"topology\" is missing; add \"topology\", here, in every point or in the "
        "sweep");
  CHECK(read_refusal(R"({"topology": "dgx2", "bytes": 4})") ==
        "s.json:/: \"strategy\" is missing; add \"strategy\", here, in every point or in the "
        "sweep");
  CHECK(read_refusal(R"({"topology": "dgx2", "points": [{"strategy": "ring", "bytes": 4},
                                                        {"strategy": "ring"}]})") ==
        "s.json:/: \"bytes\" is missing; add \"bytes\", here, in every point or in the sweep");
}

TEST_CASE("points and sweeps are not empty") {
  CHECK(read_refusal(textbook(R"("strategy": "ring", "points": [])")) ==
        "s.json:/points: is empty; list at least one point, or leave it out");
  CHECK(read_refusal(textbook(R"("sweep": {"strategy": []})")) ==
        "s.json:/sweep/strategy: is empty; list at least one value");
}

TEST_CASE("what should be a list or an object is said to be one") {
  CHECK(read_refusal("[]") == "s.json:/: is a list; write an object {...}");
  CHECK(read_refusal(textbook(R"("points": {})")) ==
        "s.json:/points: is an object; write a list [...]");
  CHECK(read_refusal(textbook(R"("sweep": [])")) ==
        "s.json:/sweep: is a list; write an object {...}");
  CHECK(read_refusal(textbook(R"("sweep": {"strategy": "ring"})")) ==
        "s.json:/sweep/strategy: is a string; write a list [...]");
  CHECK(
      read_refusal(textbook(R"("strategy": 4)")) ==
      "s.json:/strategy: is the number 4; write a name, or {\"name\": ..., \"parameters\": {...}}");
}

TEST_CASE("a sweep does not replace what a point says") {
  CHECK(read_refusal(R"({"topology": "dgx2", "strategy": "ring",
          "points": [{}, {"bytes": 8}], "sweep": {"bytes": [4]}})") ==
        "s.json:/sweep/bytes: sweeps over \"bytes\", which s.json:/points/1 sets; "
        "set it in one of the two");
}

TEST_CASE("a sweep makes at most a million points") {
  std::string axis = "[0";
  for (int i = 1; i < 1'001; ++i) axis += "," + std::to_string(i);
  CHECK(read_refusal(textbook(R"("strategy": "ring", "sweep": {"root": )" + axis +
                              R"(], "seed": )" + axis + "]}")) ==
        "s.json:/sweep/seed: makes more than 1000000 points; sweep over less");
}

TEST_CASE("unknown names are refused where they stand, with what was meant") {
  CHECK(read_refusal(textbook(R"("strategy": "rign")")) ==
        "s.json:/strategy: unknown strategy \"rign\"; did you mean \"ring\"?");
  CHECK(read_refusal(textbook(R"("sweep": {"strategy": ["ring", {"name": "distribted"}]})")) ==
        "s.json:/sweep/strategy/1: unknown strategy \"distribted\"; did you mean "
        "\"distributed\"?");
  CHECK(read_refusal(textbook(R"("strategy": "ring", "collective": "alreduce")")) ==
        "s.json:/collective: unknown collective \"alreduce\"; did you mean \"allreduce\"?");
  CHECK(read_refusal(textbook(R"("strategy": "ring", "datatype": "float31")")) ==
        "s.json:/datatype: unknown datatype \"float31\"; did you mean \"float32\"?");
  CHECK(read_refusal(textbook(R"("strategy": "ring", "rates": "useable")")) ==
        "s.json:/rates: unknown rates \"useable\"; did you mean \"usable\"?");
}

TEST_CASE("figures have units, and lie within their ranges") {
  CHECK(read_refusal(R"({"topology": "dgx2", "strategy": "ring", "bytes": "16"})") ==
        "s.json:/bytes: \"16\" has no unit; write \"16 MB\"");
  CHECK(read_refusal(R"({"topology": "dgx2", "strategy": "ring", "bytes": -4})") ==
        "s.json:/bytes: -4 is negative; write 0 or more bytes");
  CHECK(read_refusal(textbook(R"("strategy": "ring", "overhead": 3)")) ==
        "s.json:/overhead: is the number 3; write a time with a unit, such as \"2 us\"");
  CHECK(read_refusal(textbook(R"("strategy": "ring", "reduction": "stage")")) ==
        "s.json:/reduction: unknown reduction \"stage\"; did you mean \"staged\"?");
  CHECK(read_refusal(textbook(R"("strategy": "ring", "root": -1)")) ==
        "s.json:/root: -1 is out of range; write a whole number from 0 to 16777215");
  CHECK(read_refusal(textbook(R"("strategy": "ring", "seed": 4294967296)")) ==
        "s.json:/seed: 4294967296 is out of range; write a whole number from 0 to 4294967295");
}

TEST_CASE("ranks are text, and each stands once") {
  CHECK(read_refusal(textbook(R"("strategy": "ring", "ranks": "0,0")")) ==
        "s.json:/ranks: ranks \"0,0\": rank 0 stands twice; write ranks and ranges such as "
        "\"0-3\" or \"0,2,5-7\"");
  CHECK(read_refusal(textbook(R"("strategy": "ring", "ranks": 4)")) ==
        "s.json:/ranks: is the number 4; write a string");
}

TEST_CASE("parameters are text or whole numbers") {
  CHECK(read_refusal(textbook(R"("strategy": {"name": "ring", "parameters": {"chunks": 1.5}})")) ==
        "s.json:/strategy/parameters/chunks: is no parameter value; write text or a whole number");
  CHECK(read_refusal(textbook(R"("strategy": "ring", "parameters": {"chunks": [8]})")) ==
        "s.json:/parameters/chunks: is no parameter value; write text or a whole number");
}

TEST_CASE("edits that are none are refused where they stand") {
  CHECK(
      read_refusal(textbook(R"("strategy": "ring", "edits": ["remove kind:pcie", "paint it"])")) ==
      "s.json:/edits/1: \"paint it\" is no edit; write \"link:a-b bandwidth=8 GB/s\", "
      "\"scale kind:nvlink latency 0.5\" or \"remove node:nic0\"");
  CHECK(read_refusal(textbook(R"("strategy": "ring", "edits": [{"link": "a-b"}])")) ==
        "s.json:/edits/0: \"link:a-b\" changes no figure; write \"link:a-b bandwidth=8 GB/s\"");
}

}  // namespace syncsim::scenario_refusal_test
