#include "sim/workload/training_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/error.h"
#include "sim/schedule/place_collective.h"
#include "sim/workload/step_emitter.h"

namespace syncsim {
namespace {

// Ready times at the slowest rank, from the begin of backward.
std::vector<ReadyTensor> ready_tensors(const StepInput& input) {
  double slowest = 1;
  for (const auto& step : input.paces)
    for (const RankPace& pace : step) slowest = std::max(slowest, pace.factor);
  std::vector<ReadyTensor> tensors;
  Time now;
  for (const Layer& layer : input.model.layers) {
    now += times(layer.backward, slowest);
    for (const Tensor& tensor : layer.tensors)
      tensors.push_back({tensor.bytes, input.options.overlap ? now : Time{}});
  }
  return tensors;
}

CollectiveKind kind_of(Sharding sharding, StepSection section) {
  if (section != StepSection::gradients) return CollectiveKind::all_gather;
  return sharding == Sharding::none ? CollectiveKind::allreduce : CollectiveKind::reduce_scatter;
}

void require_able(const StepInput& input) {
  const Sharding sharding = input.options.sharding;
  if (input.store != nullptr && sharding != Sharding::none)
    throw InputError("a key-value store sums whole gradients",
                     "leave out one of store and sharding");
  for (const StepSection section : sections_of(sharding)) {
    const CollectiveKind kind = kind_of(sharding, section);
    if (!does(input.strategy, kind))
      throw InputError(fmt::format("{} does no {}", input.strategy.name, to_string(kind)),
                       "choose another strategy, or no sharding");
  }
  const std::int64_t element = datatypes().at(input.model.datatype).size;
  for (const Tensor& tensor : tensors_of(input.model))
    if (tensor.bytes.count % element != 0)
      throw InputError(
          fmt::format("tensor {} of model {} has {}, no multiple of {}'s {} B", tensor.name,
                      input.model.name, to_string(tensor.bytes), input.model.datatype, element),
          "write whole elements");
}

// Every bucket of every step and section is a collective of its own.
std::vector<PlacedCollective> placed(const Schedule& schedule, const StepInput& input,
                                     const StepLayout& layout) {
  std::vector<PlacedCollective> result;
  for (int step = 0; step < input.options.steps; ++step)
    for (const StepSection section : sections_of(input.options.sharding))
      for (std::size_t bucket = 0; bucket < layout.buckets().size(); ++bucket) {
        const Slice slice = layout.slice(step, section, bucket);
        result.push_back(place_collective(
            schedule, layout.collective(kind_of(input.options.sharding, section), slice), slice));
      }
  return result;
}

// What the next forward needs first is in the last bucket. Levels of four times the share of the
// one below, few enough for what has the least to get on at all.
void prefer_late_buckets(Schedule& schedule, const std::vector<ChannelRange>& channels) {
  constexpr double kRatio = 4;
  constexpr std::size_t kMostLevels = 11;
  const std::size_t levels = std::min(channels.size(), kMostLevels);
  for (std::size_t bucket = 0; bucket < channels.size(); ++bucket) {
    const std::size_t level = bucket * levels / channels.size();
    for (int channel = channels[bucket].first; channel < channels[bucket].end; ++channel)
      schedule.channels[static_cast<std::size_t>(channel)].weight *=
          std::pow(kRatio, static_cast<double>(level));
  }
}

}  // namespace

PlannedSteps plan_steps(const StepInput& input, const Oversight& oversight, Reduction reduction) {
  require_able(input);
  const std::vector<Bucket> buckets = make_buckets(input.options.bucketing, ready_tensors(input));
  const StepLayout layout(input, buckets);
  PlannedSteps planned;
  std::vector<std::string> nodes;
  for (const NodeId node : input.ranks) nodes.push_back(input.topology.nodes()[node].id);
  std::vector<ChannelRange> channels;
  planned.schedule = build_schedule(
      layout.whole(), nodes,
      [&](ScheduleBuilder& builder) {
        StepEmitter emitter(input, layout, builder);
        planned.plan = emitter.emit();
        channels = emitter.channels();
      },
      oversight, reduction);
  planned.schedule.collectives = placed(planned.schedule, input, layout);
  if (input.options.order == BucketOrder::priority) prefer_late_buckets(planned.schedule, channels);
  return planned;
}

}  // namespace syncsim
