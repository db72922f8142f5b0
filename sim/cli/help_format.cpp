#include "sim/cli/help_format.h"

#include <fmt/format.h>

#include "sim/base/page_text.h"
#include "sim/base/quote.h"

namespace syncsim::cli {
namespace {

constexpr std::size_t kNamesWidth = 28;

std::string entry(const std::string& name, const std::string& meaning) {
  const bool fits = name.size() + 3 <= kNamesWidth;
  std::string text = fits ? fmt::format("  {:<{}}", name, kNamesWidth - 2) : "  " + name + "\n";
  std::string indent(fits ? 0 : kNamesWidth, ' ');
  for (const std::string& line : wrapped(meaning, kPageWidth - kNamesWidth)) {
    text += indent + line + "\n";
    indent = std::string(kNamesWidth, ' ');
  }
  return text;
}

}  // namespace

std::string HelpFormat::make_option(const CLI::Option* option, bool is_positional) const {
  return entry(make_option_name(option, is_positional) + make_option_opts(option),
               make_option_desc(option));
}

std::string HelpFormat::make_subcommand(const CLI::App* command) const {
  return entry(command->get_name(), command->get_description());
}

std::string HelpFormat::make_description(const CLI::App* command) const {
  std::string text;
  for (const std::string& line : wrapped(command->get_description(), kPageWidth))
    text += line + "\n";
  return text;
}

}  // namespace syncsim::cli
