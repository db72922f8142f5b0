// Model files: what is read, what is refused, and how models scale.

#include "sim/workload/model.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "tests/support/refusal.h"
#include "tests/workload/models.h"

namespace syncsim::model_test {
namespace {

using Json = nlohmann::ordered_json;

const char* const kSmall = R"({
  "name": "small", "description": "two layers", "source": "made up",
  "times": {"kind": "measured", "source": "a stopwatch"},
  "batch": 2,
  "layers": [
    {"name": "fc", "forward": "1 ps", "backward": "3 us",
     "tensors": [{"name": "fc.bias", "bytes": 8}, {"name": "fc.weight", "bytes": "80 B"}]},
    {"name": "relu", "forward": "5 ps", "backward": "0 s"},
    {"name": "conv", "forward": "1 ms", "backward": "2 ms",
     "tensors": [{"name": "conv.weight", "bytes": "1 kB"}]}
  ]
})";

Model read(const std::string& text) { return read_model(JsonFile::parse(text, "m.json").root()); }

Model small() { return read(kSmall); }

// The message for the small model with one value set, or removed where `value` is empty.
std::string refusal(const std::string& pointer, const std::string& value) {
  Json model = Json::parse(kSmall);
  if (value.empty()) {
    model = model.patch(Json::array({{{"op", "remove"}, {"path", pointer}}}));
  } else {
    model[Json::json_pointer(pointer)] = Json::parse(value);
  }
  return testing::refusal_of([&] { read(model.dump()); });
}

std::string scale_refusal(const ModelScale& scale) {
  return testing::refusal_of([&] { scaled(small(), scale); });
}

}  // namespace

TEST_CASE("a model is read as it stands: layers and tensors in backward order") {
  const Model model = small();
  CHECK(model.name == "small");
  CHECK(model.description == "two layers");
  CHECK(model.source == "made up");
  CHECK(model.times_source == "a stopwatch");
  CHECK(model.measured);
  CHECK(model.batch == 2);
  CHECK(model.datatype == "float32");
  REQUIRE(model.layers.size() == 3);
  CHECK(model.layers[0].name == "fc");
  CHECK(model.layers[0].forward == Time{1});
  CHECK(model.layers[0].backward == Time{3'000'000});
  CHECK(model.layers[1].tensors.empty());
  const std::vector<Tensor> tensors = tensors_of(model);
  REQUIRE(tensors.size() == 3);
  CHECK(tensors[0].name == "fc.bias");
  CHECK(tensors[1].bytes == Bytes{80});
  CHECK(tensors[2].name == "conv.weight");
  CHECK(model.tensors() == 3);
  CHECK(model.bytes() == Bytes{1'088});
  CHECK(model.forward() == Time{1'000'000'006});
  CHECK(model.backward() == Time{2'003'000'000});
}

TEST_CASE("unknown and missing keys of a model are refused with their place") {
  CHECK(refusal("/layer", "[]") == R"(m.json:/layer: unknown key "layer"; did you mean "layers"?)");
  CHECK(refusal("/layers/0/forwards", "1") ==
        R"(m.json:/layers/0/forwards: unknown key "forwards"; did you mean "forward"?)");
  CHECK(refusal("/layers/0/tensors/0/size", "1") ==
        R"(m.json:/layers/0/tensors/0/size: unknown key "size"; choose one of name, bytes)");
  CHECK(refusal("/name", "") == R"(m.json:/: "name" is missing; add "name": "my_model")");
  CHECK(refusal("/batch", "") == R"(m.json:/: "batch" is missing; add "batch": 32)");
  CHECK(refusal("/times", "") ==
        "m.json:/: \"times\" is missing; add \"times\": "
        R"({"kind": "measured", "source": "..."})");
  CHECK(refusal("/layers/1/backward", "") ==
        R"(m.json:/layers/1: "backward" is missing; add "backward": "2.4 ms")");
  CHECK(refusal("/times/kind", R"("measurd")") ==
        R"(m.json:/times/kind: unknown kind of times "measurd"; did you mean "measured"?)");
  CHECK(refusal("/datatype", R"("float23")") ==
        R"(m.json:/datatype: unknown datatype "float23"; did you mean "float32"?)");
}

TEST_CASE("wrong figures of a model are refused with their place") {
  CHECK(refusal("/batch", "0") ==
        "m.json:/batch: 0 is out of range; write a whole number from 1 to 16777216");
  CHECK(refusal("/layers/0/forward", R"("3")") ==
        R"(m.json:/layers/0/forward: "3" has no unit; write "3 us")");
  CHECK(refusal("/layers/0/tensors/1/bytes", "0") ==
        "m.json:/layers/0/tensors/1/bytes: the tensor is empty; write its size, or leave the "
        "tensor out");
  CHECK(refusal("/layers/0/tensors/1/bytes", "7") ==
        "m.json:/layers/0/tensors/1/bytes: 7 B is no multiple of float32's 4 bytes; write 4 B or "
        "8 B");
  CHECK(refusal("/layers/0/forward", R"("9223372.036 s")") ==
        "m.json:/layers: the times of all layers together pass 2^63 - 1 ps (about 106 days); "
        "write a smaller model");
  CHECK(refusal("/layers/0/tensors/0/bytes", "9223372036854775804") ==
        "m.json:/layers: the tensors of all layers together pass 2^63 - 1 bytes; write a "
        "smaller model");
}

TEST_CASE("names that stand twice, and models without tensors, are refused") {
  CHECK(refusal("/layers/2/tensors/0/name", R"("fc.bias")") ==
        R"(m.json:/layers/2/tensors/0/name: tensor "fc.bias" stands twice; )"
        "give each a name of its own");
  CHECK(refusal("/layers/2/name", R"("fc")") ==
        R"(m.json:/layers/2/name: layer "fc" stands twice; give each a name of its own)");
  CHECK(refusal("/layers", "[]") ==
        "m.json:/layers: no layer has a tensor; give at least one layer a tensor with its bytes");
}

// Times x batch / the model's batch / speed, to the nearest picosecond, a half up.
TEST_CASE("times grow with the batch and shrink with the device's speed") {
  const Model larger = scaled(small(), {.batch = 64});
  CHECK(larger.batch == 64);
  CHECK(larger.layers[0].forward == Time{32});
  CHECK(larger.layers[2].backward == Time{64'000'000'000});
  CHECK(larger.bytes() == small().bytes());
  const Model half = scaled(small(), {.batch = 1});
  CHECK(half.layers[0].forward == Time{1});  // 0.5
  CHECK(half.layers[1].forward == Time{3});  // 2.5
  CHECK(half.layers[0].backward == Time{1'500'000});
  const Model faster = scaled(small(), {.device_speed = 2.5});
  CHECK(faster.layers[0].forward == Time{});  // 0.4
  CHECK(faster.layers[0].backward == Time{1'200'000});
  CHECK(faster.layers[2].forward == Time{400'000'000});
  CHECK(scaled(small(), {.batch = 4, .device_speed = 2}).layers[2].forward == Time{1'000'000'000});
}

TEST_CASE("scaling by nothing changes nothing, and by three and back neither where it divides") {
  const Model model = testing::shipped_model("vgg16");
  CHECK(scaled(model, {}).forward() == Time{233'902'000'000});
  const Model tripled = scaled(model, {.batch = 384});
  CHECK(tripled.backward() == Time{1'315'899'000'000});
  CHECK(scaled(tripled, {.batch = 128}).backward() == model.backward());
}

TEST_CASE("16-bit precisions halve the gradients, and mixed keeps them in float32") {
  const Model bf16 = scaled(small(), {.precision = "bf16"});
  CHECK(bf16.datatype == "bfloat16");
  CHECK(bf16.layers[0].tensors[0].bytes == Bytes{4});
  CHECK(bf16.bytes() == Bytes{544});
  CHECK(bf16.forward() == small().forward());
  CHECK(scaled(small(), {.precision = "fp16"}).datatype == "float16");
  CHECK(scaled(small(), {.precision = "mixed"}).bytes() == Bytes{1'088});
  CHECK(scaled(bf16, {.precision = "fp32"}).bytes() == Bytes{1'088});
  const Model xl = scaled(testing::shipped_model("gpt2_xl"), {.precision = "bf16"});
  CHECK(xl.bytes() == Bytes{3'115'222'400});
}

TEST_CASE("scales out of range are refused") {
  CHECK(scale_refusal({.batch = -1}) ==
        "a batch of -1 is out of range; take one from 1 to 16777216");
  CHECK(scale_refusal({.precision = "fp23"}) ==
        R"(unknown precision "fp23"; did you mean "fp32"?)");
  const std::string speed_range =
      " is out of range; take one from 0.000001 to 1000000, 1 for the model's own device";
  CHECK(scale_refusal({.device_speed = 0}) == "a device speed of 0" + speed_range);
  CHECK(scale_refusal({.device_speed = 1e7}) == "a device speed of 10000000" + speed_range);
  CHECK(scale_refusal({.batch = kMostBatch, .device_speed = 1e-6}) ==
        "a layer's time would pass 2^63 - 1 ps (about 106 days); take a smaller batch or a faster "
        "device");
  CHECK(scale_refusal({.batch = kMostBatch}) == "accepted");
}

TEST_CASE("a model is found by its shipped name or its path") {
  const auto refused = [](const std::string& reference) {
    return testing::refusal_of([&] { load_model(reference, testing::kModels); });
  };
  CHECK(refused("resnet5") == R"(unknown model "resnet5"; did you mean "resnet50"?)");
  CHECK(refused("my.json") ==
        R"(there is no file "my.json"; name a model file, or a shipped model without ".json")");
  CHECK(load_model("lenet.json", testing::kModels).name == "lenet");
  CHECK(load_model("lenet.json", "", testing::kModels).tensors() == 8);
}

}  // namespace syncsim::model_test
