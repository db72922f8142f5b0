// Written models are the models that were read.

#include "sim/workload/model_writer.h"

#include <doctest/doctest.h>

#include "tests/workload/models.h"

namespace syncsim::model_writer_test {
namespace {

Model rewritten(const Model& model) {
  return read_model(JsonFile::parse(model_json(model), "m.json").root());
}

}  // namespace

TEST_CASE("a model that is written and read is the same") {
  for (const char* name : {"lenet", "resnet50", "gpt2"}) {
    CAPTURE(name);
    const Model model = testing::shipped_model(name);
    const Model again = rewritten(model);
    CHECK(again.name == model.name);
    CHECK(again.description == model.description);
    CHECK(again.source == model.source);
    CHECK(again.times_source == model.times_source);
    CHECK(again.measured == model.measured);
    CHECK(again.batch == model.batch);
    REQUIRE(again.layers.size() == model.layers.size());
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
      CHECK(again.layers[i].name == model.layers[i].name);
      CHECK(again.layers[i].forward == model.layers[i].forward);
      CHECK(again.layers[i].backward == model.layers[i].backward);
    }
    const std::vector<Tensor> tensors = tensors_of(model);
    REQUIRE(again.tensors() == tensors.size());
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      CHECK(tensors_of(again)[i].name == tensors[i].name);
      CHECK(tensors_of(again)[i].bytes == tensors[i].bytes);
    }
  }
}

TEST_CASE("a written model leaves out what it does not say, and escapes what it says") {
  Model model;
  model.name = "a \"b\"";
  model.times_source = "x";
  model.datatype = "bfloat16";
  model.layers = {{"l", Time{1}, Time{3'000'000}, {{"t", Bytes{6}}}}};
  CHECK(model_json(model) == R"({
  "name": "a \"b\"",
  "times": {"kind": "estimated", "source": "x"},
  "batch": 1,
  "datatype": "bfloat16",
  "layers": [
    {"name": "l", "forward": "1 ps", "backward": "3 us", "tensors": [{"name": "t", "bytes": "6 B"}]}
  ]
}
)");
}

}  // namespace syncsim::model_writer_test
