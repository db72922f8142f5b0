// Wrong scenario files and wrong claims, as the user of `run` and `check` meets them.

#include "tests/cli/refusals.h"

namespace syncsim::testing::refused_scenarios_test {
namespace {

const Json kScenario = Json::parse(R"({
  "topology": "pcie_4gpu", "strategy": "ring", "bytes": "160 MB",
  "expect": [{"metric": "time", "value": "15 ms", "tolerance": "0.1 %"}]
})");

const Arguments kCheck = {"check", "s.json"};

}  // namespace

TEST_CASE("a scenario's wrong fields are refused with file and pointer: names and sizes") {
  check_changes(
      kScenario, "s.json", {"run", "s.json"},
      {{"/stratgy", R"("ring")",
        R"(s.json:/stratgy: unknown key "stratgy"; did you mean "strategy"?)"},
       {"/bytes", "",
        R"(s.json:/: "bytes" is missing; add "bytes", here, in every point or in the sweep)"},
       {"/topology", R"("pcie4gpu")",
        R"(s.json:/topology: unknown topology "pcie4gpu"; did you mean "pcie_4gpu"?)"},
       {"/topology", R"("none.json")",
        R"(s.json:/topology: there is no file "none.json"; )"
        R"(name a topology file, or a shipped machine without ".json")"},
       {"/strategy", R"("rign")",
        R"(s.json:/strategy: unknown strategy "rign"; did you mean "ring"?)"},
       {"/collective", R"("allreduc")",
        R"(s.json:/collective: unknown collective "allreduc"; did you mean "allreduce"?)"},
       {"/datatype", R"("float31")",
        R"(s.json:/datatype: unknown datatype "float31"; did you mean "float32"?)"},
       {"/executor", R"("simulatd")",
        R"(s.json:/executor: unknown executor "simulatd"; did you mean "simulated"?)"},
       {"/bytes", R"("160")", R"(s.json:/bytes: "160" has no unit; write "160 MB")"},
       {"/bytes", "-4", "s.json:/bytes: -4 is negative; write 0 or more bytes"},
       {"/bytes", "1.5", "s.json:/bytes: is the number 1.5; write a whole number"},
       {"/bytes", "7",
        "s.json:/bytes: 7 B is no multiple of float32's 4 bytes; write 4 B or 8 B"}});
}

TEST_CASE("a scenario's wrong fields are refused with file and pointer: ranks and parameters") {
  check_changes(
      kScenario, "s.json", {"run", "s.json"},
      {{"/ranks", R"("0-9")",
        "s.json:/ranks: rank 4 does not exist on pcie_4gpu; use ranks 0 to 3"},
       {"/ranks", R"("0-x")",
        R"(s.json:/ranks: ranks "0-x": a rank is missing or too large; )"
        R"(write ranks and ranges such as "0-3" or "0,2,5-7")"},
       {"/root", "-1", "s.json:/root: -1 is out of range; write a whole number from 0 to 16777215"},
       {"/root", "4", "s.json:/root: root 4 is no rank; write a rank from 0 to 3"},
       {"/parameters", R"({"chnks": 3})",
        R"(s.json:/parameters/chnks: unknown ring parameter "chnks"; did you mean "chunks"?)"},
       {"/parameters", R"({"chunks": 1.5})",
        "s.json:/parameters/chunks: is no parameter value; write text or a whole number"},
       {"/strategy", R"({"name": "ring", "parameters": {"chunks": 0}})",
        R"(s.json:/strategy/parameters/chunks: ring parameter chunks: "0" is out of range; )"
        R"(write one from 1 to 1000000)"},
       {"/overhead", R"("1")", R"(s.json:/overhead: "1" has no unit; write "1 us")"},
       {"/overhead", R"("2 s")",
        "s.json:/overhead: 2 s is too long for a latency or an overhead; write at most 1 s"}});
}

TEST_CASE("a scenario's wrong points, sweeps and edits are refused with file and pointer") {
  check_changes(
      kScenario, "s.json", {"run", "s.json"},
      {{"/points", "[]", "s.json:/points: is empty; list at least one point, or leave it out"},
       {"/points", R"([{"byte": 3}])",
        R"(s.json:/points/0/byte: unknown key "byte"; did you mean "bytes"?)"},
       {"/sweep", R"({"bytes": []})", "s.json:/sweep/bytes: is empty; list at least one value"},
       {"/sweep", R"({"bytes": "1 MB"})",
        R"(s.json:/sweep/bytes: "1 MB" is neither a list nor a range; write [...], or a range )"
        R"(such as "1 kB..1 GB x2")"},
       {"/sweep", R"({"bytes": ["1 MB", "2"]})",
        R"(s.json:/sweep/bytes/1: "2" has no unit; write "2 MB")"},
       {"/sweep", R"({"bytes": ["1 MB", 7]})",
        "s.json:/sweep/bytes/1: 7 B is no multiple of float32's 4 bytes; write 4 B or 8 B"},
       {"/edits", R"([{"remove": "link:gpu0-switch0"}])",
        "s.json:/edits/0: edit \"remove link:gpu0-switch0\": gpu0 (rank 0) is cut off from all "
        "other ranks; keep a way between them, or leave some out of the ranks"},
       {"/edits", R"(["link:gpu0-switch9 bandwidth=8 GB/s"])",
        R"(s.json:/edits/0: edit "link:gpu0-switch9 bandwidth=8 GB/s": no link is called )"
        R"("gpu0-switch9"; did you mean "gpu0-switch0"?)"},
       {"/edits", R"([{"link": "gpu0-switch0", "bandwidth": "8"}])",
        R"(s.json:/edits/0/bandwidth: "8" has no unit; write "8 GB/s")"},
       {"/edits", R"(["scale kind:pcie latency 2", "scale kind:nvlink latency 2"])",
        R"(s.json:/edits/1: edit "scale kind:nvlink latency 2": no link is of kind "nvlink"; )"
        R"(choose one of pcie)"},
       {"/edits", "[3]",
        R"(s.json:/edits/0: is the number 3; )"
        R"(write an edit such as "remove node:nic0", or an object {...})"},
       {"/edits", "[{}]",
        R"(s.json:/edits/0: an edit lacks what to change; )"
        R"(add "link", "kind", "node" or a verb, as in "remove": "node:nic0")"}});
}

TEST_CASE("a claim's wrong fields are refused with file and pointer") {
  check_changes(
      kScenario, "s.json", kCheck,
      {{"/expect", "", R"(s.json:/: claims nothing; add "expect": [...])"},
       {"/expect", "[]", R"(s.json:/: claims nothing; add "expect": [...])"},
       {"/expect", "{}", "s.json:/expect: is an object; write a list [...]"},
       {"/expect/0/at_least", R"("3 ms")",
        R"(s.json:/expect/0: has both "value" and "at_least"; make it two claims)"},
       {"/expect/0", R"({"metric": "time"})",
        "s.json:/expect/0: claims nothing; add one of value, at_least, at_most, order, less_than, "
        "over (with a value or bound), chosen, crossover"},
       {"/expect/0/metric", R"("tim")",
        R"(s.json:/expect/0/metric: unknown metric "tim"; did you mean "time"?)"},
       {"/expect/0/tolerance", "",
        R"(s.json:/expect/0: "tolerance" is missing; add "tolerance": "0.1 %")"},
       {"/expect/0/tolerance", R"("-1 %")",
        "s.json:/expect/0/tolerance: -1 % is negative; write 0 or more"},
       {"/expect/0/value", R"("15")", R"(s.json:/expect/0/value: "15" has no unit; write "15 us")"},
       {"/expect/0/tolernce", R"("1 %")",
        R"(s.json:/expect/0/tolernce: unknown key "tolernce"; did you mean "tolerance"?)"},
       {"/expect/0/where", R"({"strategy": "distributed"})",
        R"(s.json:/expect/0/where/strategy: selects no point: none has strategy "distributed"; )"
        "choose one of ring"},
       {"/expect/0", R"({"metric": "time", "order": "increasing"})",
        "s.json:/expect/0: orders one point; select two or more, or claim a value"},
       {"/expect/0/metric", R"("phase.all-gathr.time")",
        R"(s.json:/expect/0/metric: unknown phase of this run "all-gathr"; did you mean "all-gather"?)"}});
}

TEST_CASE("paths that hold no claims are refused by name") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() + "/claims");
  check_refused(syncsim({"check", "claims"}, folder.path()),
                "claims: holds no .json files; name a directory of claims");
  check_refused(syncsim(kCheck, folder.path()), "s.json: there is no such file; check the path");
}

TEST_CASE("a scenario that is not there is told with the one that may be meant") {
  const TemporaryFolder folder;
  folder.write("mine/ring_scaling.json", kScenario.dump());
  folder.write("straggler.json", kScenario.dump());
  for (const char* command : {"run", "check", "sweep"}) {
    CAPTURE(command);
    check_refused(syncsim({command, "mine/rign_scaling.json"}, folder.path()),
                  "mine/rign_scaling.json: there is no such file; did you mean "
                  "\"mine/ring_scaling.json\"?");
    check_refused(syncsim({command, "stragler.json"}, folder.path()),
                  "stragler.json: there is no such file; did you mean \"straggler.json\"?");
  }
  for (const char* shipped : {"x8_slot", "what_if/x8_slot.json", "nowhere/x8_slots"}) {
    const std::string told = syncsim({"run", shipped}, folder.path()).err;
    CHECK(told.starts_with("syncsim: " + std::string(shipped) +
                           ": there is no such file; did you mean \"/"));
    CHECK(told.ends_with("/scenarios/what_if/x8_slot.json\"?\n"));
  }
}

TEST_CASE("paths that cannot be followed are bad input in every command") {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("loop.json", folder.path() + "/loop.json");
  const std::string remedy = "; check the path and its permissions";
  check_refused(syncsim({"check", "loop.json"}, folder.path()),
                "loop.json: cannot be read: Too many levels of symbolic links" + remedy);
  check_refused(syncsim({"run", "--topology", "loop.json", "--strategy", "ring", "--bytes", "4 B"},
                        folder.path()),
                "loop.json: cannot be read: Too many levels of symbolic links" + remedy);
  const std::string longer(5'000, 'x');
  check_refused(syncsim({"check", longer}, folder.path()),
                longer + ": cannot be read: File name too long" + remedy);
}

TEST_CASE("a file's name is told on one line, whatever it is") {
  const TemporaryFolder folder;
  folder.write("a\nb.json", "{}");
  check_refused(syncsim({"check", "a\nb.json"}, folder.path()),
                R"(a\nb.json:/: "topology" is missing; )"
                R"(add "topology", here, in every point or in the sweep)");
}

}  // namespace syncsim::testing::refused_scenarios_test
