#pragma once
// Training steps as one schedule: every rank computes forward and backward layer by layer, its
// gradients become ready bucket by bucket, each bucket is summed by a strategy, the optimizer
// updates what arrived, and the next step begins.
//
// - Compute occupies the rank: forward, backward and updates run one after the other.
// - A bucket's gradients at a rank are made by the backward op that closes it, so that transfers
//   wait for each rank by itself, and the checker proves that they do.
// - Gradients of step t lie in part t of the data buffer, a collective of their own.
// - Buckets go out in their order: each on channels of its own, sharing links with the others, or
//   all on the same ones, one behind the other, as on one stream.
//
// Sharded training (ZeRO, Rajbhandari et al. 2020; FSDP): gradients are reduce-scattered, each rank
// updates its part, parameters are all-gathered: after the update (stage 2), or where they are
// needed, before a bucket's forward and again before its backward (stage 3).

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/schedule/strategy.h"
#include "sim/workload/buckets.h"
#include "sim/workload/model.h"
#include "sim/workload/step_parts.h"

namespace syncsim {

struct StoreOptions;    // key_value_store.h
struct LoadingOptions;  // batch_loading.h

enum class BucketOrder : std::uint8_t {
  concurrent,  // each on channels of its own, links shared fairly
  in_order,    // one behind the other, as on one stream
  priority,    // as concurrent; what the next forward needs first has the larger share
};

enum class Sharding : std::uint8_t {
  none,
  gradients,   // ZeRO stage 2
  parameters,  // ZeRO stage 3, FSDP
};

enum class UpdateTime : std::uint8_t {
  bucket,  // as soon as the bucket is summed
  end,     // when all are
};

struct StepOptions {
  Bucketing bucketing = {};
  BucketOrder order = BucketOrder::in_order;
  Sharding sharding = Sharding::none;
  UpdateTime update_at = UpdateTime::end;
  Time update = {};            // of all parameters, on one rank; shares go by bytes
  bool overlap = true;         // off: nothing is sent before backward is over
  bool early_forward = false;  // a layer's forward waits for its own parameters alone
  int prefetch = 1;            // stage 3: buckets gathered ahead of the one that computes
  int steps = 3;               // one after the other, to steady state
};

// Compute times of one rank in one step are the model's, times `factor` and times `jitter`, and it
// pauses for `pause` before its forward. Horovod's cycles are reckoned without jitter: a gradient
// that it makes late is sent when it is there.
struct RankPace {
  double factor = 1;
  double jitter = 1;
  Time pause = {};
};

struct StepInput {
  const Topology& topology;
  std::span<const NodeId> ranks;  // the nodes of ranks 0..n-1
  const Model& model;
  const Strategy& strategy;
  const Parameters& parameters;
  const StepOptions& options;
  // By step and rank; empty: all alike.
  std::vector<std::vector<RankPace>> paces = {};
  Time overhead = {};  // of every transfer; strategies reckon with it
  // A key-value store sums in place of the strategy (allreduce: by it), each bucket as a key;
  // nullptr: none. Not with sharding.
  const StoreOptions* store = nullptr;
  const LoadingOptions* loading = nullptr;  // nullptr: batches are there
};

// The ops of a schedule from `first` on, `end` behind the last.
struct OpRange {
  OpId first = 0;
  OpId end = 0;
};

struct ServerLoad {
  std::string node;
  Bytes bytes;  // of keys that live there
};

// What is what in the schedule.
struct StepPlan {
  std::vector<Bucket> buckets;
  // By step, then bucket.
  std::vector<std::vector<OpRange>> collectives;
  std::vector<std::vector<OpRange>> gathers;  // by step: of parameters, in no order of buckets
  std::vector<std::vector<OpRange>> batches;  // by the step in which they begin to come
  StepParts parts;                            // of the ops
  struct RankOps {
    std::vector<OpId> computes;  // forward, backward, updates; in order
    std::vector<OpId> ready;     // by bucket: after it its gradients may leave the rank
    OpId backward_end = 0;       // all gradients are made
    OpId pause = kNone;          // before forward
  };
  std::vector<std::vector<RankOps>> ranks;  // by step, then rank
  std::vector<ServerLoad> servers;          // of the store
  bool apart = false;                       // ranks may be in different steps (staleness.h)
};

struct PlannedSteps {
  Schedule schedule;
  StepPlan plan;
};

// Compute ops run on this channel, collectives on those above it.
inline constexpr std::uint16_t kComputeChannel = 0;

// Throws InputError where the strategy does not do the collective, or for what its parameters say
// wrongly.
PlannedSteps plan_steps(const StepInput& input, const Oversight& oversight = {},
                        Reduction reduction = Reduction::on_arrival);

}  // namespace syncsim
