#pragma once
// What ports can carry: bytes per second, which change at times. By t they carry at most the
// integral of the capacity from 0 to t.

#include <span>
#include <vector>

namespace syncsim {

class PortCapacity {
 public:
  void add(double bytes_per_second) { start_ += bytes_per_second; }
  // From `seconds` on that much more, or less. In order of time.
  void change(double seconds, double difference);
  static PortCapacity sum(std::span<const PortCapacity> ports);

  // The first time by which it can have carried them, from then on; infinite when there is none.
  double time_of(double bytes, double from = 0) const;

 private:
  struct Step {
    double seconds = 0;
    double difference = 0;
  };

  double start_ = 0;
  std::vector<Step> steps_;
};

}  // namespace syncsim
