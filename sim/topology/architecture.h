#pragma once
// What a gpu is built as: "sm_90" (NVIDIA's compute capability) or "gfx942" (AMD's). Models of
// libraries choose their constants by it; routes and rates do not depend on it.

#include <cstdint>
#include <string>
#include <string_view>

namespace syncsim {

// At most one of them; both 0: not said.
struct Architecture {
  std::uint16_t sm = 0;   // 90 of "sm_90"
  std::uint16_t gfx = 0;  // 0x942 of "gfx942"

  explicit operator bool() const { return sm != 0 || gfx != 0; }
  friend bool operator==(const Architecture&, const Architecture&) = default;
};

std::string to_string(Architecture architecture);  // "" where it is not said
// Throws InputError without a place for what is neither "sm_" and a number nor "gfx" and
// hexadecimal digits, as their makers write them (small letters, no leading zeros).
Architecture parse_architecture(std::string_view text);

}  // namespace syncsim
