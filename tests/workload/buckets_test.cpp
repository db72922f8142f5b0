#include "sim/workload/buckets.h"

#include <doctest/doctest.h>

#include <string>

namespace syncsim::testing::buckets_test {
namespace {

constexpr std::int64_t kMebi = 1'048'576;

std::vector<ReadyTensor> tensors_of(const std::vector<std::int64_t>& sizes) {
  std::vector<ReadyTensor> tensors;
  Time ready;
  for (const std::int64_t size : sizes) {
    ready += Time{1'000'000};  // 1 us each
    tensors.push_back({{size}, ready});
  }
  return tensors;
}

// "2:12 1:5": tensors and bytes of each bucket; with "@us" where it has an earliest time.
std::string told(const std::vector<Bucket>& buckets) {
  std::string text;
  std::size_t next = 0;
  for (const Bucket& bucket : buckets) {
    CHECK(bucket.first == next);
    next += bucket.count;
    text += (text.empty() ? "" : " ") + std::to_string(bucket.count) + ":" +
            std::to_string(bucket.bytes.count);
    if (bucket.earliest.ps > 0) text += "@" + std::to_string(bucket.earliest.ps / 1'000'000);
  }
  return text;
}

std::string told(const Bucketing& bucketing, const std::vector<std::int64_t>& sizes) {
  return told(make_buckets(bucketing, tensors_of(sizes)));
}

}  // namespace

TEST_CASE("ddp closes a bucket once it holds its limit, so that it may pass it") {
  const Bucketing limits{.rule = BucketRule::ddp, .first = {10}, .cap = {20}};
  CHECK(told(limits, {4, 4, 4, 19, 1, 30, 5}) == "3:12 2:20 1:30 1:5");
  CHECK(told(limits, {10}) == "1:10");
  CHECK(told(limits, {9, 21}) == "2:30");
}

TEST_CASE("ddp's defaults are PyTorch's") {
  CHECK(told(Bucketing{}, {kMebi - 4, 4, 25 * kMebi - 4, 4, 4}) == "2:1048576 2:26214400 1:4");
}

TEST_CASE("ddp's first iteration cuts from the first parameter on and sends the last part first") {
  const Bucketing limits{.rule = BucketRule::ddp_forward, .first = {10}, .cap = {20}};
  // Forward: 5 30 | 1 19 | 4 4 4.
  CHECK(told(limits, {4, 4, 4, 19, 1, 30, 5}) == "3:12 2:20 2:35");
}

TEST_CASE("horovod sends at each cycle what has become ready, up to its buffer") {
  const Bucketing cycles{
      .rule = BucketRule::horovod, .fusion = {10}, .cycle = Time{3'000'000}};  // 3 us
  CHECK(told(cycles, {1, 2, 3, 4, 5, 6, 7}) == "3:6@3 2:9@6 1:6@6 1:7@9");
  CHECK(told(cycles, {11, 11}) == "1:11@3 1:11@3");
  const Bucketing defaults{.rule = BucketRule::horovod};
  CHECK(told(defaults, {100'000'000, 34'217'728, 1}) == "2:134217728@1000 1:1@1000");
}

TEST_CASE("per tensor and one are the two ends") {
  CHECK(told({.rule = BucketRule::per_tensor}, {3, 4, 5}) == "1:3 1:4 1:5");
  CHECK(told({.rule = BucketRule::one}, {3, 4, 5}) == "3:12");
  CHECK(told({.rule = BucketRule::one}, {}) == "");
}

TEST_CASE("rules go by names") {
  CHECK(bucket_rules().names() ==
        std::vector<std::string>{"ddp", "ddp-forward", "horovod", "one", "per-tensor"});
}

}  // namespace syncsim::testing::buckets_test
