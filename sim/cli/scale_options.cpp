#include "sim/cli/scale_options.h"

#include <charconv>

#include "sim/base/quote.h"
#include "sim/base/text.h"
#include "sim/cli/options.h"

namespace syncsim::cli {
namespace {

double speed_of(const std::string& text) {
  double speed = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, speed, std::chars_format::fixed);
  if (error == std::errc() && stop == end && speed >= kLeastSpeed && speed <= kMostSpeed)
    return speed;
  throw InputError(in_quotes(text) + " is no speed",
                   "write a number from 0.000001 to 1000000, such as 2.5; 1 is the model's own");
}

}  // namespace

int batch_of(const std::string& text) {
  return from_option("--batch",
                     [&] { return static_cast<int>(parse_integer(text, 1, kMostBatch)); });
}

void declare_scale(CLI::App& app, ScaleOptions& options) {
  app.add_option("--batch", options.batch, "samples a rank and step; times grow in proportion");
  app.add_option(
      "--precision", options.precision,
      "fp32, bf16, fp16 or mixed, which keeps gradients in fp32: their sizes, not times");
  app.add_option("--device-speed", options.device_speed,
                 "how much faster a device is than that of the model's times, e.g. 2.5");
}

ModelScale scale_of(const ScaleOptions& options) {
  ModelScale scale;
  if (options.batch) scale.batch = batch_of(*options.batch);
  if (options.precision)
    scale.precision = from_option(
        "--precision", [&] { return std::string(precisions().at(*options.precision).name); });
  if (options.device_speed)
    scale.device_speed =
        from_option("--device-speed", [&] { return speed_of(*options.device_speed); });
  return scale;
}

}  // namespace syncsim::cli
