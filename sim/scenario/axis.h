#pragma once
// One key of a scenario's "sweep": a field of points, or one parameter ("parameters.chunks"), and
// the values that it takes: a list, or, of numbers, a range (range.h) or a list with ranges in it.
// A range of "ranks" is of their number: 4 are the machine's first four.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/json_reader.h"

namespace syncsim {

inline constexpr std::string_view kParameterAxis = "parameters.";

// The parameter that a key "parameters.NAME" names, if it is one.
std::optional<std::string> parameter_of(std::string_view key);
// The error, without a place, for a key that is neither a field of points nor a parameter of them.
InputError unknown_axis(std::string_view key);

// As if each had been written out; each has the place of what it comes from.
std::vector<JsonReader> axis_values(std::string_view key, const JsonReader& axis);

}  // namespace syncsim
