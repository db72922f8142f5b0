#pragma once
// What to say about malformed JSON: nlohmann/json's message in plain words, at a line and column.

#include <cstddef>
#include <string>
#include <string_view>

#include "sim/base/error.h"

namespace syncsim {

// "name:LINE:COLUMN" of the byte at `offset`, both from 1; columns count characters.
std::string line_and_column(std::string_view text, std::size_t offset, const std::string& name);

// `end` is the offset of the last byte read, `message` nlohmann/json's.
InputError malformed_json(std::string_view text, std::size_t end, std::string_view message,
                          const std::string& name);

}  // namespace syncsim
