// Colour: on terminals alone, and where nobody asks for none.

#include <doctest/doctest.h>

#include "tests/cli/child.h"

namespace syncsim::testing::colour_test {
namespace {

constexpr const char* kRed = "\033[31msyncsim:\033[0m unknown command \"rum\"";
constexpr const char* kPlain = "syncsim: unknown command \"rum\"";

std::string told_on_a_terminal(const Arguments& environment) {
  const TemporaryFolder folder;
  Child child(folder, {"rum"}, Terminal(100), "/dev/null", with({"/usr/bin/env"}, environment));
  CHECK(child.exit_code() == 2);
  return child.terminal_text();
}

Outcome compared(const Arguments& environment) {
  Arguments command = with({"/usr/bin/env"}, environment);
  command.push_back(SYNCSIM_BINARY);
  return run_program(with(command, {"compare", "--topology", "pcie_4gpu", "--bytes", "160 MB"}),
                     SYNCSIM_SOURCE_DIR);
}

}  // namespace

TEST_CASE("errors begin in red on a terminal") {
  CHECK(told_on_a_terminal({"-u", "NO_COLOR", "TERM=xterm"}).starts_with(kRed));
}

TEST_CASE("NO_COLOR and a dumb terminal have none") {
  for (const Arguments& environment :
       {Arguments{"TERM=xterm", "NO_COLOR=1"}, Arguments{"-u", "NO_COLOR", "TERM=dumb"},
        Arguments{"-u", "NO_COLOR", "-u", "TERM"},
        Arguments{"TERM=xterm", "NO_COLOR=1", "CLICOLOR_FORCE=1"}})
    CHECK(told_on_a_terminal(environment).starts_with(kPlain));
}

TEST_CASE("compare's best row is bold, with the same text") {
  const Outcome plain = compared({"-u", "CLICOLOR_FORCE", "TERM=xterm"});
  CHECK(plain.out.find('\033') == std::string::npos);
  std::string forced = compared({"-u", "NO_COLOR", "CLICOLOR_FORCE=1"}).out;
  const auto begin = forced.find("\n\033[1m");
  const auto end = forced.find("\033[0m\n");
  REQUIRE(begin != forced.npos);
  REQUIRE(end != forced.npos);
  CHECK(forced.find('\n', begin + 1) > end);
  forced.erase(end, 4).erase(begin + 1, 4);
  CHECK(forced == plain.out);
}

}  // namespace syncsim::testing::colour_test
