#include "sim/scenario/training.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/analysis/bounds.h"
#include "sim/report/step_report.h"
#include "sim/scenario/plan_strategy.h"
#include "sim/scenario/point.h"
#include "sim/scenario/point_schedule.h"
#include "sim/scenario/rings_file.h"
#include "sim/scenario/run.h"
#include "sim/scenario/select.h"
#include "sim/scenario/setting.h"
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
    throw bytes.error(fmt::format("is no {} tensors of float32", layers),
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

// By step and rank; none where all are alike.
std::vector<std::vector<RankPace>> paces_of(const Point& point, std::size_t ranks) {
  const Training& training = *point.training;
  if (training.speeds.empty() && training.pauses.empty()) return {};
  const auto require_rank = [&](int rank, const std::string& place) {
    if (std::cmp_greater_equal(rank, ranks))
      throw InputError(fmt::format("rank {} is not in the run", rank),
                       fmt::format("name ranks of the run, 0 to {}", ranks - 1), place);
  };
  std::vector<RankPace> each(ranks);
  for (const auto& [rank, speed] : training.speeds) {
    require_rank(rank, point.place("speeds"));
    each[static_cast<std::size_t>(rank)].factor = 1 / speed;
  }
  std::vector<std::vector<RankPace>> paces(static_cast<std::size_t>(training.step.steps), each);
  for (const Pause& pause : training.pauses) {
    require_rank(pause.rank, pause.place);
    if (pause.step >= training.step.steps)
      throw InputError(fmt::format("step {} is not run", pause.step),
                       fmt::format("name steps 0 to {}", training.step.steps - 1), pause.place);
    paces[static_cast<std::size_t>(pause.step)][static_cast<std::size_t>(pause.rank)].pause +=
        pause.time;
  }
  return paces;
}

// No steady step is shorter than the compute of its slowest rank, nor than any of its collectives
// needs for its bytes. What latencies add may lie across steps, so bounds by latency do not count.
LowerBound step_bound(const StepReport& step, const Point& point, const Setting& setting,
                      const Schedule& schedule) {
  LowerBound best{seconds(step.compute), "compute", "the rank that computes longest"};
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
  static const Strategy store{.name = "store",
                              .description = "a key-value store",
                              .parameters = {},
                              .collectives = {CollectiveKind::allreduce},
                              .emit = nullptr};
  return store;
}

EmittedSteps steps_of(const Point& point, const Setting& setting, const RunSettings& settings) {
  if (is_plan(point.strategy))
    throw InputError("a plan is of one collective, not of training steps", "name a strategy",
                     point.place("strategy"));
  const auto& store = point.training->store;
  const Strategy& strategy = store ? store_strategy() : strategies().at(point.strategy);
  const GivenParameters given = given_parameters(point, setting.machine, setting.ranks);
  Parameters parameters(strategy.name, strategy.parameters, given.values, given.places);
  PlannedSteps planned = at_field(point, store ? "store" : "strategy", [&] {
    const StoreOptions options = store ? store_on(*store, setting.machine) : StoreOptions{};
    return plan_steps({.topology = setting.machine,
                       .ranks = setting.ranks,
                       .model = *setting.model,
                       .strategy = strategy,
                       .parameters = parameters,
                       .options = point.training->step,
                       .paces = paces_of(point, setting.ranks.size()),
                       .overhead = point.overhead,
                       .store = store ? &options : nullptr},
                      oversight_of(point, setting.machine, settings), point.reduction);
  });
  return {std::move(planned), std::move(parameters)};
}

// What a choice such as auto runs on all gradients at once.
Point with_strategy(const Point& point, const Setting& setting, const RunSettings& settings) {
  if (choices().find(point.strategy) == nullptr) return point;
  refuse_parameters(point, point.strategy);
  const Race all = fastest(point, setting, settings);
  Point chosen = point;
  chosen.strategy = all.winner->facts.strategy;
  chosen.parameters = all.winner->facts.changed;
  return chosen;
}

}  // namespace

Report run_training(const Point& asked, const Setting& setting, const RunSettings& settings) {
  const Model& model = *setting.model;
  const Point point = with_strategy(asked, setting, settings);
  auto [planned, parameters] = steps_of(point, setting, settings);
  PointSchedule scheduled{std::move(planned.schedule), setting.ranks, std::move(parameters), false};
  if (settings.check) prove(scheduled.schedule, point.strategy, settings.watch);
  const Timeline timeline = timeline_of(scheduled, point, setting, settings);
  const Time alone = model.forward() + model.backward() + point.training->step.update;
  StepReport step = step_report(scheduled.schedule, planned.plan, timeline, model, alone);
  Report report = report_of(scheduled, timeline, point, setting, settings);
  set_time(report, step.step, step_bound(step, point, setting, scheduled.schedule));
  report.step = std::move(step);
  return report;
}

}  // namespace syncsim
