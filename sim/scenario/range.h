#pragma once
// Ranges of whole numbers, as nccl-tests' -b, -e, -f and -i say them:
//   "1 kB..1 GB"        the first, four times that and so on, and the last
//   "1 kB..1 GB x2"     in steps of that factor, to the last that is not above the end
//   "1 MB..8 MB +1 MB"  in steps of that length, likewise
//   {"from": "1 kB", "to": "1 GB", "factor": 2}, or "step": "1 MB"; with neither as the first
// A factor is a whole number of 2 or more. Throws InputError, in text without a place.

#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/base/json_reader.h"

namespace syncsim {

// What is counted: bytes, picoseconds, or a number without a unit.
enum class RangeOf : std::uint8_t { bytes, time, number };

// As one may be written: "1 kB..1 GB".
std::string_view range_sample(RangeOf what);

// Whether the text is written as a range, a wrong one perhaps.
bool is_range(std::string_view text);

std::vector<std::int64_t> parse_range(std::string_view text, RangeOf what);
std::vector<std::int64_t> read_range(const JsonReader& json, RangeOf what);

// One size, or a range of them.
std::vector<Bytes> parse_sizes(std::string_view text);

}  // namespace syncsim
