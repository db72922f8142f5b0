#include "sim/workload/model_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

namespace syncsim {
namespace {

constexpr std::size_t kWidth = 100;

std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

std::string tensor_text(const Tensor& tensor) {
  return fmt::format(R"({{"name": {}, "bytes": "{}"}})", quoted(tensor.name),
                     to_string(tensor.bytes));
}

std::string layer_text(const Layer& layer) {
  const std::string head = fmt::format(
      R"(    {{"name": {}, "forward": "{}", "backward": "{}", "tensors": [)", quoted(layer.name),
      to_exact_string(layer.forward), to_exact_string(layer.backward));
  std::vector<std::string> tensors;
  for (const Tensor& tensor : layer.tensors) tensors.push_back(tensor_text(tensor));
  const std::string line = fmt::format("{}{}]}}", head, fmt::join(tensors, ", "));
  if (line.size() <= kWidth || tensors.empty()) return line;
  return fmt::format("{}\n      {}]}}", head, fmt::join(tensors, ",\n      "));
}

std::string member(std::string_view key, const std::string& value) {
  return value.empty() ? "" : fmt::format("  \"{}\": {},\n", key, quoted(value));
}

}  // namespace

std::string model_json(const Model& model) {
  std::vector<std::string> layers;
  for (const Layer& layer : model.layers) layers.push_back(layer_text(layer));
  return "{\n" + member("name", model.name) + member("description", model.description) +
         member("source", model.source) +
         fmt::format("  \"times\": {{\"kind\": \"{}\", \"source\": {}}},\n",
                     model.measured ? "measured" : "estimated", quoted(model.times_source)) +
         fmt::format("  \"batch\": {},\n  \"datatype\": \"{}\",\n", model.batch, model.datatype) +
         fmt::format("  \"layers\": [\n{}\n  ]\n}}\n", fmt::join(layers, ",\n"));
}

}  // namespace syncsim
