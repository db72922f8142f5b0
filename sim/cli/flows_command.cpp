// syncsim flows: plain traffic in, completion times out.

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "sim/base/text.h"
#include "sim/base/whole_file.h"
#include "sim/cli/command.h"
#include "sim/cli/options.h"
#include "sim/exec/flow_csv.h"
#include "sim/exec/flow_statistics.h"
#include "sim/report/formats.h"
#include "sim/report/report.h"
#include "sim/topology/topology_json.h"

namespace syncsim::cli {
namespace {

using Json = nlohmann::ordered_json;

struct FlowsOptions {
  std::string topology;
  std::vector<std::string> edits;
  std::vector<std::string> events;
  std::string flows;
  std::optional<std::string> out;
  std::string rates = "line";
  std::string overhead = "0 us";
  std::string seed = "0";
  std::string format = "text";
  bool audit = false;
};

ExecutionOptions execution_of(const FlowsOptions& options) {
  ExecutionOptions execution;
  execution.rates = from_option("--rates", [&] { return parse_rates(options.rates); });
  execution.overhead = from_option("--overhead", [&] { return parse_time(options.overhead); });
  execution.seed = static_cast<std::uint32_t>(integer_of("--seed", options.seed, 0xffffffff));
  execution.audit = options.audit;
  return execution;
}

EventfulMachine machine_of(const FlowsOptions& options) {
  const std::vector<Edit> edits = edits_of(options.edits);
  const std::vector<LinkEvent> events = events_of(options.events);
  const Topology shipped = from_option(
      "--topology", [&] { return load_topology(options.topology, find_data().topologies); });
  return with_events(apply_edits(shipped, edits), events);
}

Traffic traffic_of(const FlowsOptions& options, const Topology& machine) {
  if (options.flows != "-")
    return from_option("--flows", [&] { return load_traffic(options.flows, machine); });
  std::ios::sync_with_stdio(false);  // else read byte by byte
  return read_traffic(std::cin, "standard input", machine);
}

// All that the command has to say, whatever the format.
struct Findings {
  const FlowsOptions& options;
  const ExecutionOptions& execution;
  const Topology& machine;
  const Traffic& traffic;
  const Replay& replay;
  FlowStatistics statistics;
  std::vector<LinkReport> links;  // over the makespan
};

std::string heading(const Findings& found) {
  std::string text = fmt::format("{}: {} flow{} from {}, {} rates\n", found.machine.name(),
                                 found.statistics.flows, found.statistics.flows == 1 ? "" : "s",
                                 found.traffic.file, to_string(found.execution.rates));
  for (const std::string& edit : found.options.edits) text += "  edit: " + edit + "\n";
  for (const std::string& event : found.options.events) text += "  event: " + event + "\n";
  if (found.execution.overhead.ps > 0)
    text += "  overhead: " + to_exact_string(found.execution.overhead) + "\n";
  if (found.execution.seed > 0) text += fmt::format("  seed: {}\n", found.execution.seed);
  return text;
}

std::string busiest_text(const Findings& found) {
  const LinkReport* busiest = busiest_of(found.links);
  if (busiest == nullptr) return "none";
  return fmt::format("{} carries {} of {} ({:.1f} %)", busiest->label(),
                     to_string(Bandwidth{busiest->rate}), to_string(Bandwidth{busiest->capacity}),
                     busiest->utilization * 100);
}

std::string as_text(const Findings& found) {
  const FlowStatistics& all = found.statistics;
  std::string text = heading(found);
  const auto row = [&](std::string_view name, std::string_view value) {
    text += fmt::format("{:<14} {}\n", name, value);
  };
  row("bytes", to_string(all.bytes));
  row("makespan", fmt::format("{} (from {} to {})", to_string(all.makespan()),
                              to_string(all.first_start), to_string(all.last_finish)));
  row("mean FCT", to_string(all.mean));
  row("median FCT", to_string(all.median));
  row("p99 FCT", to_string(all.p99));
  row("max FCT", to_string(all.maximum));
  row("mean slowdown",
      fmt::format("{:.4f} times the flow alone on its route{}", all.mean_slowdown,
                  found.options.events.empty() ? "" : " at the start's bandwidths"));
  row("busiest link", busiest_text(found));
  return text;
}

std::string as_json(const Findings& found) {
  const FlowStatistics& all = found.statistics;
  const Json json = {{"topology", found.machine.name()},
                     {"edits", found.options.edits},
                     {"file", found.traffic.file},
                     {"rates", to_string(found.execution.rates)},
                     {"overhead_us", microseconds(found.execution.overhead)},
                     {"seed", found.execution.seed},
                     {"flows", all.flows},
                     {"bytes", all.bytes.count},
                     {"first_start_ps", all.first_start.ps},
                     {"last_finish_ps", all.last_finish.ps},
                     {"makespan_ps", all.makespan().ps},
                     {"mean_fct_ps", all.mean.ps},
                     {"median_fct_ps", all.median.ps},
                     {"p99_fct_ps", all.p99.ps},
                     {"max_fct_ps", all.maximum.ps},
                     {"mean_slowdown", twelve_digits(all.mean_slowdown)},
                     {"busiest_link", busiest_json(busiest_of(found.links))},
                     {"events", events_json(event_reports(found.machine, found.execution.changes,
                                                          found.execution.rates))}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

struct Format {
  std::string_view name;
  std::string_view description;
  void (*print)(const Findings& found);
};

const NamedTable<Format>& formats() {
  static const NamedTable<Format> table(
      "format",
      {{"text", "a summary to read", [](const Findings& found) { std::cout << as_text(found); }},
       {"json", "the summary as one object", [](const Findings& f) { std::cout << as_json(f); }},
       {"csv", "every flow", [](const Findings& found) {
          write_flows(std::cout, found.traffic, found.replay, found.machine);
        }}});
  return table;
}

int flows(const FlowsOptions& options) {
  const Format& format = *from_option("--format", [&] { return &formats().at(options.format); });
  ExecutionOptions execution = execution_of(options);
  const auto [machine, changes] = machine_of(options);
  execution.changes = changes;
  std::optional<WholeFile> out;
  if (options.out) from_option("--out", [&] { out.emplace(*options.out); });
  const Traffic traffic = traffic_of(options, machine);
  const Replay replayed = replay(traffic, machine, execution);
  if (out) {
    write_flows(out->stream(), traffic, replayed, machine);
    from_option("--out", [&] { out->finish(); });
  }
  const FlowStatistics statistics = statistics_of(traffic, replayed);
  format.print({options, execution, machine, traffic, replayed, statistics,
                link_reports(machine, replayed.resources, execution.rates, statistics.makespan())});
  return kGood;
}

}  // namespace

std::function<int()> declare_flows(CLI::App& app) {
  const auto options = std::make_shared<FlowsOptions>();
  app.add_option("--topology", options->topology, "machine: a shipped name or a .json file")
      ->required();
  app.add_option("--flows", options->flows,
                 "CSV file, or - for standard input; its header names start, source, destination, "
                 "bytes and, if used, via and weight")
      ->required();
  app.add_option("--out", options->out, "CSV file to write, with each flow's finish and FCT");
  app.add_option("--edit", options->edits, kEditHelp)->allow_extra_args(false);
  app.add_option("--event", options->events, kEventHelp)->allow_extra_args(false);
  app.add_option("--rates", options->rates, "line or usable")->capture_default_str();
  app.add_option("--overhead", options->overhead, "fixed cost of a flow")->capture_default_str();
  app.add_option("--seed", options->seed, "of equal-cost routes")->capture_default_str();
  app.add_option("--format", options->format, "text or json, or csv for every flow")
      ->capture_default_str();
  app.add_flag("--audit", options->audit, "check capacities and fairness after every event")
      ->disable_flag_override();
  return [options] { return flows(*options); };
}

}  // namespace syncsim::cli
