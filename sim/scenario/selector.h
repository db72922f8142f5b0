#pragma once
// Selectors: what claims say of the points that they speak of. Every field of points can be named,
// and single parameters, "parameters.NAME", as sweeps name them; all that is named has to match.
//   topology    the machine's name, or as the point names it, or the machine itself
//   edits       their name or their text (several joined by "; "), or the list; []: no edits
//   strategy    a name, or {"name": ..., "parameters": ...}
//   parameters  values of some, defaults included
//   ranks       their number, or which they are
//   others      as points have them; of what a point leaves out, the default

#include <string>
#include <utility>
#include <vector>

#include "sim/base/json_reader.h"
#include "sim/report/report.h"
#include "sim/scenario/point.h"

namespace syncsim {

// Fields that a point must have; empty selects all.
struct Selector {
  std::vector<std::pair<std::string, JsonReader>> fields = {};
  std::string place = {};  // of the selector itself; "" for one that nobody wrote
};

// Throws InputError for what is no field, and for values that no point could have.
Selector read_selector(const JsonReader& json);

// Of one field, whose value has been read once.
bool has_field(const std::string& key, const JsonReader& wanted, const Point& point,
               const Report& report);
// What the point has there, as people would write it.
std::string field_text(const std::string& key, const Point& point, const Report& report);

}  // namespace syncsim
