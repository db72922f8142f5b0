#pragma once
// Emits training steps into a schedule (training_step.h): one pass, with the plan of that pass.
// Whatever is emitted waits for earlier ops alone, and lanes keep the order of emission, so that
// shared lanes never block each other.

#include <memory>
#include <optional>
#include <vector>

#include "sim/workload/batch_loading.h"
#include "sim/workload/key_value_store.h"
#include "sim/workload/step_layout.h"

namespace syncsim {

struct ChannelRange {
  int first = 0;
  int end = 0;
};

class StepEmitter {
 public:
  StepEmitter(const StepInput& input, const StepLayout& layout, ScheduleBuilder& builder);

  StepPlan emit();
  // By bucket: those of its gradients' collective. After emit().
  const std::vector<ChannelRange>& channels() const { return channels_.front(); }

 private:
  static constexpr std::uint16_t kLaunchChannel = 2;  // where ranks hand data over to collectives
  static constexpr std::uint16_t kBatchChannel = 2;   // on other lanes: between participants
  static constexpr int kFirstCollectiveChannel = 3;
  static constexpr Time kAtOnce{};

  using RankOps = StepPlan::RankOps;
  using Range = StepLayout::Range;

  // --- Compute (step_emitter.cpp).
  void begin_step();
  void forward();
  void backward();
  void compute_layer(std::size_t layer, Time duration, StepSection parameters);
  OpId backward_op(int rank, std::size_t layer, Range closed);
  void launch(int rank, OpId backward, Range closed);
  OpId compute(int step, int rank, Time duration);
  OpId compute(int step, int rank, Time duration, Access access, const Slice& slice);
  OpId noted(int step, int rank, OpId op);
  double factor(int step, int rank) const;
  void mark(StepPart part, std::size_t index);  // of the ops that follow

  // --- Batches (step_batches.cpp).
  void take_batches();
  void bring_first();
  void bring(int step, int rank, OpId after);

  // --- Gradients, updates and parameters (step_exchange.cpp).
  void synchronize(Range buckets);
  void update_all();
  void update(std::size_t bucket);
  void await_all();
  Slice summed(std::size_t bucket, int rank) const;
  void share_parameters(std::size_t bucket);
  void gather_for(std::size_t layer, StepSection section);
  void gather(std::size_t bucket, StepSection section);
  void used_by(Range buckets, int rank, OpId op);
  void open_store(const StoreOptions& options);
  void emit_strategy();
  std::size_t key_of(std::size_t bucket) const { return layout_.buckets().size() - 1 - bucket; }
  OpRange collective(CollectiveKind kind, StepSection section, const Slice& slice,
                     std::size_t bucket);

  int ranks() const { return static_cast<int>(input_.ranks.size()); }
  static ParticipantId participant(int rank) { return static_cast<ParticipantId>(rank); }
  bool sharded(Sharding at_least) const { return options_.sharding >= at_least; }

  const StepInput& input_;
  const StepOptions& options_;
  const StepLayout& layout_;
  ScheduleBuilder& builder_;
  std::shared_ptr<Findings> findings_ = std::make_shared<Findings>();
  std::optional<KeyValueStore> store_;
  std::optional<BatchLoading> loading_;
  StepPlan plan_;
  int step_ = 0;
  int updating_ = -1;                       // the step whose gradients updates apply
  std::vector<bool> updated_;               // by bucket: with those
  std::vector<std::vector<OpId>> updates_;  // by bucket and rank: the last
  std::vector<OpId> forward_ends_;          // by rank: the last forward op of this step
  std::vector<Time> clocks_;                // by rank: what its clock has counted since
  // Of stage 3, by gathered bucket in order of use: by rank the last op that computes on it.
  std::vector<std::vector<OpId>> uses_;
  std::vector<std::size_t> use_of_;  // by bucket: its place there; of this pass over the layers
  std::vector<bool> gathered_;       // by bucket: in this pass over the layers
  std::vector<std::vector<ChannelRange>> channels_;  // by section and bucket, once known
  int next_channel_ = 0;
};

}  // namespace syncsim
