#pragma once
// Seconds as other simulators write them: a bare decimal number, with or without an exponent.

#include <string_view>

#include "sim/base/units.h"

namespace syncsim {

// "12", "0.5", ".5", "1e-06": digits with at most one point, and perhaps an exponent.
bool is_bare_number(std::string_view text);

// Of a bare number, in decimal arithmetic: to the nearest picosecond, halves up. Throws InputError
// without a place when it passes int64 picoseconds.
Time bare_seconds(std::string_view text);

}  // namespace syncsim
