#include "sim/scenario/calibration/measured_rows.h"

#include <fmt/format.h>

#include <cmath>

#include "sim/base/error.h"
#include "sim/base/text.h"

namespace syncsim {
namespace {

constexpr double kLongest = 1e6;  // seconds

}  // namespace

double checked_seconds(double value, double unit) {
  if (!(value > 0) || !std::isfinite(value))
    throw InputError(fmt::format("a time of {:g}", value),
                     "write one above 0, or leave the row out");
  if (value * unit > kLongest)
    throw InputError(fmt::format("a time of {:g} s", value * unit),
                     fmt::format("write at most {:g} s, or leave the row out", kLongest));
  return value * unit;
}

void UsableRows::add(MeasuredRow row) {
  if (row.bytes.count == 0)
    ++empty_;
  else
    table_.rows.push_back(std::move(row));
}

MeasuredTable UsableRows::finished() && {
  if (table_.rows.empty())
    throw InputError("holds no row of more than 0 bytes", "give sizes and their times", name_);
  note(empty_, "of 0 bytes");
  note(untimed_, "without a time");
  return std::move(table_);
}

void UsableRows::note(std::size_t count, const char* of_what) {
  if (count > 0)
    table_.notes.push_back(
        fmt::format("{}: left out {} {}", name_, counted(count, "row"), of_what));
}

}  // namespace syncsim
