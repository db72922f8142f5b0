// `topology validate`: every file is judged, and one that is bad makes the exit code 2.

#include "tests/cli/refusals.h"

namespace syncsim::testing::topology_validate_test {
namespace {

constexpr const char* kGood = R"({"name": "m", "nodes": [{"id": "gpu0", "kind": "gpu"}]})";

}  // namespace

TEST_CASE("good files are told with their size") {
  const Outcome outcome =
      syncsim({"topology", "validate", "topologies/dgx1v.json", "topologies/pcie_4gpu.json"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err == "");
  CHECK(outcome.out ==
        "topologies/dgx1v.json: good: 8 ranks, 18 nodes, 41 cables\n"
        "topologies/pcie_4gpu.json: good: 4 ranks, 6 nodes, 5 cables\n");
}

TEST_CASE("a bad file does not keep the others from being checked") {
  const TemporaryFolder folder;
  folder.write("a.json", R"({"name": "m"})");
  folder.write("b.json", kGood);
  folder.write("c.txt", "x");  // a file, whatever it is called
  const Outcome outcome =
      syncsim({"topology", "validate", "a.json", "b.json", "c.txt", "d.json"}, folder.path());
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out == "b.json: good: 1 rank, 1 node, 0 cables\n");
  CHECK("\n" + outcome.err == R"(
syncsim: a.json:/: "nodes" is missing; add "nodes": [{"id": "gpu[0-3]", "kind": "gpu"}]
syncsim: c.txt:1:1: unexpected 'x'; write a number, a string in double quotes, true, false, null, [...] or {...}
syncsim: there is no file "d.json"; name a topology file, or a shipped machine without ".json"
)");
}

TEST_CASE("the verdicts as JSON are one object") {
  const TemporaryFolder folder;
  folder.write("a.json", R"({"name": "m"})");
  folder.write("b.json", kGood);
  const Outcome outcome =
      syncsim({"topology", "validate", "b.json", "a.json", "--format", "json"}, folder.path());
  CHECK(outcome.exit_code == 2);
  CHECK(Json::parse(outcome.out).dump() ==
        R"({"files":[{"file":"b.json","good":true,"ranks":1,"nodes":1,"cables":0},)"
        R"({"file":"a.json","good":false,"error":"a.json:/: \"nodes\" is missing; )"
        R"(add \"nodes\": [{\"id\": \"gpu[0-3]\", \"kind\": \"gpu\"}]"}],"bad":1})");
}

TEST_CASE("a bandwidth that PCIe lanes and generation contradict is told") {
  const TemporaryFolder folder;
  folder.write("m.json", R"({"name": "m", "link_types": {"x16": {"kind": "pcie",
    "bandwidth": "2 GB/s", "lanes": 16, "generation": 4}}, "nodes": [{"id": "gpu[0-1]",
    "kind": "gpu"}, {"id": "plx0", "kind": "switch"}],
    "links": [{"between": ["gpu[0-1]", "plx0"], "type": "x16"}]})");
  const std::string told =
      "m.json: gpu0-plx0 and 1 more: the bandwidth is 2 GB/s, and PCIe generation 4 x16 has "
      "31.5077 GB/s; took the bandwidth\n";
  const Outcome outcome = syncsim({"topology", "validate", "m.json"}, folder.path());
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err == "syncsim: warning: " + told);
  CHECK(syncsim({"topology", "show", "m.json"}, folder.path()).err ==
        "syncsim: warning: " + told.substr(8));
  CHECK(syncsim({"topology", "validate", "pcie_4gpu_gen4"}, folder.path()).err == "");
}

TEST_CASE("what there is no memory for is bad") {
  const TemporaryFolder folder;
  folder.write("big.json", R"({"name": "m", "nodes": [{"id": "cpu[0-99999]", "kind": "cpu"}]})");
  const Outcome outcome =
      syncsim({"topology", "validate", "big.json", "--memory", "1 MB"}, folder.path());
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.err ==
        "syncsim: big.json:/nodes/0/id: the machine needs about 31 MB (100 k nodes, 0 cables), "
        "--memory allows 1.0 MB; build a smaller one, or allow more with --memory\n");
}

}  // namespace syncsim::testing::topology_validate_test
