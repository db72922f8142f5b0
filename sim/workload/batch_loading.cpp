#include "sim/workload/batch_loading.h"

#include "sim/schedule/participant_on.h"

namespace syncsim {

BatchLoading::BatchLoading(const LoadingOptions& options, const Topology& topology,
                           std::span<const NodeId> ranks, std::uint16_t channel,
                           ScheduleBuilder& builder)
    : options_(options),
      channel_(channel),
      builder_(builder),
      buffer_(builder.scratch("batches", {(options.ahead + 1) * options.bytes.count}).buffer) {
  for (const NodeId node : options.from)
    sources_.push_back(participant_on(node, topology, ranks, builder));
}

Slice BatchLoading::batch(int step) const {
  const std::int64_t begin = step % (options_.ahead + 1) * options_.bytes.count;
  return {buffer_, begin, begin + options_.bytes.count};
}

void BatchLoading::bring(int step, ParticipantId rank, OpId after) {
  if (sources_[rank] == rank) return;  // they are there
  const OpId arrival = builder_.copy(sources_[rank], rank, batch(step), channel_);
  if (after != kNone) builder_.edge(after, arrival);
}

}  // namespace syncsim
