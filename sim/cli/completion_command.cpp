// syncsim completion: the script that a shell sources, and what that asks for.

#include <iostream>
#include <memory>

#include "sim/cli/command.h"
#include "sim/cli/completion.h"

namespace syncsim::cli {
namespace {

struct CompletionOptions {
  std::string shell;
  std::vector<std::string> words;
};

int complete(const CompletionOptions& options, const CLI::App& program) {
  const Shell& shell = shells().at(options.shell);
  if (options.words.empty()) {
    std::cout << shell.script;
    return kGood;
  }
  for (const std::string& candidate : completions(program, options.words))
    std::cout << candidate << "\n";
  return kGood;
}

}  // namespace

std::function<int()> declare_completion(CLI::App& app) {
  const auto options = std::make_shared<CompletionOptions>();
  app.add_option("SHELL", options->shell, "bash or zsh")->required();
  app.add_option("WORDS", options->words, "a command line as far as the cursor, to be completed");
  return [options, &app] { return complete(*options, *app.get_parent()); };
}

}  // namespace syncsim::cli
