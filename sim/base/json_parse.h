#pragma once
// Strict JSON text -> values. Beyond nlohmann/json it refuses duplicate keys, nesting deeper than
// kDeepestJson and zero bytes, and says in plain words what is malformed, with line and column.

#include <cstddef>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace syncsim {

inline constexpr std::size_t kDeepestJson = 64;

// A list that may be long, a member of the root: its elements are handed out one by one, with what
// stands before them in the root, in place of being kept.
struct JsonRows {
  std::string_view key;
  std::function<void(const nlohmann::ordered_json& root, std::size_t index,
                     const nlohmann::ordered_json& element)>
      take;
};

// `name` begins the places of its InputErrors.
nlohmann::ordered_json parse_json(std::string_view text, const std::string& name,
                                  const JsonRows* rows = nullptr);

// "/key" as a step of a JSON pointer (RFC 6901), on one line.
std::string pointer_step(std::string_view key);

}  // namespace syncsim
