// Traces of PyTorch's profiler. data/gpu_step.json is two steps of Linear(64, 32), ReLU,
// Linear(32, 10) and a cross entropy, the first thrice as slow; sums below are of its kernels.

#include "sim/workload/import/kineto_trace.h"

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/base/text_file.h"
#include "tests/support/refusal.h"

namespace syncsim::kineto_trace_test {
namespace {

using Json = nlohmann::ordered_json;

const std::string& trace_text() {
  static const std::string text = read_text_file(
      SYNCSIM_SOURCE_DIR "/tests/workload/data/gpu_step.json", 10'000'000, "a trace");
  return text;
}

// The trace with each event changed, or taken out where `keep` says no. Each has "args" then.
template <class Keep>
std::string changed(const Keep& keep) {
  Json trace = Json::parse(trace_text());
  Json events = Json::array();
  for (Json& event : trace["traceEvents"]) {
    if (!event.contains("args")) event["args"] = Json::object();
    if (keep(event)) events.push_back(event);
  }
  trace["traceEvents"] = events;
  return trace.dump();
}

bool is_of(const Json& event, std::string_view category) { return event["cat"] == category; }

bool begins(const Json& event, std::string_view prefix) {
  return event["name"].get<std::string>().starts_with(prefix);
}

std::string on_cpu() {
  return changed([](const Json& event) {
    return !is_of(event, "kernel") && !is_of(event, "gpu_memcpy") && !is_of(event, "cuda_runtime");
  });
}

std::string without_modules() {
  return changed([](const Json& event) { return !is_of(event, "python_function"); });
}

Model read(const std::string& text) { return read_kineto_trace(text, "t.json"); }

std::string refusal(const std::string& text) {
  return testing::refusal_of([&] { read(text); });
}

// Times in nanoseconds.
void check_layer(const Layer& layer, const std::string& name, std::int64_t forward,
                 std::int64_t backward) {
  CHECK(layer.name == name);
  CHECK(layer.forward == Time{forward * 1'000});
  CHECK(layer.backward == Time{backward * 1'000});
}

void check_tensors(const Layer& layer, const std::vector<std::int64_t>& bytes) {
  REQUIRE(layer.tensors.size() == bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    CHECK(layer.tensors[i].name == layer.name + "." + std::to_string(i));
    CHECK(layer.tensors[i].bytes == Bytes{bytes[i]});
  }
}

}  // namespace

TEST_CASE("layers of a GPU's trace are modules, their times those of the kernels they launch") {
  const Model model = read(trace_text());
  CHECK(model.measured);
  CHECK(model.datatype == "float32");
  REQUIRE(model.layers.size() == 2);
  // Loss: 3 + 2 forward, 1.5 + 2.5 backward; products 12 and 10 + 11 + 1; a gradient's 0.75.
  check_layer(model.layers[0], "Linear_1", 17'000, 26'750);
  check_tensors(model.layers[0], {4 * 10, 4 * 10 * 32});
  // ReLU: 5.25 forward, 4 backward; products 30.5 and 25.
  check_layer(model.layers[1], "Linear_0", 35'750, 29'000);
  check_tensors(model.layers[1], {4 * 32, 4 * 32 * 64});
}

TEST_CASE("without a device, times are those of the outermost ops and of the backward ops") {
  const Model model = read(on_cpu());
  REQUIRE(model.layers.size() == 2);
  // aten::linear 44, cross entropy 60; backward 30 + 20 + 60 + 6, gradients 8 + 20.
  check_layer(model.layers[0], "Linear_1", 104'000, 144'000);
  // aten::linear 40, aten::relu 10; backward 15 + 30 + 6, gradients 8 + 8.
  check_layer(model.layers[1], "Linear_0", 50'000, 67'000);
  CHECK(model.bytes() == read(trace_text()).bytes());
}

TEST_CASE("without modules, the ranges of record_function are the layers") {
  const Model model = read(changed([](Json& event) {
    if (!is_of(event, "python_function")) return true;
    event["cat"] = "user_annotation";
    event["name"] = begins(event, "nn.Module: Linear_1") ? "head" : "body";
    return true;
  }));
  REQUIRE(model.layers.size() == 2);
  check_layer(model.layers[0], "head", 17'000, 26'750);
  check_layer(model.layers[1], "body", 35'750, 29'000);
}

TEST_CASE("without modules and ranges, the outermost ops are the layers") {
  const Model model = read(without_modules());
  REQUIRE(model.layers.size() == 2);
  check_layer(model.layers[0], "aten::linear_1", 17'000, 26'750);
  check_layer(model.layers[1], "aten::linear_0", 35'750, 29'000);
}

// Linear_0's parameters no longer require gradients: its op's node, and its gradients, are not
// there.
std::string frozen(bool with_modules) {
  return changed([&](const Json& event) {
    const bool of_first = event["args"].value("Sequence number", 0) == 11 ||
                          event["args"].value("Input Dims", Json()) == Json{{32}} ||
                          event["args"].value("Input Dims", Json()) == Json{{32, 64}};
    return (with_modules || !is_of(event, "python_function")) &&
           !(of_first && event["tid"] == 4300);
  });
}

TEST_CASE("what leaves no gradients counts with the layer before it, or with the first") {
  for (const bool with_modules : {true, false}) {
    const Model model = read(frozen(with_modules));
    REQUIRE(model.layers.size() == 1);
    // Beside its own: 30.5 and 5.25 forward, the ReLU's 4 backward.
    check_layer(model.layers[0], with_modules ? "Linear_1" : "aten::linear_0", 52'750, 30'750);
  }
}

TEST_CASE("a module that runs twice is one layer") {
  const Model model = read(changed([](Json& event) {
    if (begins(event, "nn.Module: Linear")) event["name"] = "nn.Module: Shared_0";
    return true;
  }));
  REQUIRE(model.layers.size() == 1);
  check_layer(model.layers[0], "Shared_0", 52'750, 55'750);
  check_tensors(model.layers[0], {40, 1'280, 128, 8'192});
}

// As older profilers write them, and on a clock that ticks every 4 us: many ops take no time.
TEST_CASE("coarse times still find their layers") {
  const auto ticks = [](double time) { return std::floor(time / 4); };
  const Model model = read(changed([&](Json& event) {
    const auto begin = event["ts"].get<double>();
    event["ts"] = ticks(begin);
    if (is_of(event, "cpu_op") || is_of(event, "python_function") ||
        is_of(event, "user_annotation"))
      event["dur"] = ticks(begin + event["dur"].get<double>()) - ticks(begin);
    return true;
  }));
  check_layer(model.layers.at(0), "Linear_1", 17'000, 26'750);
  check_layer(model.layers.at(1), "Linear_0", 35'750, 29'000);
}

TEST_CASE("kernels without a launch in the trace are found by the op that they belong to") {
  const Model model =
      read(changed([](const Json& event) { return !is_of(event, "cuda_runtime"); }));
  CHECK(model.forward() == read(trace_text()).forward());
  CHECK(model.backward() == read(trace_text()).backward());
}

TEST_CASE("categories as older profilers write them are understood") {
  const Model model = read(changed([](Json& event) {
    if (is_of(event, "cpu_op")) event["cat"] = "Operator";
    if (is_of(event, "kernel")) event["cat"] = "Kernel";
    if (is_of(event, "cuda_runtime")) event["cat"] = "Runtime";
    return true;
  }));
  check_layer(model.layers.at(0), "Linear_1", 17'000, 26'750);
}

TEST_CASE("gradients of 16 bit count two bytes an element") {
  const Model model = read(changed([](Json& event) {
    if (begins(event, "torch::autograd")) event["args"]["Input type"] = {"c10::BFloat16"};
    return true;
  }));
  CHECK(model.datatype == "bfloat16");
  CHECK(model.bytes() == Bytes{2 * (10 + 320 + 32 + 2'048)});
}

TEST_CASE("a trace that lacks shapes, a backward pass or ops is refused with what to do") {
  CHECK(refusal(changed([](Json& event) { return event["args"].erase("Input Dims"), true; })) ==
        "t.json: the trace has no shapes of gradients; profile with record_shapes=True, of "
        "parameters that require gradients");
  CHECK(refusal(changed([](const Json& event) { return !begins(event, "autograd::engine"); })) ==
        "t.json: the trace holds no backward pass; profile a training step: forward, then "
        "loss.backward()");
  CHECK(refusal(changed([](const Json& event) { return !is_of(event, "cpu_op"); })) ==
        "t.json: the trace holds no operators of PyTorch; export one of torch.profiler with "
        "ProfilerActivity.CPU among its activities");
  CHECK(
      refusal(changed([](Json& event) { return event["args"].erase("Sequence number"), true; })) ==
      "t.json: no operator of the forward pass has the \"Sequence number\" of one of the backward "
      "pass; profile a whole step, forward and backward, with torch.profiler");
  CHECK(refusal(changed([](Json& event) {
          if (is_of(event, "kernel") || is_of(event, "gpu_memcpy")) event["args"] = Json::object();
          return true;
        })) ==
        "t.json: the kernels of the trace say no operator that launched them; profile with "
        "ProfilerActivity.CPU and ProfilerActivity.CUDA together");
}

TEST_CASE("several steps that nothing tells apart are refused") {
  CHECK(
      refusal(changed([](const Json& event) { return !begins(event, "ProfilerStep#"); })) ==
      "t.json: the trace holds several passes forward and backward, as one step; call prof.step() "
      "after each step, or trace a single one");
}

TEST_CASE("what is no trace is refused with its place") {
  CHECK(refusal("{}") == R"(t.json:/: "traceEvents" is missing; add "traceEvents": [...])");
  CHECK(refusal("\x1f\x8b\x08") == "t.json: is compressed; unpack it with gunzip");
  const std::string no_time =
      "is no time in microseconds; take the file as torch.profiler exported it";
  CHECK(refusal(R"({"traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "a", "ts": "0"}]})") ==
        "t.json:/traceEvents/0: \"ts\" " + no_time);
  CHECK(refusal(R"({"traceEvents": [1, {"ph": "X", "cat": "kernel", "ts": 0, "dur": -1}]})") ==
        "t.json:/traceEvents/1: \"dur\" " + no_time);
  CHECK(refusal(changed([](Json& event) {
          if (begins(event, "torch::autograd")) event["args"]["Input type"] = {"signed char"};
          return true;
        })) ==
        "t.json: a gradient is of the unknown type \"signed char\"; profile gradients of float, "
        "double, c10::Half or c10::BFloat16");
}

}  // namespace syncsim::kineto_trace_test
