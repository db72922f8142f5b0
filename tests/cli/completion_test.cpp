// Completion in shells, and the manual page.

#include <doctest/doctest.h>

#include <sstream>

#include "tests/cli/program.h"

namespace syncsim::testing::completion_test {
namespace {

// What is offered at the end of the words, on one line.
std::string offered(const Arguments& words) {
  const Outcome outcome = syncsim(with({"completion", "bash", "--"}, words));
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err == "");
  std::string text;
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) text += (text.empty() ? "" : " ") + line;
  return text;
}

}  // namespace

TEST_CASE("commands are completed, also those of a family") {
  CHECK(offered({"ver"}) == "verify");
  CHECK(offered({"co"}) == "compare completion");
  CHECK(offered({"topology", "dr"}) == "draw");
  CHECK(offered({"nothing-of-this-name"}) == "");
}

TEST_CASE("options are completed") {
  CHECK(offered({"run", "--topo"}) == "--topology");
  CHECK(offered({"run", "--strategy", "ring", "--ra"}) == "--ranks --rates");
}

TEST_CASE("values of options are completed, after an equals sign too, and after a comma") {
  CHECK(offered({"run", "--topology", "dgx1"}) == "dgx1p dgx1v dgx1v_x2");
  CHECK(offered({"run", "--topology=dgx1p"}) == "dgx1p");
  CHECK(offered({"run", "--topology", "=", "dgx1p"}) == "dgx1p");
  CHECK(offered({"run", "--rates", "="}) == "line usable");
  CHECK(offered({"run", "--strategy", "ring,swi"}) == "ring,swing");
  CHECK(offered({"check", "--format", "j"}) == "json junit");
  CHECK(offered({"list", "--format", "j"}) == "json");
  CHECK(offered({"predict", "--launch", "p"}) == "process_per_gpu");
  CHECK(offered({"predict", "--format", ""}) == "csv json text");
  CHECK(offered({"figures", "--format", "t"}) == "text thresholds");
  CHECK(offered({"calibrate", "--by", ""}) == "kind link");
  CHECK(offered({"calibrate", "--fit", "latency,re"}) == "latency,reduce");
}

TEST_CASE("names of parameters are completed, those of the strategies chosen before") {
  CHECK(offered({"run", "--strategy", "ring", "--param", ""}) == "chunks= directions= rings=");
  CHECK(offered({"run", "--strategy", "ring", "--param", "ch"}) == "chunks=");
  CHECK(offered({"run", "--strategy=ring", "--param", "r"}) == "rings=");
  CHECK(offered({"run", "--strategy", "=", "ring", "--param", "r"}) == "rings=");
  CHECK(offered({"run", "--strategy", "ring,central_cpu", "--param", ""}) ==
        "chunks= cpu= directions= order= rings=");
  CHECK(offered({"run", "--strategy", "ring", "--param", "chunks", "=", "4", "--param", "d"}) ==
        "directions=");
  CHECK(offered({"run", "--strategy", "ring", "--param", "chunks", "="}) == "");
  CHECK(offered({"run", "--strategy", "ring", "--param", "chunks", "=", "4", "--strat"}) ==
        "--strategy");
  CHECK(offered({"run", "--param", ""}) == "");
}

TEST_CASE("arguments are completed where they are names") {
  CHECK(offered({"list", "coll"}) == "collectives");
  CHECK(offered({"topology", "show", "mi3"}) == "mi300x mi300x_x2 mi350x");
  CHECK(offered({"figures", "mi3"}) == "mi300x mi300x_x2 mi350x");
  CHECK(offered({"run", "scen"}) == "");  // a file
}

TEST_CASE("bash completes by the script") {
  const std::string bin =
      std::string(SYNCSIM_BINARY).substr(0, std::string(SYNCSIM_BINARY).rfind('/'));
  const Outcome outcome = run_program(
      {"/bin/bash", "-c",
       "PATH=\"" + bin +
           ":$PATH\"; source <(syncsim completion bash); COMP_WORDS=(syncsim run --rates u); "
           "COMP_CWORD=3; _syncsim; echo \"${COMPREPLY[@]}\""},
      SYNCSIM_SOURCE_DIR);
  CHECK(outcome.out == "usable\n");
}

TEST_CASE("a shell that has no script is refused") {
  const Outcome outcome = syncsim({"completion", "bsh"});
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.err == "syncsim: unknown shell \"bsh\"; did you mean \"bash\"?\n");
}

TEST_CASE("the manual page has a section for every command") {
  const std::string page = syncsim({"manual"}).out;
  CHECK(page.starts_with(".TH SYNCSIM 1"));
  for (const char* command : {"run", "check", "compare", "topology draw"})
    CHECK(page.find("\n.SS \"syncsim " + std::string(command) + "\"\n") != page.npos);
  CHECK(page.find("\n.B \\-\\-topology VALUE\n") != page.npos);
}

TEST_CASE("help fits 100 columns") {
  for (const Arguments& command : {Arguments{}, Arguments{"run"}, Arguments{"compare"},
                                   Arguments{"topology"}, Arguments{"topology", "import"}}) {
    std::istringstream lines(syncsim(with(command, {"--help"})).out);
    for (std::string line; std::getline(lines, line);) CHECK_MESSAGE(line.size() <= 100, line);
  }
}

TEST_CASE("run without a word shows three commands to try") {
  const Outcome outcome = syncsim({"run"});
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out == "");
  std::istringstream lines(outcome.err);
  int commands = 0;
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("  syncsim run ")) {
      ++commands;
      CHECK(run_program({"/bin/sh", "-c", std::string(SYNCSIM_BINARY) + line.substr(9)},
                        SYNCSIM_SOURCE_DIR)
                .exit_code == 0);
    }
  CHECK(commands == 3);
}

}  // namespace syncsim::testing::completion_test
