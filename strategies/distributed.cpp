// Aggregation spread over all GPUs (Dive into Deep Learning, "Parameter Servers"; also called
// sharded or two-shot direct): partition i is added up on GPU i, and sent from there to all. 2
// (n-1)/n M / B where every GPU has a port of its own.

#include "strategies/strategies.h"

namespace syncsim::strategy {
namespace {

// Calls send(rank, owner) for every pair of different ranks, each rank's owners starting after it,
// so that no owner is everybody's first.
template <class Send>
void each_pair(int ranks, Send&& send) {
  for (int rank = 0; rank < ranks; ++rank)
    for (int step = 1; step < ranks; ++step)
      send(static_cast<ParticipantId>(rank), static_cast<ParticipantId>((rank + step) % ranks));
}

class Partitions {
 public:
  explicit Partitions(ScheduleBuilder& builder)
      : builder_(builder), parts_(builder.split(builder.data(), builder.ranks())) {}

  void reduce_scatter() {
    builder_.phase("reduce");
    each_pair(builder_.ranks(), [&](ParticipantId rank, ParticipantId owner) {
      builder_.reduce(rank, owner, parts_[owner]);
    });
  }
  void all_gather() {
    builder_.phase("broadcast");
    each_pair(builder_.ranks(), [&](ParticipantId owner, ParticipantId rank) {
      builder_.copy(owner, rank, parts_[owner]);
    });
  }
  void scatter(ParticipantId root) {
    builder_.phase("scatter");
    each_owner_but(root, [&](ParticipantId owner) { builder_.copy(root, owner, parts_[owner]); });
  }
  void gather(ParticipantId root) {
    builder_.phase("gather");
    each_owner_but(root, [&](ParticipantId owner) { builder_.copy(owner, root, parts_[owner]); });
  }

  std::size_t count() const { return parts_.size(); }

 private:
  template <class Send>
  void each_owner_but(ParticipantId root, Send&& send) {
    for (std::size_t owner = 0; owner < parts_.size(); ++owner)
      if (owner != root) send(static_cast<ParticipantId>(owner));
  }

  ScheduleBuilder& builder_;
  std::vector<Slice> parts_;
};

}  // namespace

void emit_distributed(const StrategyInput&, ScheduleBuilder& builder) {
  Partitions partitions(builder);
  const auto root = static_cast<ParticipantId>(builder.collective().root);
  const CollectiveKind kind = builder.collective().kind;
  const std::size_t pairs = partitions.count() * (partitions.count() - 1);
  const bool rooted = kind == CollectiveKind::reduce || kind == CollectiveKind::broadcast;
  const std::size_t others = kind == CollectiveKind::allreduce ? pairs
                             : rooted                          ? partitions.count() - 1
                                                               : 0;
  builder.expect({.ops = pairs + others, .lanes = pairs});
  switch (kind) {
    case CollectiveKind::allreduce:
      partitions.reduce_scatter();
      partitions.all_gather();
      return;
    case CollectiveKind::reduce:
      partitions.reduce_scatter();
      partitions.gather(root);
      return;
    case CollectiveKind::broadcast:
      partitions.scatter(root);
      partitions.all_gather();
      return;
    case CollectiveKind::reduce_scatter:
      partitions.reduce_scatter();
      return;
    case CollectiveKind::all_gather:
      partitions.all_gather();
      return;
  }
}

}  // namespace syncsim::strategy
