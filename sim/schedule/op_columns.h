#pragma once
// The columns of an op in a plan's JSON, in the order in which they are written.

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "sim/schedule/schedule.h"

namespace syncsim {

inline constexpr std::string_view kKindColumn = "kind";

struct OpColumn {
  std::string_view name;
  std::uint64_t most;  // least is 0
  std::uint64_t (*get)(const Op& op);
  void (*set)(Op& op, std::uint64_t value);
};

// All but the kind, which is a word.
std::span<const OpColumn> op_columns();

// "copy", "reduce", "compute", "join", by kind.
std::span<const std::string_view> op_kind_names();

}  // namespace syncsim
