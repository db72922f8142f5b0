#include "sim/workload/buckets.h"

#include <algorithm>

#include "sim/base/error.h"

namespace syncsim {
namespace {

using Tensors = std::span<const ReadyTensor>;

// Tensors go into the open bucket; `closes` says of it, with the number of buckets before it,
// whether no more may follow.
template <class Closes>
std::vector<Bucket> gather(Tensors tensors, const Closes& closes) {
  std::vector<Bucket> buckets;
  Bucket open;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    open.bytes = open.bytes + tensors[i].bytes;
    ++open.count;
    if (i + 1 < tensors.size() && !closes(open, buckets.size())) continue;
    buckets.push_back(open);
    open = {i + 1, 0, {}, {}};
  }
  return buckets;
}

std::vector<Bucket> ddp(const Bucketing& bucketing, Tensors tensors) {
  return gather(tensors, [&](const Bucket& open, std::size_t before) {
    return open.bytes >= (before == 0 ? bucketing.first : bucketing.cap);
  });
}

std::vector<Bucket> ddp_forward(const Bucketing& bucketing, Tensors tensors) {
  const std::vector<ReadyTensor> forward(tensors.rbegin(), tensors.rend());
  std::vector<Bucket> buckets = ddp(bucketing, forward);
  std::reverse(buckets.begin(), buckets.end());
  for (Bucket& bucket : buckets) bucket.first = tensors.size() - bucket.first - bucket.count;
  return buckets;
}

// The first cycle at or after `ready`; cycles begin with backward.
Time cycle_after(Time ready, Time cycle) {
  return {(ready.ps + cycle.ps - 1) / cycle.ps * cycle.ps};
}

std::vector<Bucket> horovod(const Bucketing& bucketing, Tensors tensors) {
  require(bucketing.cycle.ps > 0, "a cycle time above 0");
  std::vector<Bucket> buckets = gather(tensors, [&](const Bucket& open, std::size_t) {
    const std::size_t next = open.last() + 1;
    const bool too_large = open.bytes + tensors[next].bytes > bucketing.fusion;
    return too_large || cycle_after(tensors[open.last()].ready, bucketing.cycle) !=
                            cycle_after(tensors[next].ready, bucketing.cycle);
  });
  for (Bucket& bucket : buckets)
    bucket.earliest = cycle_after(tensors[bucket.last()].ready, bucketing.cycle);
  return buckets;
}

}  // namespace

const NamedTable<BucketRuleRow>& bucket_rules() {
  static const NamedTable<BucketRuleRow> table(
      "bucket rule",
      {{"ddp", "PyTorch: closed at 1 MiB, then at every 25 MiB, in the order of readiness",
        BucketRule::ddp},
       {"ddp-forward", "PyTorch's first iteration: the same limits from the first parameter on",
        BucketRule::ddp_forward},
       {"horovod", "what is ready at each cycle, up to the fusion buffer", BucketRule::horovod},
       {"per-tensor", "every gradient by itself", BucketRule::per_tensor},
       {"one", "all gradients in one message", BucketRule::one}});
  return table;
}

std::vector<Bucket> make_buckets(const Bucketing& bucketing, Tensors tensors) {
  switch (bucketing.rule) {
    case BucketRule::ddp:
      return ddp(bucketing, tensors);
    case BucketRule::ddp_forward:
      return ddp_forward(bucketing, tensors);
    case BucketRule::horovod:
      return horovod(bucketing, tensors);
    case BucketRule::per_tensor:
      return gather(tensors, [](const Bucket&, std::size_t) { return true; });
    case BucketRule::one:
      break;
  }
  return gather(tensors, [](const Bucket&, std::size_t) { return false; });
}

}  // namespace syncsim
