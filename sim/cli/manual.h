#pragma once
// The manual page, generated from the help: roff of man(7).

#include <CLI/CLI.hpp>
#include <string>

namespace syncsim::cli {

std::string manual_page(const CLI::App& program);

}  // namespace syncsim::cli
