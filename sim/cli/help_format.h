#pragma once
// Help within 100 columns: names on the left, what they mean on the right, wrapped.

#include <CLI/CLI.hpp>
#include <string>

namespace syncsim::cli {

class HelpFormat : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_description(const CLI::App* command) const override;
};

}  // namespace syncsim::cli
