#pragma once
// Where the buckets of training steps lie in the data buffer, and which of them a layer needs.

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/workload/training_step.h"

namespace syncsim {

// What of a step lies in the buffer, as large as the model each.
enum class StepSection : std::uint8_t {
  gradients,
  forward_parameters,   // gathered before a bucket's forward (stage 2: after the update)
  backward_parameters,  // again before its backward
};
std::span<const StepSection> sections_of(Sharding sharding);

// To the nearest picosecond, a half up.
inline Time times(Time time, double factor) {
  return {static_cast<std::int64_t>(std::floor(static_cast<double>(time.ps) * factor + 0.5))};
}

class StepLayout {
 public:
  struct Range {  // of buckets
    std::size_t first = 0;
    std::size_t end = 0;
    bool empty() const { return first == end; }
  };

  StepLayout(const StepInput& input, std::vector<Bucket> buckets);

  const std::vector<Bucket>& buckets() const { return buckets_; }
  Collective whole() const;  // of the buffer, an allreduce
  Collective collective(CollectiveKind kind, const Slice& slice) const;

  Slice slice(int step, StepSection section, Range buckets) const;
  Slice slice(int step, StepSection section, std::size_t bucket) const {
    return slice(step, section, Range{bucket, bucket + 1});
  }
  // A rank's part of a bucket, as reduce-scatter leaves it.
  Slice part(const Slice& bucket, int rank) const;

  // By layer, in backward order: the buckets that its tensors lie in; those that are complete when
  // its backward ends.
  Range needed(std::size_t layer) const { return needed_[layer]; }
  Range closed(std::size_t layer) const { return closed_[layer]; }
  // Of all parameters.
  double share(std::size_t bucket) const;

 private:
  std::vector<Bucket> buckets_;
  std::vector<std::int64_t> begins_;  // in a section; one more than buckets
  std::vector<Range> needed_;
  std::vector<Range> closed_;
  int ranks_;
  int steps_;
  std::size_t sections_;
  std::string_view datatype_;
};

}  // namespace syncsim
