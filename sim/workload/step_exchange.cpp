// What ranks exchange in training steps, and what they do with it.

#include <algorithm>

#include "sim/workload/step_emitter.h"

namespace syncsim {

void StepEmitter::synchronize(Range buckets) {
  const bool whole = !sharded(Sharding::gradients);
  const CollectiveKind kind = whole ? CollectiveKind::allreduce : CollectiveKind::reduce_scatter;
  for (std::size_t bucket = buckets.first; bucket < buckets.end; ++bucket)
    plan_.collectives.back()[bucket] = collective(
        kind, StepSection::gradients, layout_.slice(step_, StepSection::gradients, bucket), bucket);
}

void StepEmitter::update_all() {
  for (std::size_t bucket = 0; bucket < updated_.size(); ++bucket)
    if (!updated_[bucket]) update(bucket);
}

void StepEmitter::update(std::size_t bucket) {
  const bool first = std::all_of(updated_.begin(), updated_.end(), [](bool done) { return !done; });
  builder_.phase("update");
  if (first && options_.update_at == UpdateTime::end) await_all();
  updated_[bucket] = true;
  const double owners = sharded(Sharding::gradients) ? ranks() : 1;
  const Time duration = times(options_.update, layout_.share(bucket) / owners);
  mark(StepPart::update, bucket);
  for (int rank = 0; rank < ranks(); ++rank)
    updates_[bucket][static_cast<std::size_t>(rank)] =
        compute(updating_, rank, times(duration, factor(updating_, rank)), Access::reads,
                summed(bucket, rank));
  if (options_.sharding == Sharding::gradients) share_parameters(bucket);
}

// Lanes make the updates that follow wait for all gradients.
void StepEmitter::await_all() {
  for (std::size_t bucket = 0; bucket < updated_.size(); ++bucket) {
    mark(StepPart::await, bucket);
    for (int rank = 0; rank < ranks(); ++rank)
      compute(updating_, rank, kAtOnce, Access::reads, summed(bucket, rank));
  }
}

// What of a bucket's gradients ends up summed at a rank.
Slice StepEmitter::summed(std::size_t bucket, int rank) const {
  const Slice slice = layout_.slice(updating_, StepSection::gradients, bucket);
  return sharded(Sharding::gradients) ? layout_.part(slice, rank) : slice;
}

// Hands each rank's updated part over, and gathers them.
void StepEmitter::share_parameters(std::size_t bucket) {
  const Slice slice = layout_.slice(updating_, StepSection::forward_parameters, bucket);
  mark(StepPart::launch, bucket);
  for (int rank = 0; rank < ranks(); ++rank) {
    const OpId ready = builder_.compute(participant(rank), kAtOnce, Access::produces,
                                        layout_.part(slice, rank), kLaunchChannel);
    builder_.edge(updates_[bucket][static_cast<std::size_t>(rank)], ready);
  }
  plan_.gathers[static_cast<std::size_t>(updating_)].push_back(
      collective(CollectiveKind::all_gather, StepSection::forward_parameters, slice, bucket));
}

void StepEmitter::gather_for(std::size_t layer, StepSection section) {
  const Range needed = layout_.needed(layer);
  for (std::size_t bucket = needed.first; bucket < needed.end; ++bucket)
    if (!gathered_[bucket]) gather(bucket, section);
}

// Not before the rank is through with the bucket that is `prefetch` ahead of the one before.
void StepEmitter::gather(std::size_t bucket, StepSection section) {
  const Slice slice = layout_.slice(step_, section, bucket);
  const auto ahead = static_cast<std::size_t>(options_.prefetch) + 1;
  mark(StepPart::launch, bucket);
  for (int rank = 0; rank < ranks(); ++rank) {
    const auto r = static_cast<std::size_t>(rank);
    const OpId ready = builder_.compute(participant(rank), kAtOnce, Access::produces,
                                        layout_.part(slice, rank), kLaunchChannel);
    if (updates_[bucket][r] != kNone) builder_.edge(updates_[bucket][r], ready);
    if (uses_.size() >= ahead) builder_.edge(uses_[uses_.size() - ahead][r], ready);
  }
  plan_.gathers.back().push_back(collective(CollectiveKind::all_gather, section, slice, bucket));
  gathered_[bucket] = true;
  use_of_[bucket] = uses_.size();
  uses_.emplace_back(input_.ranks.size(), kNone);
}

void StepEmitter::used_by(Range buckets, int rank, OpId op) {
  if (!sharded(Sharding::parameters)) return;
  for (std::size_t bucket = buckets.first; bucket < buckets.end; ++bucket)
    uses_[use_of_[bucket]][static_cast<std::size_t>(rank)] = op;
}

void StepEmitter::open_store(const StoreOptions& options) {
  std::vector<Bytes> keys;
  for (const Bucket& bucket : layout_.buckets()) keys.push_back(bucket.bytes);
  std::reverse(keys.begin(), keys.end());
  const std::vector<NodeId> nodes = store_nodes(input_.topology, input_.ranks, options);
  store_.emplace(input_.topology, input_.ranks, nodes, options, std::move(keys), builder_,
                 [this] { emit_strategy(); });
  plan_.apart = options.staleness != 0;
  const std::vector<std::int64_t> loads = store_->loads();
  for (std::size_t server = 0; server < nodes.size(); ++server)
    plan_.servers.push_back({input_.topology.nodes()[nodes[server]].id, {loads[server]}});
}

void StepEmitter::emit_strategy() {
  input_.strategy.emit({.topology = input_.topology,
                        .ranks = input_.ranks,
                        .parameters = input_.parameters,
                        .overhead = input_.overhead,
                        .findings = findings_},
                       builder_);
}

OpRange StepEmitter::collective(CollectiveKind kind, StepSection section, const Slice& slice,
                                std::size_t bucket) {
  ChannelRange& channels = channels_[static_cast<std::size_t>(section)][bucket];
  const bool own_channels = options_.order != BucketOrder::in_order;
  if (channels.first == 0) channels.first = own_channels ? next_channel_ : kFirstCollectiveChannel;
  ScheduleBuilder::ScopeOptions scope;
  scope.data = slice;
  scope.collective = layout_.collective(kind, slice);
  scope.channel_base = static_cast<std::uint16_t>(channels.first);
  scope.phase_prefix = section == StepSection::gradients ? "gradients " : "parameters ";
  mark(section == StepSection::gradients ? StepPart::gradients : StepPart::parameters, bucket);
  const auto first = static_cast<OpId>(builder_.ops());
  const int used = builder_.scope(scope, [&] {
    if (store_)
      store_->pushpull(key_of(bucket), builder_.data());
    else
      emit_strategy();
  });
  channels.end = channels.first + used;
  next_channel_ = std::max(next_channel_, channels.end);
  return {first, static_cast<OpId>(builder_.ops())};
}

}  // namespace syncsim
