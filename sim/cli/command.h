#pragma once
// A subcommand: one file and one row in commands.cpp.

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <string_view>

#include "sim/base/named_table.h"

namespace syncsim::cli {

inline constexpr int kGood = 0;
inline constexpr int kClaimFailed = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kInternalError = 3;

// Where the data that came with the program lies: ../share/syncsim beside the program.
struct Data {
  std::string topologies;
  std::string scenarios;
  std::string page;  // the template of --report, which not every build has
  std::string models() const { return scenarios + "/models"; }
};
Data find_data();

struct Command {
  std::string_view name;
  std::string_view description;
  std::string_view example;
  // Declares the options on `app` and returns what to do once they are parsed; that prints results
  // on stdout and returns the exit code.
  std::function<int()> (*declare)(CLI::App& app);
  // Of a command that is a family of others, instead of `declare`.
  const NamedTable<Command>& (*subcommands)() = nullptr;
};

// Of a command that writes text or json: whether json is asked for. Throws InputError for others.
bool wants_json(const std::string& format);

std::function<int()> declare_bound(CLI::App& app);
std::function<int()> declare_calibrate(CLI::App& app);
std::function<int()> declare_check(CLI::App& app);
std::function<int()> declare_compare(CLI::App& app);
std::function<int()> declare_completion(CLI::App& app);
std::function<int()> declare_execute(CLI::App& app);
std::function<int()> declare_figures(CLI::App& app);
std::function<int()> declare_flows(CLI::App& app);
std::function<int()> declare_list(CLI::App& app);
std::function<int()> declare_manual(CLI::App& app);
std::function<int()> declare_plan(CLI::App& app);
std::function<int()> declare_predict(CLI::App& app);
std::function<int()> declare_run(CLI::App& app);
std::function<int()> declare_sweep(CLI::App& app);
std::function<int()> declare_train(CLI::App& app);
std::function<int()> declare_validate(CLI::App& app);
std::function<int()> declare_verify(CLI::App& app);

const NamedTable<Command>& commands();

}  // namespace syncsim::cli
