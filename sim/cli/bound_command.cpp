// syncsim bound: what no algorithm can beat on a machine, and what binds.

#include <iostream>
#include <memory>

#include "sim/cli/command.h"
#include "sim/cli/options.h"
#include "sim/cli/point_options.h"
#include "sim/report/bound_report.h"
#include "sim/scenario/setting.h"

namespace syncsim::cli {
namespace {

struct BoundOptions {
  PointOptions point;
  std::string format = "text";
};

int bound(const BoundOptions& options) {
  const bool as_json = wants_json(options.format);
  demand_subject(options.point, "bound");
  std::string text;
  for (const Point& point : sizes(options.point)) {
    const Setting setting = setting_of(point, {find_data().topologies});
    const BoundReport report = bound_report({.topology = setting.machine,
                                             .ranks = setting.ranks,
                                             .collective = setting.collective,
                                             .rates = point.rates},
                                            options.point.edits);
    if (as_json && !text.empty())
      throw InputError("JSON is one object", "give one size", "--bytes");
    text += as_json ? bound_json(report) : bound_text(report);
  }
  std::cout << text << std::flush;
  return kGood;
}

}  // namespace

std::function<int()> declare_bound(CLI::App& app) {
  const auto options = std::make_shared<BoundOptions>();
  declare_machine_options(app, options->point);
  declare_collective_options(app, options->point);
  app.add_option("--format", options->format, "text or json")->capture_default_str();
  return [options] { return bound(*options); };
}

}  // namespace syncsim::cli
