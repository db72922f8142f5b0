#pragma once
// `syncsim model`: looks at models and imports them. A subcommand is one file beside this one and
// one row in commands.cpp.

#include <functional>

#include "sim/cli/command.h"

namespace syncsim::cli {

std::function<int()> declare_model_import(CLI::App& app);
std::function<int()> declare_model_show(CLI::App& app);

const NamedTable<Command>& model_commands();

}  // namespace syncsim::cli
