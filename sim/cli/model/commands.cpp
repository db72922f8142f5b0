// The visible list of `syncsim model` subcommands: one row each.

#include "sim/cli/model/commands.h"

namespace syncsim::cli {

const NamedTable<Command>& model_commands() {
  static const NamedTable<Command> table(
      "model command",
      {{"show", "says what a model computes and which gradients it leaves, scaled where asked for",
        "syncsim model show resnet50 --batch 32 --precision bf16", declare_model_show},
       {"import", "makes a model file of a profile or of a table of layers",
        "syncsim model import kineto trace.json --batch 64 --out my_model.json",
        declare_model_import}});
  return table;
}

}  // namespace syncsim::cli
