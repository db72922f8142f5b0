// syncsim topology show: what a machine consists of, and one route.

#include <iostream>
#include <memory>
#include <optional>

#include "sim/cli/options.h"
#include "sim/cli/topology/commands.h"
#include "sim/report/machine_report.h"
#include "sim/topology/odd_links.h"

namespace syncsim::cli {
namespace {

struct ShowOptions {
  MachineOptions machine;
  std::vector<std::string> route;  // from, to; or empty
  std::string channel = "0";
  std::string rates = "line";
  std::string format = "text";
};

int show(const ShowOptions& options) {
  const bool as_json = wants_json(options.format);
  const Rates rates = from_option("--rates", [&] { return parse_rates(options.rates); });
  const auto channel =
      static_cast<std::uint32_t>(integer_of("--channel", options.channel, 0xffffffff));
  const Topology machine = load_machine(options.machine);
  warn(odd_links(machine));
  MachineReport report = machine_report(machine, rates);
  report.edits = options.machine.edits;
  if (!options.route.empty())
    report.route = from_option("--route", [&] {
      const NodeId from = machine.node(options.route[0]);
      return route_report(machine, rates, from, machine.node(options.route[1]), channel);
    });
  std::cout << (as_json ? machine_json(report) : machine_text(report)) << std::flush;
  return kGood;
}

}  // namespace

std::function<int()> declare_topology_show(CLI::App& app) {
  const auto options = std::make_shared<ShowOptions>();
  declare_machine(app, options->machine);
  CLI::Option* route =
      app.add_option("--route", options->route, "two nodes: how one reaches the other")
          ->expected(2)
          ->type_name("FROM TO");
  app.add_option("--channel", options->channel, "of the route, where equal ways take turns")
      ->needs(route)
      ->capture_default_str();
  app.add_option("--rates", options->rates, "line or usable")->capture_default_str();
  app.add_option("--format", options->format, "text or json")->capture_default_str();
  return [options] { return show(*options); };
}

}  // namespace syncsim::cli
