// Bucket contents and shard loads of shipped models, as the frameworks compute them (evaluated from
// torch reducer.cpp and mxnet kvstore_dist.h on the models' tensor lists).

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "sim/workload/buckets.h"
#include "sim/workload/model_shelf.h"
#include "sim/workload/placement.h"

namespace syncsim::testing::framework_oracles_test {
namespace {

Model shipped(const std::string& name) {
  return load_model(name, std::string(SYNCSIM_SOURCE_DIR) + "/scenarios/models");
}

// "tensors:bytes" of the first few, then how many there are.
std::string told(const std::string& model, BucketRule rule, std::size_t shown = 6) {
  std::vector<ReadyTensor> tensors;
  for (const Tensor& tensor : tensors_of(shipped(model))) tensors.push_back({tensor.bytes, {}});
  const std::vector<Bucket> buckets = make_buckets({.rule = rule}, tensors);
  std::string text;
  for (std::size_t i = 0; i < buckets.size() && i < shown; ++i)
    text += std::to_string(buckets[i].count) + ":" + std::to_string(buckets[i].bytes.count) + " ";
  return text + "of " + std::to_string(buckets.size());
}

std::vector<std::int64_t> loads(const std::string& model, std::size_t servers) {
  std::vector<Bytes> keys;
  for (const Tensor& tensor : tensors_of(shipped(model))) keys.push_back(tensor.bytes);
  std::reverse(keys.begin(), keys.end());
  return server_loads(place_keys({}, keys, servers), servers);
}

using Loads = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("PyTorch's buckets in the order of readiness") {
  CHECK(told("resnet50", BucketRule::ddp) ==
        "2:8196000 15:31502336 12:26255360 51:26550272 81:9724160 of 5");
  CHECK(told("vgg16", BucketRule::ddp) ==
        "2:16388000 2:67125248 2:411058176 6:28317696 10:28319744 10:2221312 of 6");
  CHECK(told("alexnet", BucketRule::ddp) == "2:16388000 2:67125248 2:151011328 10:9878784 of 4");
  CHECK(told("lenet", BucketRule::ddp) == "8:516272 of 1");
  CHECK(told("bert_large", BucketRule::ddp, 4) ==
        "6:4214792 9:37903592 14:33591296 10:29396992 of 38");
  CHECK(told("gpt2", BucketRule::ddp, 2) == "4:9446400 12:28351488 of 13");
  CHECK(told("gpt2_xl", BucketRule::ddp, 3) == "4:40979200 2:40985600 6:40998400 of 145");
}

TEST_CASE("PyTorch's buckets of a first iteration, from the first parameter on") {
  CHECK(told("resnet50", BucketRule::ddp_forward) ==
        "7:12410784 15:31502336 24:29669376 78:27022336 37:1623296 of 5");
  CHECK(told("vgg16", BucketRule::ddp_forward) ==
        "3:16404384 2:67125248 2:411043840 6:28317696 10:28318720 9:2220288 of 6");
  CHECK(told("alexnet", BucketRule::ddp_forward) ==
        "3:16404384 2:67125248 8:159551744 3:1321984 of 4");
  CHECK(told("bert_large", BucketRule::ddp_forward, 3) ==
        "12:8547568 8:37781504 10:29396992 of 38");
  CHECK(told("gpt2_xl", BucketRule::ddp_forward, 3) == "3:19200 2:40985600 6:51238400 of 146");
}

TEST_CASE("MXNet's servers hold these bytes") {
  CHECK(loads("resnet50", 1) == Loads{102228128});
  CHECK(loads("resnet50", 2) == Loads{48972192, 53255936});
  CHECK(loads("resnet50", 3) == Loads{58102524, 22064808, 22060796});
  CHECK(loads("resnet50", 4) == Loads{24168864, 26547968, 24803328, 26707968});
  CHECK(loads("resnet50", 8) ==
        Loads{12888224, 10955776, 12919808, 12254464, 11280640, 15592192, 11883520, 14453504});
  CHECK(loads("vgg16", 3) == Loads{185124180, 184810488, 183495508});
  CHECK(loads("vgg16", 8) ==
        Loads{69491456, 68324864, 70811648, 68313504, 70959104, 68310272, 68894720, 68324608});
  CHECK(loads("alexnet", 4) == Loads{63728384, 58641152, 63389696, 58644128});
}

}  // namespace syncsim::testing::framework_oracles_test
