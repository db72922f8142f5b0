// syncsim model import: what a profiler measured in, a model file out.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <memory>
#include <optional>

#include "sim/base/quote.h"
#include "sim/cli/input.h"
#include "sim/cli/model/commands.h"
#include "sim/cli/output.h"
#include "sim/cli/scale_options.h"
#include "sim/workload/import/model_importer.h"
#include "sim/workload/model_writer.h"

namespace syncsim::cli {
namespace {

struct ModelImport {
  std::string format;
  std::string file;
  std::optional<std::string> name;
  std::string batch = "1";
  std::optional<std::string> out;
};

std::string model_name(const ModelImport& command) {
  if (!command.name) {
    const std::string stem =
        std::filesystem::path(command.out.value_or(command.file)).stem().string();
    return stem.empty() || stem == "-" ? "imported" : printable(stem);
  }
  if (command.name->empty() || printable(*command.name) != *command.name)
    throw InputError(in_quotes(*command.name) + " is no name", "name the model in plain text",
                     "--name");
  return *command.name;
}

int import_model(const ModelImport& command) {
  const ModelImporter& importer = model_importers().at(command.format);
  const std::string name = model_name(command);
  const int batch = batch_of(command.batch);
  Output out("--out", command.out);
  const Input input = read_input(command.file, kMostModelText, "a profile to import");
  Model model = importer.read(input.text, input.name);
  model.name = name;
  model.batch = batch;
  out.stream() << model_json(model);
  out.finish();
  return kGood;
}

}  // namespace

std::function<int()> declare_model_import(CLI::App& app) {
  const auto command = std::make_shared<ModelImport>();
  app.add_option("FORMAT", command->format,
                 fmt::format("of the file: {}", fmt::join(model_importers().names(), ", ")))
      ->required();
  app.add_option("FILE", command->file, "what to import; - for standard input")->required();
  app.add_option("--name", command->name, "of the model; otherwise that of the file");
  app.add_option("--batch", command->batch, "samples of the step that was measured")
      ->capture_default_str();
  app.add_option("-o,--out", command->out, "model file to write; otherwise standard output");
  return [command] { return import_model(*command); };
}

}  // namespace syncsim::cli
