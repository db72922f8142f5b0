#include "sim/workload/model.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/base/quote.h"
#include "sim/schedule/collective.h"
#include "sim/schedule/proportion.h"

namespace syncsim {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

std::string text_or_none(const JsonReader& json, std::string_view key) {
  const auto text = json.optional(key);
  return text ? text->string() : "";
}

void add(std::int64_t& sum, std::int64_t more, std::string_view what, std::string_view limit) {
  if (more > kMost - sum)
    throw InputError(fmt::format("the {} of all layers together pass {}", what, limit),
                     "write a smaller model");
  sum += more;
}

class ModelReader {
 public:
  explicit ModelReader(const JsonReader& json) : json_(json) {}

  Model read() {
    json_.allow({"name", "description", "source", "times", "batch", "datatype", "layers"});
    model_.name = json_.required("name", R"("my_model")").string();
    model_.description = text_or_none(json_, "description");
    model_.source = text_or_none(json_, "source");
    read_times(json_.required("times", R"({"kind": "measured", "source": "..."})"));
    model_.batch = static_cast<int>(json_.required("batch", "32").integer(1, kMostBatch));
    if (const auto datatype = json_.optional("datatype"))
      model_.datatype = datatype->located([&] { return datatypes().at(datatype->string()).name; });
    const JsonReader layers = json_.required("layers", R"([{"name": "fc", ...}])");
    for (const JsonReader& layer : layers.elements()) read_layer(layer);
    layers.located([&] { validate_totals(model_); });
    return std::move(model_);
  }

 private:
  void read_times(const JsonReader& times) {
    times.allow({"kind", "source"});
    const JsonReader kind = times.required("kind", R"("measured")");
    const std::string word = kind.string();
    if (word != "measured" && word != "estimated")
      throw unknown_name("kind of times", word, {"measured", "estimated"}).at(kind.place());
    model_.measured = word == "measured";
    model_.times_source = times.required("source", R"("...")").string();
  }

  void read_layer(const JsonReader& json) {
    json.allow({"name", "forward", "backward", "tensors"});
    Layer layer;
    const JsonReader name = json.required("name", R"("fc")");
    layer.name = named(name, layers_, "layer");
    layer.forward = json.required("forward", R"("1.2 ms")").time();
    layer.backward = json.required("backward", R"("2.4 ms")").time();
    if (const auto tensors = json.optional("tensors"))
      for (const JsonReader& tensor : tensors->elements()) layer.tensors.push_back(read(tensor));
    model_.layers.push_back(std::move(layer));
  }

  Tensor read(const JsonReader& json) {
    json.allow({"name", "bytes"});
    std::string name = named(json.required("name", R"("fc.bias")"), tensors_, "tensor");
    const JsonReader bytes = json.required("bytes", R"("4000 B")");
    Tensor tensor{std::move(name), bytes.bytes()};
    bytes.located([&] { validate_tensor(tensor.bytes, model_.datatype); });
    return tensor;
  }

  static std::string named(const JsonReader& json, std::set<std::string>& names,
                           std::string_view what) {
    std::string name = json.string();
    if (!names.insert(name).second)
      throw json.error(fmt::format("{} {} stands twice", what, in_quotes(name)),
                       "give each a name of its own");
    return name;
  }

  const JsonReader& json_;
  Model model_;
  std::set<std::string> layers_;
  std::set<std::string> tensors_;
};

// Of all times of a model.
class Speed {
 public:
  Speed(int batch, const Model& model, double device)
      : batch_(batch), divisor_(model.batch), device_(device) {}

  Time scaled(Time time) const {
    const WideInteger work = WideInteger{time.ps} * batch_;
    if (device_ == 1) return checked((2 * work + divisor_) / (2 * divisor_));
    const double ps = std::floor(static_cast<double>(work) / (divisor_ * device_) + 0.5);
    constexpr double kTwoTo63 = 9223372036854775808.0;
    return ps < kTwoTo63 ? Time{static_cast<std::int64_t>(ps)} : checked(WideInteger{kMost} + 1);
  }

 private:
  static Time checked(WideInteger ps) {
    if (ps > kMost)
      throw InputError("a layer's time would pass 2^63 - 1 ps (about 106 days)",
                       "take a smaller batch or a faster device");
    return {static_cast<std::int64_t>(ps)};
  }

  int batch_;
  int divisor_;
  double device_;
};

void validate(const ModelScale& scale) {
  if (scale.batch < 0 || scale.batch > kMostBatch)
    throw InputError(fmt::format("a batch of {} is out of range", scale.batch),
                     fmt::format("take one from 1 to {}", kMostBatch));
  if (!(scale.device_speed >= kLeastSpeed && scale.device_speed <= kMostSpeed))
    throw InputError(fmt::format("a device speed of {} is out of range", scale.device_speed),
                     "take one from 0.000001 to 1000000, 1 for the model's own device");
}

template <class Value>
Value sum(const std::vector<Layer>& layers, Value Layer::*part) {
  Value total;
  for (const Layer& layer : layers) total = total + layer.*part;
  return total;
}

}  // namespace

Bytes Model::bytes() const {
  Bytes total;
  for (const Layer& layer : layers)
    for (const Tensor& tensor : layer.tensors) total = total + tensor.bytes;
  return total;
}

Time Model::forward() const { return sum(layers, &Layer::forward); }
Time Model::backward() const { return sum(layers, &Layer::backward); }

std::size_t Model::tensors() const {
  std::size_t count = 0;
  for (const Layer& layer : layers) count += layer.tensors.size();
  return count;
}

std::vector<Tensor> tensors_of(const Model& model) {
  std::vector<Tensor> tensors;
  for (const Layer& layer : model.layers)
    tensors.insert(tensors.end(), layer.tensors.begin(), layer.tensors.end());
  return tensors;
}

void validate_tensor(Bytes bytes, std::string_view datatype) {
  if (bytes.count == 0)
    throw InputError("the tensor is empty", "write its size, or leave the tensor out");
  Collective whole;
  whole.bytes = bytes;
  whole.datatype = datatype;
  validate(whole);
}

void validate_totals(const Model& model) {
  std::int64_t time = 0;
  std::int64_t bytes = 0;
  for (const Layer& layer : model.layers) {
    for (const Time part : {layer.forward, layer.backward})
      add(time, part.ps, "times", "2^63 - 1 ps (about 106 days)");
    for (const Tensor& tensor : layer.tensors)
      add(bytes, tensor.bytes.count, "tensors", "2^63 - 1 bytes");
  }
  if (model.tensors() == 0)
    throw InputError("no layer has a tensor", "give at least one layer a tensor with its bytes");
}

Model read_model(const JsonReader& json) { return ModelReader(json).read(); }

const NamedTable<PrecisionRow>& precisions() {
  static const NamedTable<PrecisionRow> table(
      "precision", {{"fp32", "float32 throughout", "float32"},
                    {"bf16", "bfloat16 throughout", "bfloat16"},
                    {"fp16", "float16 throughout", "float16"},
                    {"mixed", "16 bit inside, gradients in float32", "float32"}});
  return table;
}

Model scaled(const Model& model, const ModelScale& scale) {
  validate(scale);
  Model result = model;
  if (scale.batch != 0) result.batch = scale.batch;
  if (!scale.precision.empty())
    result.datatype = std::string(precisions().at(scale.precision).gradients);
  const std::int64_t before = datatypes().at(model.datatype).size;
  const std::int64_t after = datatypes().at(result.datatype).size;
  const Speed speed(result.batch, model, scale.device_speed);
  for (Layer& layer : result.layers) {
    layer.forward = speed.scaled(layer.forward);
    layer.backward = speed.scaled(layer.backward);
    for (Tensor& tensor : layer.tensors) tensor.bytes.count = tensor.bytes.count / before * after;
  }
  validate_totals(result);
  return result;
}

}  // namespace syncsim
