#include "sim/cli/manual.h"

#include <fmt/format.h>

namespace syncsim::cli {
namespace {

// Text that roff takes as it stands: no escapes, no requests.
std::string roff(const std::string& text) {
  std::string result;
  for (const char c : text) {
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  if (result.starts_with('.') || result.starts_with('\'')) result = "\\&" + result;
  return result;
}

std::string option_entry(const CLI::Option& option) {
  const bool positional = option.get_positional();
  std::string name = option.get_name(positional, !positional);
  if (!positional && option.get_items_expected_max() > 0) name += " VALUE";
  std::string text = option.get_description();
  if (!option.get_default_str().empty())
    text += fmt::format(" (default: {})", option.get_default_str());
  return fmt::format(".TP\n.B {}\n{}\n", roff(name), roff(text));
}

std::string options_page(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* option : command.get_options()) text += option_entry(*option);
  return text;
}

// Of a command, or of each command of a family.
std::string commands_below(const CLI::App& command, const std::string& name) {
  std::string text;
  for (const CLI::App* sub : command.get_subcommands({})) {
    const std::string full = name + " " + sub->get_name();
    text += fmt::format(".SS \"{}\"\n{}\n", roff(full), roff(sub->get_description()));
    text += options_page(*sub);
    const std::string example = sub->get_footer();
    if (const auto line = example.find("\n  "); line != example.npos)
      text += fmt::format(".P\nExample:\n.P\n.EX\n{}\n.EE\n", roff(example.substr(line + 3)));
    text += commands_below(*sub, full);
  }
  return text;
}

}  // namespace

std::string manual_page(const CLI::App& program) {
  return fmt::format(
      ".TH SYNCSIM 1 \"\" \"{}\" \"User Commands\"\n"
      ".SH NAME\nsyncsim \\- {}\n"
      ".SH SYNOPSIS\n.B syncsim\n.I COMMAND\n[OPTIONS]\n"
      ".SH COMMANDS\n{}"
      ".SH EXIT STATUS\n0: good; 1: a claim failed, or a plan is wrong; 2: bad input; 3: an "
      "internal error\n",
      roff(program.version()), roff("simulates gradient synchronization on modelled hardware"),
      commands_below(program, "syncsim"));
}

}  // namespace syncsim::cli
