#pragma once
// How reduces that come over a wire are executed: added up as the bytes arrive (the time of one is
// the larger of the wire's and the sum's), or staged (staging.h; it is the two together).

#include <cstdint>
#include <string_view>

#include "sim/base/named_table.h"

namespace syncsim {

enum class Reduction : std::uint8_t { on_arrival, staged };

struct ReductionRow {
  std::string_view name;  // "on-arrival", "staged"
  std::string_view description;
  Reduction reduction;
};
const NamedTable<ReductionRow>& reductions();
std::string_view to_string(Reduction reduction);
Reduction parse_reduction(std::string_view text);  // throws InputError with did-you-mean

}  // namespace syncsim
