#include "sim/workload/step_emitter.h"

#include <algorithm>
#include <utility>

namespace syncsim {
namespace {

constexpr std::uint16_t kClockChannel = 1;  // where a rank waits for a cycle

}  // namespace

StepEmitter::StepEmitter(const StepInput& input, const StepLayout& layout, ScheduleBuilder& builder)
    : input_(input),
      options_(input.options),
      layout_(layout),
      builder_(builder),
      updated_(layout.buckets().size(), true),
      updates_(layout.buckets().size(), std::vector<OpId>(input.ranks.size(), kNone)),
      forward_ends_(input.ranks.size(), kNone),
      clocks_(input.ranks.size()),
      use_of_(layout.buckets().size()),
      gathered_(layout.buckets().size()),
      channels_(sections_of(options_.sharding).size(),
                std::vector<ChannelRange>(layout.buckets().size())),
      next_channel_(kFirstCollectiveChannel) {
  if (input.store != nullptr) open_store(*input.store);
  if (input.loading != nullptr)
    loading_.emplace(*input.loading, input.topology, input.ranks, kBatchChannel, builder);
}

StepPlan StepEmitter::emit() {
  plan_.buckets = layout_.buckets();
  for (step_ = 0; step_ < options_.steps; ++step_) {
    begin_step();
    forward();
    backward();
    updating_ = step_;
    updated_.assign(updated_.size(), false);
    if (!options_.early_forward) update_all();
  }
  update_all();
  return std::move(plan_);
}

void StepEmitter::begin_step() {
  const std::size_t buckets = layout_.buckets().size();
  plan_.collectives.emplace_back(buckets);
  plan_.gathers.emplace_back();
  plan_.batches.emplace_back();
  plan_.ranks.emplace_back(input_.ranks.size());
  for (RankOps& rank : plan_.ranks.back()) rank.ready.resize(buckets);
  if (input_.paces.empty()) return;
  builder_.phase("pause");
  mark(StepPart::pause, static_cast<std::size_t>(step_));
  for (int rank = 0; rank < ranks(); ++rank) {
    const Time pause =
        input_.paces[static_cast<std::size_t>(step_)][static_cast<std::size_t>(rank)].pause;
    if (pause > kAtOnce)
      plan_.ranks.back()[static_cast<std::size_t>(rank)].pause =
          builder_.compute(participant(rank), pause, kComputeChannel);
  }
}

void StepEmitter::forward() {
  gathered_.assign(gathered_.size(), false);
  for (std::size_t layer = input_.model.layers.size(); layer-- > 0;) {
    const Range needed = layout_.needed(layer);
    for (std::size_t bucket = needed.first; bucket < needed.end; ++bucket)
      if (!updated_[bucket]) update(bucket);
    if (sharded(Sharding::parameters)) gather_for(layer, StepSection::forward_parameters);
    if (loading_ && layer + 1 == input_.model.layers.size()) take_batches();
    builder_.phase("forward");
    mark(StepPart::forward, layer);
    for (int rank = 0; rank < ranks(); ++rank) {
      const Time duration = times(input_.model.layers[layer].forward, factor(step_, rank));
      const bool from_others =
          sharded(Sharding::parameters) || (sharded(Sharding::gradients) && step_ > 0);
      const int gathered_in = sharded(Sharding::parameters) ? step_ : step_ - 1;
      const OpId op =
          from_others && !needed.empty()
              ? compute(step_, rank, duration, Access::reads,
                        layout_.slice(gathered_in, StepSection::forward_parameters, needed))
              : compute(step_, rank, duration);
      used_by(needed, rank, op);
      forward_ends_[static_cast<std::size_t>(rank)] = op;
    }
  }
}

void StepEmitter::backward() {
  const std::size_t layers = input_.model.layers.size();
  const Range all{0, layout_.buckets().size()};
  gathered_.assign(gathered_.size(), false);
  std::fill(clocks_.begin(), clocks_.end(), kAtOnce);
  for (std::size_t layer = 0; layer < layers; ++layer) {
    const Range last = layer + 1 == layers ? all : Range{};
    const Range closed = options_.overlap ? layout_.closed(layer) : last;
    if (sharded(Sharding::parameters)) gather_for(layer, StepSection::backward_parameters);
    builder_.phase("backward");
    for (int rank = 0; rank < ranks(); ++rank) {
      mark(StepPart::backward, layer);
      const OpId op = backward_op(rank, layer, closed);
      used_by(layout_.needed(layer), rank, op);
      plan_.ranks.back()[static_cast<std::size_t>(rank)].backward_end = op;
    }
    synchronize(closed);
  }
}

OpId StepEmitter::backward_op(int rank, std::size_t layer, Range closed) {
  const Range needed = layout_.needed(layer);
  if (sharded(Sharding::parameters) && !needed.empty())  // lanes make the next op wait for this one
    compute(step_, rank, kAtOnce, Access::reads,
            layout_.slice(step_, StepSection::backward_parameters, needed));
  const Time duration = times(input_.model.layers[layer].backward, factor(step_, rank));
  const bool by_clock = options_.bucketing.rule == BucketRule::horovod && options_.overlap;
  if (closed.empty() || by_clock) {
    const OpId op = compute(step_, rank, duration);
    launch(rank, op, closed);
    return op;
  }
  const OpId op = compute(step_, rank, duration, Access::produces,
                          layout_.slice(step_, StepSection::gradients, closed));
  RankOps& own = plan_.ranks.back()[static_cast<std::size_t>(rank)];
  for (std::size_t bucket = closed.first; bucket < closed.end; ++bucket) own.ready[bucket] = op;
  return op;
}

// Buckets that are looked for at cycles: ready at the later of the cycle and their last gradient.
void StepEmitter::launch(int rank, OpId backward, Range closed) {
  RankOps& own = plan_.ranks.back()[static_cast<std::size_t>(rank)];
  Time& clock = clocks_[static_cast<std::size_t>(rank)];
  for (std::size_t bucket = closed.first; bucket < closed.end; ++bucket) {
    mark(StepPart::launch, bucket);
    const Time earliest = layout_.buckets()[bucket].earliest;
    const OpId cycle = builder_.compute(participant(rank), earliest - clock, kClockChannel);
    if (clock == kAtOnce) builder_.edge(forward_ends_[static_cast<std::size_t>(rank)], cycle);
    clock = earliest;
    own.ready[bucket] =
        builder_.compute(participant(rank), kAtOnce, Access::produces,
                         layout_.slice(step_, StepSection::gradients, bucket), kLaunchChannel);
    builder_.edge(backward, own.ready[bucket]);
    builder_.edge(cycle, own.ready[bucket]);
  }
}

OpId StepEmitter::compute(int step, int rank, Time duration) {
  return noted(step, rank, builder_.compute(participant(rank), duration, kComputeChannel));
}

OpId StepEmitter::compute(int step, int rank, Time duration, Access access, const Slice& slice) {
  return noted(step, rank,
               builder_.compute(participant(rank), duration, access, slice, kComputeChannel));
}

OpId StepEmitter::noted(int step, int rank, OpId op) {
  RankOps& own = plan_.ranks[static_cast<std::size_t>(step)][static_cast<std::size_t>(rank)];
  own.computes.push_back(op);
  return op;
}

void StepEmitter::mark(StepPart part, std::size_t index) {
  plan_.parts.begin(static_cast<OpId>(builder_.ops()), {part, static_cast<std::uint32_t>(index)});
}

double StepEmitter::factor(int step, int rank) const {
  if (input_.paces.empty()) return 1;
  const RankPace& pace =
      input_.paces[static_cast<std::size_t>(step)][static_cast<std::size_t>(rank)];
  return pace.factor * pace.jitter;
}

}  // namespace syncsim
