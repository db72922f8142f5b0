// Wrong topology files, as the user of `run` meets them.

#include "tests/cli/refusals.h"

namespace syncsim::testing::refused_topologies_test {
namespace {

const Arguments kRun = {"run",  "--topology", "machine.json", "--strategy",
                        "ring", "--bytes",    "160 MB"};

const Json kMachine = Json::parse(R"({
  "name": "machine",
  "link_types": {"x16": {"kind": "pcie", "bandwidth": "16 GB/s"}},
  "nodes": [{"id": "gpu[0-3]", "kind": "gpu"}, {"id": "switch[0-1]", "kind": "switch"}],
  "links": [{"between": ["gpu[0-3]", "switch0"], "type": "x16"}]
})");

struct Text {
  std::string text;
  const char* message;
};

constexpr const char* kWriteValue =
    "write a number, a string in double quotes, true, false, null, [...] or {...}";

}  // namespace

TEST_CASE("text that is no JSON object is refused with line and column") {
  using namespace std::string_literals;
  const std::string truncated = R"(machine.json:1:25: the text ends too early; )"s + kWriteValue;
  const std::string not_a_number = "machine.json:1:17: unexpected 'NaN'; "s + kWriteValue;
  const Text texts[] = {
      {R"({"name": "machine",})",
       "machine.json:1:20: a comma stands before '}'; remove that comma"},
      {R"({"name": "m", "nodes": [)", truncated.c_str()},
      {"{\"name\": \"a\",\n \"name\": \"b\"}",
       "machine.json:/name: key \"name\" stands twice in its object; keep one of the two"},
      {"{\"name\": \"\xff\"}", "machine.json:1:11: a byte is not UTF-8; save the file as UTF-8"},
      {"", "machine.json: the file is empty; write a JSON object"},
      {" \n\t\n", "machine.json: the file is empty; write a JSON object"},
      {"{\"na\0me\": 1}"s,
       "machine.json:1:5: a zero byte stands in the text; save the file as UTF-8"},
      {"{\n  // why\n}", "machine.json:2:3: comments are not JSON; remove this one"},
      {R"({"name":"m","x":NaN})", not_a_number.c_str()},
      {R"({"name": 1e999})",
       "machine.json:1:10: \"1e999\" is too large a number; stay below "
       "1.7e308"},
      {"{} x", "machine.json:1:4: unexpected 'x'; end the file after its one value"},
      {"[]", "machine.json:/: is a list; write an object {...}"},
      {"null", "machine.json:/: is null; write an object {...}"},
  };
  const TemporaryFolder folder;
  for (const Text& row : texts) {
    CAPTURE(row.text);
    folder.write("machine.json", row.text);
    check_refused(syncsim(kRun, folder.path()), row.message);
  }
}

TEST_CASE("nesting beyond 64 is refused at once, however deep") {
  std::string place = "machine.json:";
  for (int level = 0; level < 64; ++level) place += "/0";
  const TemporaryFolder folder;
  folder.write("machine.json", std::string(1'000'000, '['));
  check_refused(syncsim(kRun, folder.path()),
                place + ": lists and objects are nested deeper than 64; flatten them");
}

TEST_CASE("a file that is missing or a directory is refused by its name") {
  const TemporaryFolder folder;
  check_refused(syncsim(kRun, folder.path()),
                R"(--topology: there is no file "machine.json"; )"
                R"(name a topology file, or a shipped machine without ".json")");
  std::filesystem::create_directory(folder.path() + "/machine.json");
  check_refused(syncsim(kRun, folder.path()), "machine.json: is a directory; name a JSON file");
}

TEST_CASE("what is wrong in a topology is refused with its file and pointer: keys and types") {
  check_changes(
      kMachine, "machine.json", kRun,
      {{"/nods", "[]", R"(machine.json:/nods: unknown key "nods"; did you mean "nodes"?)"},
       {"/links/0/typ", R"("x16")",
        R"(machine.json:/links/0/typ: unknown key "typ"; did you mean "type"?)"},
       {"/link_types/x16/latancy", R"("1 us")",
        R"(machine.json:/link_types/x16/latancy: unknown key "latancy"; )"
        R"(did you mean "latency"?)"},
       {"/nodes", "",
        R"(machine.json:/: "nodes" is missing; )"
        R"(add "nodes": [{"id": "gpu[0-3]", "kind": "gpu"}])"},
       {"/nodes", R"({"id": "gpu0"})", "machine.json:/nodes: is an object; write a list [...]"},
       {"/links", R"("gpu0")", "machine.json:/links: is a string; write a list [...]"},
       {"/name", "7", "machine.json:/name: is the number 7; write a string"},
       {"/links/0/count", R"("2")",
        "machine.json:/links/0/count: is a string; write a whole number"},
       {"/links/0/count", "0",
        "machine.json:/links/0/count: 0 is out of range; write a whole number from 1 to "
        "2147483647"},
       {"/links/0/type", R"("x17")",
        R"(machine.json:/links/0/type: unknown link type "x17"; did you mean "x16"?)"}});
}

TEST_CASE("what is wrong in a topology is refused with its file and pointer: figures") {
  check_changes(
      kMachine, "machine.json", kRun,
      {{"/link_types/x16/bandwidth", R"("16")",
        R"(machine.json:/link_types/x16/bandwidth: "16" has no unit; write "16 GB/s")"},
       {"/link_types/x16/bandwidth", "16",
        "machine.json:/link_types/x16/bandwidth: is the number 16; write a bandwidth with a unit, "
        "such as \"16 GB/s\""},
       {"/link_types/x16/bandwidth", R"("-16 GB/s")",
        R"(machine.json:/link_types/x16/bandwidth: "-16 GB/s" is negative; )"
        R"(write a bandwidth without a sign)"},
       {"/link_types/x16/bandwidth", R"("0 GB/s")",
        R"(machine.json:/link_types/x16/bandwidth: "0 GB/s" is zero; )"
        R"(write a bandwidth above zero, such as "16 GB/s")"},
       {"/link_types/x16/bandwidth", R"("NaN GB/s")",
        R"(machine.json:/link_types/x16/bandwidth: "NaN GB/s" does not begin with a number; )"
        R"(write "16 GB/s")"},
       {"/link_types/x16/bandwidth", R"("16 GB")",
        R"(machine.json:/link_types/x16/bandwidth: "16 GB" has the unknown unit "GB"; )"
        R"(did you mean "GB/s"?)"},
       {"/link_types/x16/latency", R"("-1 us")",
        R"(machine.json:/link_types/x16/latency: "-1 us" is negative; write a time without a sign)"},
       {"/link_types/x16/usable", R"("20 GB/s")",
        "machine.json:/link_types/x16/usable: the usable bandwidth 20 GB/s is above the line rate "
        "16 GB/s; write at most the line rate"}});
}

TEST_CASE("what is wrong in a topology is refused with its file and pointer: nodes and links") {
  check_changes(
      kMachine, "machine.json", kRun,
      {{"/links/0/between/1", R"("swich0")",
        R"(machine.json:/links/0/between/1: unknown node "swich0"; did you mean "switch0"?)"},
       {"/nodes/2", R"({"id": "gpu2", "kind": "gpu"})",
        R"(machine.json:/nodes/2/id: node id "gpu2" appears twice; give every node its own id)"},
       {"/links/0/between/1", R"("switch[0-1]")",
        R"(machine.json:/links/0/between: "gpu[0-3]" is 4 nodes and "switch[0-1]" is 2; )"
        R"(write ranges of equal length, which pair up, or one node, which is a star's middle)"},
       {"/nodes/0/id", R"("gpu[0-99999999999]")",
        R"(machine.json:/nodes/0/id: "gpu[0-99999999999]" stands for more than 4000000 nodes; )"
        R"(one file may hold 4000000)"},
       {"/nodes/0/id", R"("gpu[3-0]")",
        R"(machine.json:/nodes/0/id: "gpu[3-0]" has a range that runs backwards; write [0-3])"},
       {"/links/0/between/0", R"("gpu[0-2]")",
        "machine.json:/: no route from gpu0 to gpu3; join them by links through nodes that forward "
        "(a gpu forwards only when it says so)"},
       {"/links/0/between", R"(["gpu0", "gpu0"])",
        R"(machine.json:/links/0/between: node "gpu0" is joined to itself; )"
        R"(join two different nodes)"},
       {"/links/1", R"({"between": ["gpu0", "switch0"], "type": "x16"})",
        "machine.json:/links/1/between: gpu0 and switch0 are joined by pcie twice, first by "
        "/links/0; merge them with \"count\""},
       {"/nodes/0/kind", R"("switch")",
        R"(machine.json:/: there are no ranks; add a node of kind "gpu" or list "ranks")"},
       {"/ranks", R"(["gpu0", "gpu0"])",
        R"(machine.json:/ranks/1: node "gpu0" is a rank twice; list every rank once)"}});
}

}  // namespace syncsim::testing::refused_topologies_test
