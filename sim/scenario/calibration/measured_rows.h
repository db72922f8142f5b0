#pragma once
// Rows of a measured table as they are read: what can be used is kept, what cannot is counted.

#include <string>
#include <utility>

#include "sim/scenario/calibration/measured_table.h"

namespace syncsim {

// `unit`: of the value, in seconds. Throws InputError for what no call takes.
double checked_seconds(double value, double unit);

class UsableRows {
 public:
  explicit UsableRows(std::string name) : name_(std::move(name)) {}

  void add(MeasuredRow row);
  void add_untimed(std::size_t count) { untimed_ += count; }
  MeasuredTable& table() { return table_; }

  // Throws InputError at the name for no row that can be used.
  MeasuredTable finished() &&;

 private:
  void note(std::size_t count, const char* of_what);

  std::string name_;
  std::size_t empty_ = 0;
  std::size_t untimed_ = 0;
  MeasuredTable table_;
};

}  // namespace syncsim
