// syncsim flows: plain traffic in, completion times out.

#include <fmt/format.h>

#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "sim/base/page_text.h"
#include "sim/base/quote.h"
#include "sim/base/text.h"
#include "sim/cli/command.h"
#include "sim/cli/input.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/options.h"
#include "sim/cli/output.h"
#include "sim/cli/supervisor.h"
#include "sim/exec/flow_csv.h"
#include "sim/exec/flow_statistics.h"
#include "sim/report/formats.h"
#include "sim/report/report.h"
#include "sim/report/unfinished.h"
#include "sim/topology/delay.h"
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
  LongRunOptions long_run;
};

ExecutionOptions execution_of(const FlowsOptions& options, Supervisor& supervisor) {
  ExecutionOptions execution;
  execution.watch = &supervisor;
  execution.memory = memory_limit(options.long_run);
  execution.rates = from_option("--rates", [&] { return parse_rates(options.rates); });
  execution.overhead = from_option("--overhead", [&] { return parse_delay(options.overhead); });
  execution.seed = static_cast<std::uint32_t>(integer_of("--seed", options.seed, 0xffffffff));
  execution.audit = options.audit;
  return execution;
}

EventfulMachine machine_of(const FlowsOptions& options, const MemoryLimit& memory) {
  const std::vector<Edit> edits = edits_of(options.edits);
  const std::vector<LinkEvent> events = events_of(options.events);
  const Topology shipped = from_option("--topology", [&] {
    return load_topology(options.topology, find_data().topologies, memory);
  });
  return with_events(apply_edits(shipped, edits), events, memory);
}

Traffic traffic_of(const FlowsOptions& options, const Topology& machine,
                   const ExecutionOptions& execution) {
  const ReadingOptions reading{.watch = execution.watch, .memory = execution.memory};
  if (options.flows != "-")
    return from_option("--flows", [&] { return load_traffic(options.flows, machine, reading); });
  return read_traffic(standard_input(), "standard input", machine, reading);
}

// All that the command has to say, whatever the format.
struct Findings {
  const FlowsOptions& options;
  const ExecutionOptions& execution;
  const Topology& machine;
  const Traffic& traffic;
  const Replay& replay;
  FlowStatistics statistics;
  std::vector<LinkReport> links;  // over the makespan, or until it was stopped

  Progress progress() const {
    return {Stage::simulating, replay.finished, traffic.flows.size(), replay.reached};
  }
};

std::string heading(const Findings& found) {
  const std::string count =
      fmt::format("{} flow{}", found.statistics.flows, found.statistics.flows == 1 ? "" : "s");
  const std::string of =
      found.replay.stopped ? fmt::format(" of {} (interrupted)", found.traffic.flows.size()) : "";
  std::string text = fmt::format("{}: {}{} from {}, {} rates\n", found.machine.name(), count, of,
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
  if (all.flows == 0) return "";  // none is finished
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
  return within_page(text);
}

// What is known of a replay that was interrupted.
Json interrupted_json(const Progress& progress) {
  return {{"stage", to_string(progress.stage)},
          {"done", progress.done},
          {"total", progress.total},
          {"simulated_ps", progress.simulated.ps}};
}

std::string dumped(const Json& json) {
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string as_json(const Findings& found) {
  const FlowStatistics& all = found.statistics;
  Json json = {{"topology", found.machine.name()},
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
  if (found.replay.stopped) json["interrupted"] = interrupted_json(found.progress());
  return dumped(json);
}

struct Format {
  std::string_view name;
  std::string_view description;
  void (*print)(const Findings& found);
};

const NamedTable<Format>& flow_formats() {
  static const NamedTable<Format> table(
      "format",
      {{"text", "a summary to read", [](const Findings& found) { std::cout << as_text(found); }},
       {"json", "the summary as one object", [](const Findings& f) { std::cout << as_json(f); }},
       {"csv", "every flow", [](const Findings& found) {
          write_flows(std::cout, found.traffic, found.replay, found.machine);
        }}});
  return table;
}

int told_interrupted(const std::string& so_far) {
  std::cerr << "syncsim: interrupted " << so_far << "\n";
  return interrupted_exit_code();
}

int told_unread(const Interrupted& interrupted, const FlowsOptions& options) {
  if (options.format == "json")
    std::cout << dumped({{"interrupted", interrupted_json(interrupted.progress)}}) << std::flush;
  return told_interrupted(progress_so_far(interrupted.progress, "flows") + "; nothing is written");
}

int told_stopped(const Findings& found) {
  std::string so_far = progress_so_far(found.progress(), "flows");
  if (found.options.out) so_far += "; " + in_quotes(*found.options.out) + " holds those";
  return told_interrupted(so_far);
}

// Of the finished flows, in the time until the last one's end, or until it was stopped.
Findings findings_of(const FlowsOptions& options, const ExecutionOptions& execution,
                     const Topology& machine, const Traffic& traffic, const Replay& replayed) {
  const FlowStatistics statistics = statistics_of(traffic, replayed);
  const Time span =
      replayed.stopped ? replayed.reached - statistics.first_start : statistics.makespan();
  return {options,
          execution,
          machine,
          traffic,
          replayed,
          statistics,
          link_reports(machine, replayed.resources, execution.rates, span)};
}

int flows(const FlowsOptions& options) {
  const Format& format =
      *from_option("--format", [&] { return &flow_formats().at(options.format); });
  if (options.out)
    refuse_collisions({{"--out", *options.out}},
                      {{"--topology", options.topology}, {"--flows", options.flows}});
  Supervisor supervisor(options.long_run, {Stage::reading, Stage::simulating});
  ExecutionOptions execution = execution_of(options, supervisor);
  const auto [machine, changes] = machine_of(options, execution.memory);
  execution.changes = changes;
  std::optional<Output> out;
  if (options.out) out.emplace("--out", options.out);
  Traffic traffic;
  try {
    traffic = traffic_of(options, machine, execution);
  } catch (const Interrupted& interrupted) {
    supervisor.finish();
    return told_unread(interrupted, options);
  }
  const Replay replayed = replay(traffic, machine, execution);
  supervisor.finish();
  if (out) {
    write_flows(out->stream(), traffic, replayed, machine);
    out->finish();
  }
  const Findings found = findings_of(options, execution, machine, traffic, replayed);
  format.print(found);
  return replayed.stopped ? told_stopped(found) : kGood;
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
  declare_long_run(app, options->long_run);
  return [options] { return flows(*options); };
}

}  // namespace syncsim::cli
