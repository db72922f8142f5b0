// argv -> subcommand -> exit code. Results go to stdout, messages to stderr. The one place that
// catches errors: 0 good, 1 a claim failed, 2 bad input, 3 internal error.

#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <vector>

#include "sim/cli/command.h"

namespace syncsim::cli {
namespace {

constexpr const char* kVersion = "syncsim 0.1.0";

int bad_input(std::string_view message) {
  std::cerr << "syncsim: " << message << "\n";
  return kBadInput;
}

// CLI11 would only say that an argument was not expected.
void refuse_unknown_command(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return;
  commands().at(argv[1]);
}

int parse_and_run(int argc, char** argv) {
  CLI::App app("Simulates gradient synchronization on modelled hardware topologies.", "syncsim");
  app.set_version_flag("--version", kVersion);
  app.require_subcommand(1);
  std::vector<std::pair<CLI::App*, std::function<int()>>> actions;
  for (const Command& command : commands().rows()) {
    CLI::App* sub = app.add_subcommand(std::string(command.name), std::string(command.description));
    sub->footer("Example:\n  " + std::string(command.example));
    actions.emplace_back(sub, command.declare(*sub));
  }
  refuse_unknown_command(argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return app.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    return bad_input(std::string(error.what()) + "; see syncsim --help");
  }
  for (const auto& [sub, act] : actions)
    if (sub->parsed()) return act();
  return kGood;
}

int guarded(int argc, char** argv) {
  try {
    return parse_and_run(argc, argv);
  } catch (const InputError& error) {
    return bad_input(error.what());
  } catch (const std::bad_alloc&) {
    return bad_input("out of memory; ask for fewer ranks, chunks or points");
  } catch (const std::exception& error) {
    std::cerr << "syncsim: internal error: " << error.what() << "\n";
    return kInternalError;
  }
}

}  // namespace
}  // namespace syncsim::cli

int main(int argc, char** argv) { return syncsim::cli::guarded(argc, argv); }
