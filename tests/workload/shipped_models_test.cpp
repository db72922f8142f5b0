// The shipped models: counts and sizes are those of the frameworks, times those of their sources.

#include <doctest/doctest.h>

#include "tests/workload/models.h"

namespace syncsim::shipped_models_test {
namespace {

using testing::shipped_model;

constexpr std::int64_t kFloat = 4;

void check_sizes(const std::string& name, std::size_t tensors, std::int64_t parameters) {
  CAPTURE(name);
  const Model model = shipped_model(name);
  CHECK(model.name == name);
  CHECK(model.datatype == "float32");
  CHECK(model.tensors() == tensors);
  CHECK(tensors_of(model).size() == tensors);
  CHECK(model.bytes() == Bytes{parameters * kFloat});
}

// In microseconds.
void check_times(const std::string& name, int batch, std::int64_t forward, std::int64_t backward) {
  CAPTURE(name);
  const Model model = shipped_model(name);
  CHECK(model.measured);
  CHECK(model.batch == batch);
  CHECK(model.forward() == Time{forward * 1'000'000});
  CHECK(model.backward() == Time{backward * 1'000'000});
}

const Layer& layer_of(const Model& model, std::string_view name) {
  for (const Layer& layer : model.layers)
    if (layer.name == name) return layer;
  FAIL("no layer " << name);
  return model.layers.front();
}

// 2 FLOPs a multiplication, at a rate in TFLOP/s; file times are whole nanoseconds.
void check_estimate(const Layer& layer, double multiplications, double rate) {
  CAPTURE(layer.name);
  const double ps = 2 * multiplications / rate;
  CHECK(static_cast<double>(layer.forward.ps) == doctest::Approx(ps).epsilon(1e-9).scale(1e12));
  CHECK(std::abs(static_cast<double>(layer.forward.ps) - ps) <= 500);
  CHECK(layer.backward == layer.forward + layer.forward);
}

void check_order(const std::string& name, const std::vector<std::string>& first,
                 const std::string& last) {
  CAPTURE(name);
  const std::vector<Tensor> tensors = tensors_of(shipped_model(name));
  for (std::size_t i = 0; i < first.size(); ++i) CHECK(tensors[i].name == first[i]);
  CHECK(tensors.back().name == last);
}

}  // namespace

TEST_CASE("shipped models have the tensors and parameters of the frameworks' own") {
  CHECK(model_names(testing::kModels) == std::vector<std::string>{"alexnet", "bert_large", "gpt2",
                                                                  "gpt2_xl", "lenet", "resnet101",
                                                                  "resnet50", "vgg16"});
  check_sizes("lenet", 8, 129'068);
  check_sizes("alexnet", 16, 61'100'840);
  check_sizes("vgg16", 32, 138'357'544);
  check_sizes("resnet50", 161, 25'557'032);
  check_sizes("resnet101", 314, 44'549'160);
  check_sizes("bert_large", 398, 336'226'108);
  check_sizes("gpt2", 148, 124'439'808);
  check_sizes("gpt2_xl", 580, 1'557'611'200);
}

TEST_CASE("measured times add up to those of the profiles") {
  check_times("alexnet", 256, 44'801, 40'520);
  check_times("vgg16", 128, 233'902, 438'633);
  check_times("resnet50", 128, 182'488, 260'931);
  check_times("resnet101", 64, 197'306, 213'786);
}

TEST_CASE("operations without parameters count with the module before them") {
  // vgg16, features.28: convolution 4.042, ReLU 0.455, pooling 0.553; 8.648, 0.175, 0.234.
  const Model vgg16 = shipped_model("vgg16");
  CHECK(layer_of(vgg16, "features.28").forward == Time{5'050'000'000});
  CHECK(layer_of(vgg16, "features.28").backward == Time{9'057'000'000});
  CHECK(layer_of(vgg16, "classifier.6").forward == Time{393'000'000});
}

TEST_CASE("estimated times are FLOPs at the stated rate, backward twice as long") {
  const Model lenet = shipped_model("lenet");
  CHECK_FALSE(lenet.measured);
  CHECK(lenet.batch == 256);
  check_estimate(layer_of(lenet, "conv1"), 256.0 * 180 * 26 * 26, 1);
  check_estimate(layer_of(lenet, "conv2"), 256.0 * 25'000 * 9 * 9, 1);
  check_estimate(layer_of(lenet, "fc1"), 256.0 * 102'400, 1);
  const Model bert = shipped_model("bert_large");
  check_estimate(layer_of(bert, "encoder.layer.23.output"), 8.0 * 512 * 4096 * 1024, 140);
  check_estimate(layer_of(bert, "cls.predictions.decoder"), 8.0 * 512 * 30'522 * 1024, 140);
  const Model gpt2 = shipped_model("gpt2");
  check_estimate(layer_of(gpt2, "h.0.attn.c_attn"), 8.0 * 1024 * 3 * 768 * 768, 140);
  const Model gpt2_xl = shipped_model("gpt2_xl");
  check_estimate(layer_of(gpt2_xl, "lm_head"), 4.0 * 1024 * 50'257 * 1600, 140);
}

TEST_CASE("tensors are in backward order: the classifier's bias first, the first layer's last") {
  check_order("alexnet", {"classifier.6.bias", "classifier.6.weight"}, "features.0.weight");
  check_order("vgg16", {"classifier.6.bias", "classifier.6.weight"}, "features.0.weight");
  check_order("resnet50", {"fc.bias", "fc.weight", "layer4.2.bn3.bias"}, "conv1.weight");
  check_order("resnet101", {"fc.bias", "fc.weight", "layer4.2.bn3.bias"}, "conv1.weight");
  check_order("lenet", {"b4", "W4", "b3"}, "W1");
}

// One tensor serves both ends: its gradient is whole when the embedding's backward ends.
TEST_CASE("a tied head computes first and leaves its gradient last") {
  check_order("gpt2", {"ln_f.bias", "ln_f.weight", "h.11.mlp.c_proj.bias"}, "wte.weight");
  check_order("gpt2_xl", {"ln_f.bias", "ln_f.weight", "h.47.mlp.c_proj.bias"}, "wte.weight");
  check_order("bert_large", {"cls.seq_relationship.bias", "cls.seq_relationship.weight"},
              "embeddings.word_embeddings.weight");
  const Model gpt2 = shipped_model("gpt2");
  CHECK(gpt2.layers.front().name == "lm_head");
  CHECK(gpt2.layers.front().tensors.empty());
  CHECK(gpt2.layers.front().backward > Time{});
}

}  // namespace syncsim::shipped_models_test
