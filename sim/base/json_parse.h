#pragma once
// Strict JSON text -> values. Beyond nlohmann/json it refuses duplicate keys, nesting deeper than
// kDeepestJson and zero bytes, and says in plain words what is malformed, with line and column.

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace syncsim {

inline constexpr std::size_t kDeepestJson = 64;

// `name` begins the places of its InputErrors.
nlohmann::ordered_json parse_json(std::string_view text, const std::string& name);

// "/key" as a step of a JSON pointer (RFC 6901), on one line.
std::string pointer_step(std::string_view key);

}  // namespace syncsim
