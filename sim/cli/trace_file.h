#pragma once
// The file of --trace: there when all points are drawn, or not at all.

#include <cstddef>
#include <string>

#include "sim/cli/output.h"
#include "sim/report/formats/chrome_trace.h"

namespace syncsim::cli {

class TraceFile {
 public:
  // Opens at once.
  TraceFile(const std::string& path, std::size_t points, const MemoryLimit& memory)
      : output_("--trace", path),
        trace_(output_.stream(),
               points > 1 ? ChromeTrace::Points::several : ChromeTrace::Points::one, memory) {}

  RunDrawing& drawing() { return trace_; }

  void finish() {
    trace_.finish();
    output_.finish();
  }

 private:
  Output output_;
  ChromeTrace trace_;
};

}  // namespace syncsim::cli
