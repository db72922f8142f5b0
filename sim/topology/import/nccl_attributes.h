#pragma once
// Attributes of NCCL's elements. What is missing or no number gets a default and a warning; a
// number that no machine has is an InputError.

#include <cstdint>
#include <optional>
#include <pugixml.hpp>
#include <string_view>

#include "sim/topology/import/nccl_system.h"

namespace syncsim {

struct NumberRange {
  std::int64_t least;
  std::int64_t most;
};

// Without blanks at its ends; empty when missing.
std::string_view attribute(pugi::xml_node at, const char* name);

// None when the attribute is missing or empty; also, with a warning, when it is no whole number.
std::optional<std::int64_t> number_of(const NcclReading& reading, pugi::xml_node at,
                                      const char* name, NumberRange range);
// `otherwise` with a warning in all these cases.
std::int64_t number_or(const NcclReading& reading, pugi::xml_node at, const char* name,
                       NumberRange range, std::int64_t otherwise);
// "0" or "1"; none when the attribute is missing.
std::optional<bool> flag_of(const NcclReading& reading, pugi::xml_node at, const char* name);
// "0x060400" -> 0x060400; none when that is no hexadecimal number of up to 64 bits.
std::optional<std::uint64_t> hexadecimal_of(pugi::xml_node at, const char* name);

// Warns that this is left out.
void leave_out(const NcclReading& reading, pugi::xml_node at, std::string_view why);
// The same for a child that has no place here.
void leave_out_stray(const NcclReading& reading, pugi::xml_node child);

}  // namespace syncsim
