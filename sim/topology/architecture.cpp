#include "sim/topology/architecture.h"

#include <fmt/format.h>

#include <charconv>

#include "sim/base/error.h"
#include "sim/base/quote.h"

namespace syncsim {
namespace {

constexpr std::string_view kNvidia = "sm_";
constexpr std::string_view kAmd = "gfx";

// 0 for what is no number, or too large.
std::uint16_t number_of(std::string_view digits, int base) {
  std::uint16_t value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  return value;
}

}  // namespace

std::string to_string(Architecture architecture) {
  if (architecture.sm != 0) return fmt::format("{}{}", kNvidia, architecture.sm);
  if (architecture.gfx != 0) return fmt::format("{}{:x}", kAmd, architecture.gfx);
  return "";
}

Architecture parse_architecture(std::string_view text) {
  Architecture result;
  if (text.starts_with(kNvidia)) result.sm = number_of(text.substr(kNvidia.size()), 10);
  if (text.starts_with(kAmd)) result.gfx = number_of(text.substr(kAmd.size()), 16);
  if (!result || to_string(result) != text)
    throw InputError(in_quotes(text) + " is no gpu's architecture",
                     R"(write it as in "sm_90" or "gfx942")");
  return result;
}

}  // namespace syncsim
