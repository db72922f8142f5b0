#pragma once
// Work on a stream, timed by events before and after it.

#include <cmath>

#include "sim/base/units.h"
#include "sim/exec/cuda/device/resources.h"

namespace syncsim::cuda {

class Timed {
 public:
  explicit Timed(int device) : device_(device) {
    select(device);
    stream_ = new_stream();
    begin_ = new_event();
    end_ = new_event();
  }

  cudaStream_t stream() const { return stream_.get(); }

  // `enqueue` puts all of it on the stream, and leaves the device selected that it found.
  template <class Enqueue>
  Time run(Enqueue&& enqueue) {
    select(device_);
    check(cudaEventRecord(begin_.get(), stream()), "timing a run");
    enqueue();
    check(cudaEventRecord(end_.get(), stream()), "timing a run");
    check(cudaStreamSynchronize(stream()), "running on the devices");
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, begin_.get(), end_.get()), "timing a run");
    return {std::llround(static_cast<double>(milliseconds) * 1e9)};
  }

 private:
  int device_;
  Stream stream_;
  Event begin_;
  Event end_;
};

}  // namespace syncsim::cuda
