// Wrong command lines.

#include "tests/cli/refusals.h"

namespace syncsim::testing::refused_options_test {
namespace {

// A command line and the one line it gets.
struct Line {
  Arguments arguments;
  const char* message;
};

template <std::size_t count>
void check_lines(const Arguments& before, const Line (&lines)[count]) {
  for (const Line& line : lines) {
    CAPTURE(line.message);
    check_refused(syncsim(with(before, line.arguments)), line.message);
  }
}

const Arguments kMachine = {"run", "--topology", "pcie_4gpu"};
const Arguments kRing = {"run",  "--topology", "pcie_4gpu", "--strategy",
                         "ring", "--bytes",    "160 MB"};

}  // namespace

TEST_CASE("unknown names get did-you-mean, at their option") {
  check_lines({},
              {{{"rnu"}, R"(unknown command "rnu"; did you mean "run"?)"},
               {{"list", "strategis"}, R"(unknown list "strategis"; did you mean "strategies"?)"},
               {{"list", "strategies", "--format", "jsn"},
                R"(--format: unknown format "jsn"; did you mean "json"?)"},
               {{"check", "x.json", "--format", "txt"},
                R"(--format: unknown format "txt"; did you mean "text"?)"},
               {{"run", "--topology", "pcie_4gpus", "--strategy", "ring", "--bytes", "1 MB"},
                R"(--topology: unknown topology "pcie_4gpus"; did you mean "pcie_4gpu"?)"}});
  check_lines(
      kRing,
      {{{"--overhead", "9000000 s"},
        "--overhead: 9000000 s is too long for a latency or an overhead; write at most 1 s"},
       {{"--strategy", "rign"}, R"(--strategy: unknown strategy "rign"; did you mean "ring"?)"},
       {{"--collective", "allreduc"},
        R"(--collective: unknown collective "allreduc"; did you mean "allreduce"?)"},
       {{"--format", "jsn"}, R"(--format: unknown format "jsn"; did you mean "json"?)"},
       {{"--executor", "simulate"},
        R"(--executor: unknown executor "simulate"; did you mean "simulated"?)"},
       {{"--datatype", "float23"},
        R"(--datatype: unknown datatype "float23"; did you mean "float32"?)"},
       {{"--rates", "lin"}, R"(--rates: unknown rates "lin"; did you mean "line"?)"},
       {{"--param", "chunk=3"},
        R"(--param: unknown ring parameter "chunk"; )"
        R"(did you mean "chunks"?)"},
       {{"--link"}, R"(unknown option "--link"; did you mean "--links"?)"},
       {{"--seeed=3"}, R"(unknown option "--seeed"; did you mean "--seed"?)"}});
}

TEST_CASE("what a command lacks is told with its help") {
  check_lines(
      {}, {{{},
            "no command is given; choose one of bound, calibrate, check, compare, completion, "
            "execute, figures, flows, list, "
            "manual, model, plan, predict, run, sweep, topology, train, validate, "
            "verify"},
           {{"check"}, "check: PATH is required; see syncsim check --help"},
           {{"run", "--topology", "dgx2", "--strategy", "ring"},
            "nothing to run: without scenario files, --bytes is missing; "
            "write such as: syncsim run --topology pcie_4gpu --strategy ring,distributed --bytes "
            "\"160 MB\""},
           {{"run", "--bytes"}, "run: --bytes: 1 required TEXT missing; see syncsim run --help"}});
}

TEST_CASE("wrong sizes are refused at --bytes") {
  check_lines(
      with(kMachine, {"--strategy", "ring"}),
      {{{"--bytes", "160"}, R"(--bytes: "160" has no unit; write "160 MB")"},
       {{"--bytes", ""}, R"(--bytes: the size is empty; write "16 MB")"},
       {{"--bytes", "1 MB,,2 MB"}, R"(--bytes: the size is empty; write "16 MB")"},
       {{"--bytes", "-160 MB"}, R"(--bytes: "-160 MB" is negative; write a size without a sign)"},
       {{"--bytes", "7 B"}, "--bytes: 7 B is no multiple of float32's 4 bytes; write 4 B or 8 B"},
       {{"--bytes", "1.5 B"},
        R"(--bytes: "1.5 B" is no whole number of bytes; round it to whole bytes)"},
       {{"--bytes", "99999999999 TB"},
        R"(--bytes: "99999999999 TB" is too large; write at most "9223372036854775807 B")"},
       {{"--bytes", "160 mb"},
        R"(--bytes: "160 mb" has the unknown unit "mb"; did you mean "MB"?)"}});
}

TEST_CASE("wrong ranks, roots, reductions and seeds are refused at their options") {
  check_lines(
      kRing, {{{"--ranks", "0-4"}, "--ranks: rank 4 does not exist on pcie_4gpu; use ranks 0 to 3"},
              {{"--ranks", "0,0"},
               R"(--ranks: ranks "0,0": rank 0 stands twice; )"
               R"(write ranks and ranges such as "0-3" or "0,2,5-7")"},
              {{"--ranks", "0;1"},
               R"(--ranks: ranks "0;1": unexpected ";1"; )"
               R"(write ranks and ranges such as "0-3" or "0,2,5-7")"},
              {{"--ranks", "0-99999999999"},
               R"(--ranks: ranks "0-99999999999": a rank is missing or too large; )"
               R"(write ranks and ranges such as "0-3" or "0,2,5-7")"},
              {{"--ranks", ""},
               R"(--ranks: ranks "": a rank is missing or too large; )"
               R"(write ranks and ranges such as "0-3" or "0,2,5-7")"},
              {{"--root", "4"}, "--root: root 4 is no rank; write a rank from 0 to 3"},
              {{"--root", "-1"}, R"(--root: "-1" is out of range; write one from 0 to 16777215)"},
              {{"--root", "x"}, R"(--root: "x" is no whole number; write one from 0 to 16777215)"},
              {{"--reduction", "stagd"},
               R"(--reduction: unknown reduction "stagd"; did you mean "staged"?)"},
              {{"--seed", "4294967296"},
               R"(--seed: "4294967296" is out of range; write one from 0 to 4294967295)"}});
}

TEST_CASE("wrong parameters are refused") {
  check_lines(
      kRing, {{{"--param", "chunks"},
               R"(--param: "chunks" is no name=value; )"
               R"(write --param chunks=8)"},
              {{"--param", "chunks=1", "--param", "chunks=2"},
               R"(--param: "chunks" is given twice; give it once)"},
              {{"--param", "chunks=many"},
               R"(--param: ring parameter chunks: "many" is no whole number; )"
               R"(write one from 1 to 1000000)"},
              {{"--param", "chunks=0"},
               R"(--param: ring parameter chunks: "0" is out of range; )"
               R"(write one from 1 to 1000000)"},
              {{"--param", "directions=bth"},
               R"(--param: ring parameter directions: unknown choice "bth"; did you mean "both"?)"},
              {{"--param", "rings=0,1,2"},
               R"(--param: ring parameter rings: ring "0,1,2" leaves out rank 3; )"
               R"(name each of the ranks 0 to 3 once, separated by commas, )"
               R"(such as "0,1,2" or "0,1,2 x2")"}});
}

TEST_CASE("runs that outlast simulated time are refused at their size") {
  check_lines(kMachine, {{{"--strategy", "ring", "--bytes", "9000000000 GB"},
                          "--bytes: simulated time would pass 2^63 - 1 ps (about 106 days); move "
                          "less, over faster links, at less overhead and latency"}});
}

TEST_CASE("wrong edits are refused at --edit") {
  check_lines(
      kRing,
      {{{"--edit", "remove kind:nvlink"},
        R"(--edit: edit "remove kind:nvlink": no link is of kind "nvlink"; choose one of pcie)"},
       {{"--edit", "remove node:gpu9"},
        R"(--edit: edit "remove node:gpu9": no node is called "gpu9"; did you mean "gpu0"?)"},
       {{"--edit", "remove link:gpu0-switch0"},
        "--edit: edit \"remove link:gpu0-switch0\": gpu0 (rank 0) is cut off from all other "
        "ranks; keep a way between them, or leave some out of the ranks"},
       {{"--edit", "link:gpu0-switch0 bandwidth=0 GB/s"},
        R"(--edit: edit "link:gpu0-switch0 bandwidth=0 GB/s": "0 GB/s" is zero; )"
        R"(write a bandwidth above zero, such as "16 GB/s")"},
       {{"--edit", "link:gpu0-switch0 bandwith=8 GB/s"},
        R"(--edit: edit "link:gpu0-switch0 bandwith=8 GB/s": unknown key "bandwith"; )"
        R"(did you mean "bandwidth"?)"},
       {{"--edit", "remov link:gpu0-switch0"},
        R"(--edit: edit "remov link:gpu0-switch0": unknown edit "remov"; )"
        R"(did you mean "remove"?)"}});
}

TEST_CASE("options that say a point are refused beside a scenario file, which says its own") {
  const TemporaryFolder folder;
  folder.write("s.json", R"({"topology": "pcie_4gpu", "strategy": "ring", "bytes": 4})");
  const Arguments options[] = {{"--topology", "pcie_8gpu"},
                               {"--bytes", "8 B"},
                               {"--ranks", "0-1"},
                               {"--collective", "reduce"},
                               {"--edit", "remove node:gpu0"},
                               {"--seed", "0"}};
  for (const Arguments& option : options)
    check_refused(syncsim(with({"run", "s.json"}, option), folder.path()),
                  option[0] +
                      ": \"s.json\" is taken for a scenario file, which says its own points; "
                      "leave one of the two out; values of an option are separated by commas");
}

}  // namespace syncsim::testing::refused_options_test
