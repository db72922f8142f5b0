#pragma once
// Names of many: '*' stands for any run of characters, and "[0-3]" for one of the numbers 0 to 3,
// as in topology files (id_range.h).

#include <string_view>

namespace syncsim {

bool matches(std::string_view pattern, std::string_view text);

// Whether it may stand for several names.
bool is_many(std::string_view pattern);

// The ranges in a node's id, or in both ends of a link's name; throws as range_size does.
void check_ranges(std::string_view pattern);

}  // namespace syncsim
