#include "sim/workload/import/trace_events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "sim/base/json_parse.h"
#include "sim/base/json_reader.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kModulePrefix = "nn.Module: ";
constexpr double kMostMicroseconds = 9e12;  // of a duration, and from an event's begin to its end

struct Category {
  std::string_view name;
  TraceKind kind;
};

// Those of PyTorch before 1.12 too.
constexpr Category kCategories[] = {
    {"cpu_op", TraceKind::op},           {"Operator", TraceKind::op},
    {"kernel", TraceKind::kernel},       {"Kernel", TraceKind::kernel},
    {"gpu_memcpy", TraceKind::kernel},   {"Memcpy", TraceKind::kernel},
    {"gpu_memset", TraceKind::kernel},   {"Memset", TraceKind::kernel},
    {"cuda_runtime", TraceKind::launch}, {"cuda_driver", TraceKind::launch},
    {"Runtime", TraceKind::launch},      {"user_annotation", TraceKind::annotation},
};

const Json* member(const Json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

std::string text_of(const Json& object, const char* key) {
  const Json* const text = member(object, key);
  return text != nullptr && text->is_string() ? text->get<std::string>() : "";
}

std::int64_t number_of(const Json& object, const char* key) {
  const Json* const number = member(object, key);
  if (number == nullptr || !number->is_number_integer()) return TraceEvent::kNone;
  return number->get<std::int64_t>();
}

std::optional<TraceKind> kind_of(const Json& event) {
  const std::string category = text_of(event, "cat");
  if (category == "python_function" && text_of(event, "name").starts_with(kModulePrefix))
    return TraceKind::module;
  for (const Category& known : kCategories)
    if (known.name == category) return known.kind;
  return std::nullopt;
}

// "Input Dims": [[64, 128], ...] -> 8192; "Input type": ["float", ...].
void read_input(const Json& arguments, TraceEvent& event) {
  const Json* const dims = member(arguments, "Input Dims");
  const Json* const types = member(arguments, "Input type");
  if (dims == nullptr || types == nullptr || !dims->is_array() || !types->is_array()) return;
  if (dims->empty() || types->empty() || !dims->front().is_array() || !types->front().is_string())
    return;
  double elements = 1;
  for (const Json& dim : dims->front()) {
    if (!dim.is_number_integer()) return;
    elements *= dim.get<double>();
  }
  constexpr double kMostElements = 1e15;
  if (!(elements >= 0 && elements <= kMostElements)) return;
  event.elements = static_cast<std::int64_t>(elements);
  event.type = types->front().get<std::string>();
}

class EventReader {
 public:
  explicit EventReader(const std::string& file) : file_(file) {}

  std::vector<TraceEvent> read(const std::string& text) {
    if (text.starts_with("\x1f\x8b"))
      throw InputError("is compressed", "unpack it with gunzip", file_);
    const JsonRows rows{"traceEvents", [&](const Json&, std::size_t index, const Json& event) {
                          take(index, event);
                        }};
    JsonFile::parse(text, file_, &rows).root().required("traceEvents", "[...]");
    std::ranges::stable_sort(events_, {}, [](const TraceEvent& event) {
      return std::tuple(event.thread, event.begin, -event.end);
    });
    return std::move(events_);
  }

 private:
  void take(std::size_t index, const Json& json) {
    if (!json.is_object() || text_of(json, "ph") != "X") return;
    const std::optional<TraceKind> kind = kind_of(json);
    if (!kind) return;
    TraceEvent event{.kind = *kind, .name = text_of(json, "name")};
    if (*kind == TraceKind::module) event.name.erase(0, kModulePrefix.size());
    event.thread = thread_of(json);
    const double begin = microseconds_of(json, "ts", index);
    const double duration = microseconds_of(json, "dur", index);
    if (duration > kMostMicroseconds) throw wrong(index, "dur");
    event.begin = std::llround(begin * 1e3);
    event.end = event.begin + std::llround(duration * 1e3);
    event.duration = {std::llround(duration * 1e6)};
    if (const Json* const arguments = member(json, "args");
        arguments != nullptr && arguments->is_object())
      read_arguments(*arguments, event);
    events_.push_back(std::move(event));
  }

  static void read_arguments(const Json& arguments, TraceEvent& event) {
    event.sequence = number_of(arguments, "Sequence number");
    event.external = number_of(arguments, "External id");
    if (event.external == TraceEvent::kNone) event.external = number_of(arguments, "external id");
    event.correlation = number_of(arguments, "correlation");
    read_input(arguments, event);
  }

  double microseconds_of(const Json& event, const char* key, std::size_t index) const {
    constexpr double kMost = 9e15;  // a double has the nanoseconds' place up to here
    const Json* const value = member(event, key);
    if (value == nullptr || !value->is_number()) throw wrong(index, key);
    const auto microseconds = value->get<double>();
    if (!(microseconds >= 0 && microseconds <= kMost)) throw wrong(index, key);
    return microseconds;
  }

  InputError wrong(std::size_t index, const char* key) const {
    return {fmt::format("\"{}\" is no time in microseconds", key),
            "take the file as torch.profiler exported it",
            fmt::format("{}:/traceEvents/{}", file_, index)};
  }

  int thread_of(const Json& event) {
    const auto text = [&](const char* key) {
      const Json* const value = member(event, key);
      return value == nullptr ? std::string()
                              : value->dump(-1, ' ', false, Json::error_handler_t::replace);
    };
    const auto next = static_cast<int>(threads_.size());
    return threads_.try_emplace(text("pid") + "/" + text("tid"), next).first->second;
  }

  const std::string& file_;
  std::map<std::string, int> threads_;
  std::vector<TraceEvent> events_;
};

}  // namespace

std::vector<TraceEvent> read_trace_events(const std::string& text, const std::string& file) {
  return EventReader(file).read(text);
}

}  // namespace syncsim
