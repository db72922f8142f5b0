#include "sim/scenario/training.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/analysis/bounds.h"
#include "sim/base/text.h"
#include "sim/report/held_up.h"
#include "sim/report/run_drawing.h"
#include "sim/report/step_report.h"
#include "sim/scenario/fault.h"
#include "sim/scenario/jitter_bound.h"
#include "sim/scenario/plan_strategy.h"
#include "sim/scenario/point.h"
#include "sim/scenario/point_schedule.h"
#include "sim/scenario/rank_paces.h"
#include "sim/scenario/replicas.h"
#include "sim/scenario/rings_file.h"
#include "sim/scenario/run.h"
#include "sim/scenario/select.h"
#include "sim/scenario/setting.h"
#include "sim/scenario/store_servers.h"
#include "sim/schedule/proportion.h"
#include "sim/workload/model_shelf.h"

namespace syncsim {
namespace {

constexpr int kMostUniformLayers = 100'000;

// {"layers": 161, "bytes": "160 MB", "forward": "50 ms", "backward": "100 ms"}: alike; the last
// layer has what does not divide.
Model uniform_model(const JsonReader& json) {
  json.allow({"layers", "bytes", "forward", "backward"});
  const std::int64_t layers = json.required("layers", "16").integer(1, kMostUniformLayers);
  const JsonReader bytes = json.required("bytes", "\"160 MB\"");
  constexpr std::int64_t kElement = 4;
  if (bytes.bytes().count % kElement != 0 || bytes.bytes().count / kElement < layers)
    throw bytes.error(
        fmt::format("is not {} of float32", counted(static_cast<std::uint64_t>(layers), "tensor")),
        "write a multiple of 4 B, 4 B a layer at least");
  const auto time_each = [&](std::string_view key) {
    const auto given = json.optional(key);
    return Time{given ? given->time().ps / layers : 0};
  };
  const Time forward = time_each("forward");
  const Time backward = time_each("backward");
  Model model;
  model.name = fmt::format("{} layers alike", layers);
  model.description = model.name;
  model.source = json.place();
  const std::int64_t elements = bytes.bytes().count / kElement;
  for (std::int64_t i = 0; i < layers; ++i)
    model.layers.push_back(
        {fmt::format("layer{}", layers - 1 - i),
         forward,
         backward,
         {{fmt::format("weight{}", layers - 1 - i),
           {(share(elements, i + 1, layers) - share(elements, i, layers)) * kElement}}}});
  return model;
}

Model unscaled(const Training& training, const Point& point, const RunSettings& settings) {
  if (!training.inline_model)
    return at_field(point, "model", [&] { return load_model(training.model, settings.models); });
  const JsonReader& json = *training.inline_model;
  const auto layers = json.optional("layers");
  return layers && layers->is_integer() ? uniform_model(json) : read_model(json);
}

// No steady step is shorter than the compute of its slowest rank, nor than any of its collectives
// needs for its bytes. What latencies add may lie across steps, so bounds by latency do not count;
// of ranks that run apart a pull may wait for no one.
LowerBound step_bound(const StepReport& step, const StepPlan& plan, const Point& point,
                      const Setting& setting, const Schedule& schedule) {
  LowerBound best{seconds(step.compute), "compute", "the rank that computes longest"};
  if (plan.apart) return best;
  const std::vector<NodeId> helpers = helpers_of(schedule, setting.machine);
  const bool sharded = point.training->step.sharding != Sharding::none;
  for (const CollectiveKind kind :
       sharded ? std::vector{CollectiveKind::reduce_scatter, CollectiveKind::all_gather}
               : std::vector{CollectiveKind::allreduce}) {
    Collective collective = setting.collective;
    collective.kind = kind;
    for (const LowerBound& bound : lower_bounds({.topology = setting.machine,
                                   .ranks = setting.ranks,
                                   .collective = collective,
                                   .rates = point.rates,
                                   .changes = setting.changes,
                                   .helpers = helpers}))
      if (!bound.kind.starts_with("latency") && bound.seconds > best.seconds) best = bound;
  }
  return best;
}

}  // namespace

Model model_of(const Point& point, const RunSettings& settings) {
  const Training& training = *point.training;
  const Model model = unscaled(training, point, settings);
  const bool bad_precision = !training.scale.precision.empty();
  return at_field(point, bad_precision ? "precision" : "batch",
                  [&] { return scaled(model, training.scale); });
}

namespace {

struct EmittedSteps {
  PlannedSteps planned;
  Parameters parameters;
};

// In place of a strategy: what sums is the store.
const Strategy& store_strategy() {
  static const Strategy store{.name = kStoreStrategy,
                              .description = "a key-value store",
                              .parameters = {},
                              .collectives = {CollectiveKind::allreduce},
                              .emit = nullptr};
  return store;
}

std::optional<LoadingOptions> loading_of(const Point& point, const Setting& setting) {
  const auto& field = point.training->loading;
  if (!field) return std::nullopt;
  return at_field(point, "loading", [&] {
    return loading_on(*field, setting.machine, setting.ranks, point.training->step.steps);
  });
}

EmittedSteps steps_of(const Point& point, const Setting& setting, const RunSettings& settings) {
  if (is_plan(point.strategy))
    throw InputError("a plan is of one collective, not of training steps", "name a strategy",
                     point.place("strategy"));
  const auto& store = point.training->store;
  const bool by_store = store && sums_itself(*store);
  const Strategy& strategy = by_store ? store_strategy() : strategies().at(point.strategy);
  const GivenParameters given = given_parameters(point, setting.machine, setting.ranks);
  Parameters parameters(strategy.name, strategy.parameters, given.values, given.places);
  const std::optional<LoadingOptions> loading = loading_of(point, setting);
  const bool sharded = point.training->step.sharding != Sharding::none;
  PlannedSteps planned =
      at_field(point, by_store || (store && sharded) ? "store" : "strategy", [&] {
        const StoreOptions options =
            store ? store_options(*point.training, setting.machine, setting.ranks) : StoreOptions{};
        return plan_steps({.topology = setting.machine,
                           .ranks = setting.ranks,
                           .model = *setting.model,
                           .strategy = strategy,
                           .parameters = parameters,
                           .options = point.training->step,
                           .paces = paces_of(point, setting),
                           .overhead = point.overhead,
                           .store = store ? &options : nullptr,
                           .loading = loading ? &*loading : nullptr},
                          oversight_of(point, setting.machine, settings), point.reduction);
      });
  return {std::move(planned), std::move(parameters)};
}

// What a choice such as auto runs on all gradients at once.
Point with_strategy(const Point& point, const Setting& setting, const RunSettings& settings) {
  const ChoiceRow* const choice = choices().find(point.strategy);
  if (choice == nullptr) return point;
  const Candidate candidate = choice->choose(point, setting, settings);
  Point chosen = point;
  chosen.strategy = candidate.strategy;
  chosen.parameters = candidate.parameters;
  return chosen;
}

// With the seed that the point has; `asked` may leave the strategy to a choice.
Report run_once(Point asked, const Point& point, const Setting& setting,
                const RunSettings& settings) {
  asked.seed = point.seed;
  const Model& model = *setting.model;
  auto [planned, parameters] = steps_of(point, setting, settings);
  PointSchedule scheduled{std::move(planned.schedule), setting.ranks, std::move(parameters), false};
  if (settings.check) prove(scheduled.schedule, point.strategy, settings.watch);
  const Timeline timeline = timeline_of(scheduled, point, setting, settings);
  const Time alone = model.forward() + model.backward() + point.training->step.update;
  HeldUp held_up(setting.machine, scheduled.schedule, timeline, point.rates, point.seed);
  StepReport step = step_report(scheduled.schedule, planned.plan, timeline, held_up, model, alone);
  step.published = point.training->published;
  add_faults(step, {asked, point, setting, scheduled, planned.plan, timeline, settings});
  const StepNames names(scheduled.schedule, planned.plan.parts, model);
  if (settings.critical_path)
    step.critical_path = step_path(setting.machine, scheduled.schedule, planned.plan, timeline,
                                   held_up, names, measured_step(planned.plan));
  if (settings.drawing != nullptr) settings.drawing->name_ops(names);
  Report report = report_of(scheduled, timeline, point, setting, settings);
  set_time(report, step.step,
           point.training->jitter.empty()
               ? step_bound(step, planned.plan, point, setting, scheduled.schedule)
               : jitter_bound(scheduled.schedule, planned.plan, point, model));
  report.step = std::move(step);
  return report;
}

}  // namespace

Report run_training(const Point& asked, const Setting& setting, const RunSettings& settings) {
  return run_replicas(with_strategy(asked, setting, settings), settings,
                      [&](const Point& point, const RunSettings& own) {
                        return run_once(asked, point, setting, own);
                      });
}

}  // namespace syncsim
