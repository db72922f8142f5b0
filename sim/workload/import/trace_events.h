#pragma once
// What a PyTorch profiler's trace (Kineto, Chrome's trace event format) says of a training step.
// Of events of other categories and phases nothing is kept.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/base/units.h"

namespace syncsim {

enum class TraceKind : std::uint8_t {
  module,      // python_function "nn.Module: NAME"
  annotation,  // user_annotation: record_function, ProfilerStep#N
  op,          // cpu_op
  launch,      // cuda_runtime, cuda_driver
  kernel       // kernel, gpu_memcpy, gpu_memset: on a device
};

struct TraceEvent {
  static constexpr std::int64_t kNone = -1;

  TraceKind kind;
  std::string name;  // of a module without "nn.Module: "
  int thread = 0;
  std::int64_t begin = 0;  // nanoseconds
  std::int64_t end = 0;
  Time duration = {};
  std::int64_t sequence = kNone;     // "Sequence number": joins forward and backward ops
  std::int64_t external = kNone;     // "External id": joins an op and its kernels
  std::int64_t correlation = kNone;  // joins a launch and its kernel
  // Of the first input, where the trace has shapes.
  std::optional<std::int64_t> elements = std::nullopt;
  std::string type = "";  // as C++ calls it: "float", "c10::BFloat16"
};

// By thread, then by begin, the longer first. Throws InputError with its place for what is no
// trace.
std::vector<TraceEvent> read_trace_events(const std::string& text, const std::string& file);

}  // namespace syncsim
