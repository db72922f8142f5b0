#include "sim/report/model_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/base/text.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostLargest = 5;

std::vector<Tensor> largest(const Model& model) {
  std::vector<Tensor> tensors = tensors_of(model);
  std::ranges::stable_sort(tensors, std::ranges::greater(), &Tensor::bytes);
  tensors.resize(std::min(tensors.size(), kMostLargest));
  return tensors;
}

std::string_view kind_of_times(const Model& model) {
  return model.measured ? "measured" : "estimated";
}

Json as_json(const Tensor& tensor) {
  return {{"name", tensor.name}, {"bytes", tensor.bytes.count}};
}

Json as_json(const std::vector<Tensor>& tensors) {
  Json list = Json::array();
  for (const Tensor& tensor : tensors) list.push_back(as_json(tensor));
  return list;
}

Json as_json(const Layer& layer) {
  return {{"name", layer.name},
          {"forward_us", microseconds(layer.forward)},
          {"backward_us", microseconds(layer.backward)},
          {"tensors", as_json(layer.tensors)}};
}

}  // namespace

std::string model_report_text(const Model& model) {
  std::string text = fmt::format(
      "{}: {} in {}, {} of {}, batch {}\n", model.name, counted(model.tensors(), "tensor"),
      counted(model.layers.size(), "layer"), to_string(model.bytes()), model.datatype, model.batch);
  if (!model.description.empty()) text += "  " + model.description + "\n";
  if (!model.source.empty()) text += "  source: " + model.source + "\n";
  text += fmt::format("  times {}: {}\n", kind_of_times(model), model.times_source);
  text += fmt::format("{:<14} {}\n{:<14} {}\n", "forward", to_string(model.forward()), "backward",
                      to_string(model.backward()));
  std::string_view heading = "largest";
  for (const Tensor& tensor : largest(model)) {
    const double share =
        static_cast<double>(tensor.bytes.count) / static_cast<double>(model.bytes().count);
    text += fmt::format("{:<14} {} {} ({:.1f} %)\n", std::exchange(heading, ""), tensor.name,
                        to_string(tensor.bytes), share * 100);
  }
  return text;
}

std::string model_report_json(const Model& model) {
  Json layers = Json::array();
  for (const Layer& layer : model.layers) layers.push_back(as_json(layer));
  const Json json = {{"model", model.name},
                     {"description", model.description},
                     {"source", model.source},
                     {"times", {{"kind", kind_of_times(model)}, {"source", model.times_source}}},
                     {"batch", model.batch},
                     {"datatype", model.datatype},
                     {"tensors", model.tensors()},
                     {"bytes", model.bytes().count},
                     {"forward_us", microseconds(model.forward())},
                     {"backward_us", microseconds(model.backward())},
                     {"largest", as_json(largest(model))},
                     {"layers", std::move(layers)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace syncsim
