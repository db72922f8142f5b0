#include "sim/workload/step_layout.h"

#include "sim/schedule/proportion.h"

namespace syncsim {

std::span<const StepSection> sections_of(Sharding sharding) {
  static constexpr StepSection kAll[] = {StepSection::gradients, StepSection::forward_parameters,
                                         StepSection::backward_parameters};
  return std::span(kAll).first(static_cast<std::size_t>(sharding) + 1);
}

StepLayout::StepLayout(const StepInput& input, std::vector<Bucket> buckets)
    : buckets_(std::move(buckets)),
      ranks_(static_cast<int>(input.ranks.size())),
      steps_(input.options.steps),
      sections_(sections_of(input.options.sharding).size()),
      datatype_(datatypes().at(input.model.datatype).name) {
  begins_.push_back(0);
  for (const Bucket& bucket : buckets_) begins_.push_back(begins_.back() + bucket.bytes.count);
  std::size_t tensors = 0;
  std::size_t open = 0;  // the bucket that the next tensor goes into
  for (const Layer& layer : input.model.layers) {
    const std::size_t first = open;
    tensors += layer.tensors.size();
    while (open < buckets_.size() && buckets_[open].first + buckets_[open].count <= tensors) ++open;
    const bool in_open = open < buckets_.size() && buckets_[open].first < tensors;
    closed_.push_back({first, open});
    needed_.push_back(layer.tensors.empty() ? Range{first, first}
                                            : Range{first, open + (in_open ? 1 : 0)});
  }
}

Collective StepLayout::collective(CollectiveKind kind, const Slice& slice) const {
  return {.kind = kind, .ranks = ranks_, .bytes = {slice.size()}, .datatype = datatype_};
}

Collective StepLayout::whole() const {
  const auto copies = static_cast<std::int64_t>(sections_) * steps_;
  return collective(CollectiveKind::allreduce, {0, 0, copies * begins_.back()});
}

Slice StepLayout::slice(int step, StepSection section, Range buckets) const {
  const auto copies =
      static_cast<std::int64_t>(sections_) * step + static_cast<std::int64_t>(section);
  const std::int64_t begin = copies * begins_.back();
  return {0, begin + begins_[buckets.first], begin + begins_[buckets.end]};
}

Slice StepLayout::part(const Slice& bucket, int rank) const {
  const std::int64_t element = collective(CollectiveKind::allreduce, bucket).element_size();
  const std::int64_t elements = bucket.size() / element;
  const auto offset = [&](int of_rank) {
    return bucket.begin + syncsim::share(elements, of_rank, ranks_) * element;
  };
  return {bucket.buffer, offset(rank), offset(rank + 1)};
}

double StepLayout::share(std::size_t bucket) const {
  return static_cast<double>(buckets_[bucket].bytes.count) / static_cast<double>(begins_.back());
}

}  // namespace syncsim
