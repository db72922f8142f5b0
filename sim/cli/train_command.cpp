// syncsim train: training steps, from a scenario or from options.

#include <fmt/format.h>

#include <array>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "sim/base/quote.h"
#include "sim/cli/command.h"
#include "sim/cli/interrupt.h"
#include "sim/cli/jitter_option.h"
#include "sim/cli/options.h"
#include "sim/cli/point_options.h"
#include "sim/cli/run_points.h"
#include "sim/cli/scale_options.h"
#include "sim/cli/scenario_file.h"
#include "sim/cli/trace_file.h"
#include "sim/report/formats/step.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/training_limits.h"

namespace syncsim::cli {
namespace {

using Json = nlohmann::ordered_json;

// Options that are fields of scenarios: text as it is, numbers and words as JSON has them.
struct FieldOption {
  const char* option;
  const char* field;
  bool is_number;
  const char* help;
};

constexpr std::array kFieldOptions = {
    FieldOption{"--model", "model", false, "a shipped model or a .json file; see list models"},
    FieldOption{"--buckets", "buckets", false,
                "ddp, ddp-forward, horovod, per-tensor or one message"},
    FieldOption{"--bucket-first", "bucket_first", false, "ddp: size that closes the first bucket"},
    FieldOption{"--bucket-cap", "bucket_cap", false, "ddp: size that closes every further one"},
    FieldOption{"--fusion", "fusion", false, "horovod: most bytes in a message"},
    FieldOption{"--cycle", "cycle", false, "horovod: time between looks for ready tensors"},
    FieldOption{"--bucket-order", "bucket_order", false, "in-order, concurrent or priority"},
    FieldOption{"--update", "update", false, "time of the optimizer for all parameters"},
    FieldOption{"--update-at", "update_at", false, "end, or bucket: as each is summed"},
    FieldOption{"--sharding", "sharding", false,
                "none, gradients (ZeRO 2) or parameters (ZeRO 3, FSDP)"},
    FieldOption{"--prefetch", "prefetch", true, "sharded parameters: buckets gathered ahead"},
    FieldOption{"--steps", "steps", true, "steps that run one after the other"},
    FieldOption{"--store", "store", false,
                "a key-value store: local, device, dist or allreduce, or JSON as in scenarios"},
    FieldOption{"--loading", "loading", false,
                "bytes of a rank's batch, which comes from its CPU; or JSON as in scenarios"},
    FieldOption{"--replicas", "replicas", true, "runs of other seeds, for means of jitter"},
    FieldOption{"--fault", "fault", false,
                "what is lost: \"step 7 at 5 ms link:gpu0-gpu1\", rank:3"},
    FieldOption{"--recovery", "recovery", false, "none, reroute, shrink, restore or replicate"},
    FieldOption{"--detect", "detect", false, "time until a fault is noticed"},
    FieldOption{"--restart", "restart", false, "time from then until steps run again"},
    FieldOption{"--repair", "repair", false, "time until a lost part is back"},
    FieldOption{"--checkpoint-every", "checkpoint_every", true, "steps between checkpoints"},
    FieldOption{"--checkpoint", "checkpoint", false, "time to write one, or to read it"},
    FieldOption{"--mtbf", "mtbf", false, "mean time between failures, \"6 h\": gives goodput"},
};

struct TrainOptions {
  std::vector<std::string> scenarios;
  PointOptions point;
  ScaleOptions scale;
  std::array<std::optional<std::string>, kFieldOptions.size()> fields;
  std::vector<std::string> jitter;
  bool early_forward = false;
  bool infinite_network = false;
  bool no_overlap = false;
  bool critical_path = false;
  std::optional<std::string> trace;
  std::string format = "text";
  LongRunOptions long_run;
};

Json value_of(const FieldOption& option, const std::string& text) {
  if (text.starts_with('{')) {
    Json object = Json::parse(text, nullptr, false);
    if (object.is_object()) return object;
    throw InputError(in_quotes(text) + " is no JSON", "write such as '{\"type\": \"dist\"}'",
                     option.option);
  }
  if (!option.is_number) return text;
  const Json number = Json::parse(text, nullptr, false);
  if (!number.is_number())
    throw InputError("\"" + text + "\" is no number", "write such as 2", option.option);
  return number;
}

// "--store" or, of a value inside of an object, "--store:/staleness".
std::string place_in(const FieldOption& option, const std::string& place) {
  const std::size_t pointer = place.rfind(":/");
  const bool inside = pointer != place.npos && pointer + 2 < place.size();
  return inside ? place : option.option;
}

Training training_of(const TrainOptions& options) {
  Training training;
  training.step.early_forward = options.early_forward;
  training.scale = scale_of(options.scale);
  training.jitter = jitter_of(options.jitter);
  for (std::size_t i = 0; i < kFieldOptions.size(); ++i) {
    if (!options.fields[i]) continue;
    const FieldOption& option = kFieldOptions[i];
    try {
      // What is wrong with a part of it may be found only on the machine: "--store:/servers".
      const JsonReader value = JsonFile::parse("{}", option.option)
                                   .root()
                                   .in_place(value_of(option, *options.fields[i]));
      training_field(option.field)->read(value, training);
    } catch (const InputError& failure) {
      throw InputError(failure.wrong(), failure.right(), place_in(option, failure.place()));
    }
  }
  return training;
}

std::vector<Point> points_of_options(const TrainOptions& options) {
  const Training training = training_of(options);
  const PointOptions& asked = options.point;
  const bool by_store = training.store && sums_itself(*training.store);
  if (training.store && !by_store && asked.strategies.empty())
    throw InputError("an allreduce is by a strategy", "add such as --strategy ring", "--store");
  if (asked.topology.empty() || !options.fields.front() || (asked.strategies.empty() && !by_store))
    throw InputError("a machine, a model and a strategy are needed, or a scenario file",
                     "write such as: " + std::string(commands().at("train").example));
  std::vector<Point> points = by_store ? std::vector{store_point(asked)} : strategy_points(asked);
  for (Point& point : points) {
    point.training = training;
    for (const FieldOption& option : kFieldOptions) point.places[option.field] = option.option;
    point.places["jitter"] = kJitterOption;
  }
  return points;
}

std::vector<Point> points_of(const TrainOptions& options) {
  if (options.scenarios.empty()) return points_of_options(options);
  std::vector<Point> points;
  for (const std::string& file : options.scenarios) {
    const JsonReader json = load_scenario_file(file);
    for (const Point& point : read_scenario(json).points) {
      if (!point.training)
        throw json.error("holds points that are no training steps", "add \"model\" to them");
      points.push_back(point);
    }
  }
  return points;
}

void refuse_colliding_files(const TrainOptions& options) {
  if (!options.trace) return;
  std::vector<NamedFile> inputs = {{"--topology", options.point.topology}};
  if (options.fields.front()) inputs.push_back({"--model", *options.fields.front()});
  if (options.point.background) inputs.push_back({"--background", *options.point.background});
  for (const std::string& file : options.scenarios) inputs.push_back({"SCENARIO", file});
  refuse_collisions({{"--trace", *options.trace}}, inputs);
}

StepLimits limits_of(const Point& point, const TrainOptions& options, const RunSettings& settings) {
  StepLimits limits;
  if (options.infinite_network) limits.infinite_network = step_on_infinite_network(point, settings);
  if (options.no_overlap) limits.no_overlap = step_without_overlap(point, settings);
  return limits;
}

int train(const TrainOptions& options) {
  const bool as_json = wants_json(options.format);
  RunSettings settings;
  settings.shelf = find_data().topologies;
  settings.models = find_data().models();
  settings.memory = memory_limit(options.long_run);
  settings.critical_path = options.critical_path || options.trace;
  refuse_colliding_files(options);
  Supervisor supervisor(options.long_run, {Stage::emitting, Stage::checking, Stage::simulating});
  const std::vector<Point> points = points_of(options);
  supervisor.expect_points(points.size());
  std::optional<TraceFile> trace;
  if (options.trace)
    settings.drawing = &trace.emplace(*options.trace, points.size(), settings.memory).drawing();
  PointRuns runs = run_points(points, settings, supervisor);
  if (trace && !runs.unfinished) trace->finish();
  Json list = Json::array();
  std::string text;
  for (std::size_t i = 0; i < runs.reports.size(); ++i) {
    const StepLimits limits = limits_of(points[i], options, settings);
    if (!options.critical_path) runs.reports[i].step->critical_path.reset();
    if (as_json)
      list.push_back(step_json(runs.reports[i], limits));
    else
      text += (text.empty() ? "" : "\n") + step_text(runs.reports[i], limits);
  }
  supervisor.finish();
  if (as_json) text = (list.size() == 1 ? list[0] : Json{{"points", list}}).dump(2) + "\n";
  std::cout << text << std::flush;
  if (!runs.unfinished) return kGood;
  std::cerr << "syncsim: interrupted " << runs.unfinished->text() << '\n';
  return interrupted_exit_code();
}

}  // namespace

std::function<int()> declare_train(CLI::App& app) {
  const auto options = std::make_shared<TrainOptions>();
  app.add_option("SCENARIO", options->scenarios,
                 "scenario files with \"model\", instead of the options below");
  app.option_defaults()->group("A step, instead of scenario files");
  declare_machine_options(app, options->point);
  declare_step_options(app, options->point);
  declare_scale(app, options->scale);
  for (std::size_t i = 0; i < kFieldOptions.size(); ++i)
    app.add_option(kFieldOptions[i].option, options->fields[i], kFieldOptions[i].help);
  declare_jitter(app, options->jitter);
  app.add_flag("--early-forward", options->early_forward,
               "a layer's next forward waits for its own parameters alone")
      ->disable_flag_override();
  app.option_defaults()->group("Options");
  app.add_flag("--what-if-infinite-network", options->infinite_network,
               "beside it the step that a network of no cost would give")
      ->disable_flag_override();
  app.add_flag("--no-overlap", options->no_overlap, "beside it the step that sends after backward")
      ->disable_flag_override();
  app.add_flag("--critical-path", options->critical_path,
               "beside it what a step's time is made of: layers and transfers, one after the other")
      ->disable_flag_override();
  app.add_option("--trace", options->trace,
                 "write what every rank computes and sends to this file, for ui.perfetto.dev");
  app.add_option("--format", options->format, "text or json")->capture_default_str();
  declare_long_run(app, options->long_run);
  return [options] { return train(*options); };
}

}  // namespace syncsim::cli
