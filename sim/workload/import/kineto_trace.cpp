#include "sim/workload/import/kineto_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "sim/base/quote.h"
#include "sim/schedule/collective.h"
#include "sim/workload/import/trace_step.h"

namespace syncsim {
namespace {

struct TypeName {
  std::string_view name;  // as traces have it
  std::string_view datatype;
};
constexpr std::array kTypes = {TypeName{"float", "float32"}, TypeName{"double", "float64"},
                               TypeName{"c10::Half", "float16"},
                               TypeName{"c10::BFloat16", "bfloat16"}};

std::string_view datatype_of(const TraceEvent& gradient) {
  for (const TypeName& type : kTypes)
    if (type.name == gradient.type) return type.datatype;
  throw InputError(fmt::format("a gradient is of the unknown type {}", in_quotes(gradient.type)),
                   "profile gradients of float, double, c10::Half or c10::BFloat16");
}

// Of a model with several types, the narrowest: it divides them all.
std::string_view datatype_of(const std::vector<TracedLayer>& layers) {
  std::string_view narrowest = "float64";
  for (const TracedLayer& layer : layers)
    for (const TraceEvent* gradient : layer.gradients)
      if (const std::string_view datatype = datatype_of(*gradient);
          datatypes().at(datatype).size < datatypes().at(narrowest).size)
        narrowest = datatype;
  return narrowest;
}

Layer layer_of(const TracedLayer& traced) {
  Layer layer{traced.name, traced.forward, traced.backward, {}};
  for (const TraceEvent* gradient : traced.gradients) {
    const std::int64_t size = datatypes().at(datatype_of(*gradient)).size;
    layer.tensors.push_back({fmt::format("{}.{}", traced.name, layer.tensors.size()),
                             Bytes{*gradient->elements * size}});
  }
  return layer;
}

Model model_of(const std::vector<TraceEvent>& events) {
  std::vector<TracedLayer> traced = layers_of_step(events);
  Model model;
  model.measured = true;
  model.datatype = std::string(datatype_of(traced));
  std::ranges::stable_sort(traced, {}, &TracedLayer::last);
  for (const TracedLayer& layer : traced) model.layers.push_back(layer_of(layer));
  validate_totals(model);
  return model;
}

}  // namespace

Model read_kineto_trace(const std::string& text, const std::string& file) {
  const std::vector<TraceEvent> events = read_trace_events(text, file);
  Model model = placed([&] { return file; }, [&] { return model_of(events); });
  model.description = "imported from kineto";
  model.source = file;
  model.times_source = file;
  return model;
}

}  // namespace syncsim
