#pragma once
// The iterations of a run on devices: data set anew, the work, the data looked at, as
// real_executor.h, 4, says. Data is written and compared in an image of it in host memory.

#include "sim/exec/cuda/place_runner.h"
#include "sim/exec/host/host_memory.h"
#include "sim/exec/real/real_executor.h"
#include "sim/exec/real/run_data.h"

namespace syncsim {

class PlaceRun {
 public:
  // Keeps references, but for the extents, which were laid out by the map's places.
  PlaceRun(const Schedule& schedule, const RunData& data, const DeviceMap& map,
           const BufferExtents& extents, PlaceRunner& runner);

  void reset();
  std::optional<WrongElement> first_wrong();
  // All iterations: their times, and what was wrong. Throws Interrupted between two.
  void iterate(const RealOptions& options, Measurement& measurement);

 private:
  template <class Act>
  void each_place(Act&& act);

  const RunData& data_;
  const DeviceMap& map_;
  BufferExtents extents_;
  HostMemory image_;
  PlaceRunner& runner_;
};

}  // namespace syncsim
