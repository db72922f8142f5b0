// argv -> subcommand -> exit code. Results go to stdout, messages to stderr. The one place that
// catches errors: 0 good, 1 a claim failed, 2 bad input, 3 internal error.

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sim/base/quote.h"
#include "sim/cli/colour.h"
#include "sim/cli/command.h"
#include "sim/cli/failure.h"
#include "sim/cli/help_format.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/one_voice.h"
#include "sim/exec/processes/launcher.h"

namespace syncsim::cli {
namespace {

constexpr const char* kVersion = "syncsim 0.1.0";

// CLI11 would only say that an argument was not expected.
void refuse_unknown_command(const NamedTable<Command>& table, std::span<char*> words) {
  if (words.empty())
    throw InputError(fmt::format("no {} is given", table.what()),
                     fmt::format("choose one of {}", fmt::join(table.names(), ", ")));
  if (words[0][0] == '-') return;
  const Command& command = table.at(words[0]);
  if (command.subcommands != nullptr)
    refuse_unknown_command(command.subcommands(), words.subspan(1));
}

std::vector<std::string> long_options(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

void refuse_unknown_option(const CLI::App& app) {
  for (const std::string& word : app.remaining())
    if (word.starts_with("--"))
      throw unknown_name("option", word.substr(0, word.find('=')), long_options(app));
}

// What CLI11 found wrong, told as ours: which command's, and where its help is.
[[noreturn]] void explain(const CLI::ParseError& error, const CLI::App& app) {
  refuse_unknown_option(app);
  std::string command;
  const CLI::App* at = &app;
  while (!at->get_subcommands().empty()) {
    at = at->get_subcommands().front();
    refuse_unknown_option(*at);
    command += (command.empty() ? "" : " ") + at->get_name();
  }
  throw InputError(error.what(),
                   fmt::format("see syncsim{} --help", command.empty() ? "" : " " + command),
                   command);
}

using Actions = std::vector<std::pair<CLI::App*, std::function<int()>>>;

void declare(CLI::App& app, const NamedTable<Command>& table, Actions& actions) {
  app.require_subcommand(1);
  for (const Command& command : table.rows()) {
    CLI::App* sub = app.add_subcommand(std::string(command.name), std::string(command.description));
    sub->footer("Example:\n  " + std::string(command.example));
    if (command.subcommands != nullptr)
      declare(*sub, command.subcommands(), actions);
    else
      actions.emplace_back(sub, command.declare(*sub));
  }
}

int parse_and_run(int argc, char** argv) {
  CLI::App app("Simulates gradient synchronization on modelled hardware topologies.", "syncsim");
  app.set_version_flag("--version", kVersion);
  app.formatter(std::make_shared<HelpFormat>());
  app.footer("Example:\n  " + std::string(commands().at("compare").example) +
             "\nEvery command has an example in its own --help.");
  Actions actions;
  declare(app, commands(), actions);
  refuse_unknown_command(commands(), std::span(argv, static_cast<std::size_t>(argc)).subspan(1));
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& help_or_version) {
    return app.exit(help_or_version);
  } catch (const CLI::ParseError& error) {
    explain(error, app);
  }
  for (const auto& [sub, act] : actions)
    if (sub->parsed()) return act();
  return kGood;
}

// A full disk must not pass for a result.
int written(int exit_code) {
  std::cout.flush();
  if (!std::cout && !is_follower())
    throw InputError("the result cannot be written to standard output", "check where it leads");
  return exit_code;
}

// What all processes of mpirun find wrong the first one says, and mpirun then ends the others. One
// that ended before it would have the first ended, unheard. Who is left alone after that speaks.
void tell(const Failure& failure) {
  std::string rank;
  if (failure.cause != Failure::Cause::ours && is_follower()) {
    for (int i = 0; i < 60 && interrupting_signal() == 0; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (interrupting_signal() != 0) return;
    rank = fmt::format("on rank {}: ", launched_rank());
  }
  std::cerr << error_prefix() << rank << failure.text() << std::endl;
}

int guarded(int argc, char** argv) {
  try {
    const auto act = [&] { return written(parse_and_run(argc, argv)); };
    const std::span words(argv, static_cast<std::size_t>(argc));
    return is_for_all_processes(words.subspan(1)) ? in_one_voice(act) : act();
  } catch (...) {
    const Failure failure = current_failure();
    tell(failure);
    return failure.exit_code();
  }
}

}  // namespace
}  // namespace syncsim::cli

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond the limit is a failed write, told like others
  return syncsim::cli::guarded(argc, argv);
}
