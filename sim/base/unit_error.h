#pragma once
// What to say about a quantity whose unit is missing or unknown.

#include <string>
#include <string_view>

#include "sim/base/error.h"
#include "sim/base/unit_table.h"

namespace syncsim {

// `write "16 GB/s"`
std::string sample_of(const Quantity& quantity, std::string_view number = "16");

// The error for `text`, a number and a unit that is none of the quantity's: names what it may be
// taken for, the closest unit, or all of them.
InputError unknown_unit(std::string_view text, std::string_view number, std::string_view unit,
                        const Quantity& quantity);

}  // namespace syncsim
