#pragma once
// How frameworks gather gradients into messages. A bucket is what one collective sends: consecutive
// tensors of the order in which gradients become ready (backward order).

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sim/base/named_table.h"
#include "sim/base/units.h"

namespace syncsim {

struct Bucket {
  std::size_t first = 0;  // tensor
  std::size_t count = 0;
  Bytes bytes;
  Time earliest;  // it is not sent before, counted from the begin of backward

  std::size_t last() const { return first + count - 1; }
};

enum class BucketRule : std::uint8_t { ddp, ddp_forward, horovod, per_tensor, one };

struct BucketRuleRow {
  std::string_view name;  // as in scenarios: "ddp", "ddp-forward", "horovod", "per-tensor", "one"
  std::string_view description;
  BucketRule rule;
};
const NamedTable<BucketRuleRow>& bucket_rules();

// Defaults: PyTorch's DistributedDataParallel (bucket_cap_mb 25, first bucket 1 MiB) and Horovod
// from 0.21 on (128 MB, 1 ms; 64 MB and 5 ms before, horovod #2468).
struct Bucketing {
  BucketRule rule = BucketRule::ddp;
  Bytes first{1'048'576};     // ddp: the first bucket is closed when it holds as much
  Bytes cap{26'214'400};      // ddp: every further one; a bucket passes it by up to a tensor
  Bytes fusion{134'217'728};  // horovod: at most so much in a message, unless a tensor is larger
  Time cycle{1'000'000'000};  // horovod: ready tensors are looked for so often
};

// What a rule is told of each tensor, in backward order.
struct ReadyTensor {
  Bytes bytes;
  Time ready;  // from the begin of backward, at the slowest rank; horovod's cycles need it
};

// Covers all tensors, in order.
//   ddp          a bucket is closed when its size reaches its limit: `first`, then `cap`
//   (reducer.cpp
//                compute_bucket_assignment_by_size, in the order of readiness after iteration 1)
//   ddp_forward  the same from the first parameter on, then the list is turned round: iteration 1
//                of older versions, or with unused parameters
//   horovod      at every cycle the tensors that have become ready, in order, up to `fusion` a
//                message; a bucket's `earliest` is its cycle
std::vector<Bucket> make_buckets(const Bucketing& bucketing, std::span<const ReadyTensor> tensors);

}  // namespace syncsim
