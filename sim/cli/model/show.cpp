// syncsim model show: what a model consists of, as it is or scaled.

#include <iostream>
#include <memory>

#include "sim/base/page_text.h"
#include "sim/cli/model/commands.h"
#include "sim/cli/options.h"
#include "sim/cli/scale_options.h"
#include "sim/report/model_report.h"
#include "sim/workload/model_shelf.h"

namespace syncsim::cli {
namespace {

struct ShowModelOptions {
  std::string model;
  ScaleOptions scale;
  std::string format = "text";
};

int show_model(const ShowModelOptions& options) {
  const bool as_json = wants_json(options.format);
  const ModelScale scale = scale_of(options.scale);
  const Model model = load_model(options.model, find_data().models());
  const Model result = from_option(options.model, [&] { return scaled(model, scale); });
  std::cout << (as_json ? model_report_json(result) : within_page(model_report_text(result)))
            << std::flush;
  return kGood;
}

}  // namespace

std::function<int()> declare_model_show(CLI::App& app) {
  const auto options = std::make_shared<ShowModelOptions>();
  app.add_option("MODEL", options->model, "a shipped name or a .json file")->required();
  declare_scale(app, options->scale);
  app.add_option("--format", options->format, "text or json")->capture_default_str();
  return [options] { return show_model(*options); };
}

}  // namespace syncsim::cli
