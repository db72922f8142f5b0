#pragma once
// How a model is to be run, as options: --batch, --precision, --device-speed.

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "sim/workload/model.h"

namespace syncsim::cli {

struct ScaleOptions {
  std::optional<std::string> batch;
  std::optional<std::string> precision;
  std::optional<std::string> device_speed;
};
void declare_scale(CLI::App& app, ScaleOptions& options);
// Throws InputError at the option that is wrong.
ModelScale scale_of(const ScaleOptions& options);
// A batch of at least one sample.
int batch_of(const std::string& text);

}  // namespace syncsim::cli
