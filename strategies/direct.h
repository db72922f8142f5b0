#pragma once
// Everything goes straight to where it has to be, in one step: what one_shot and distributed share.

#include <cstdint>
#include <optional>

#include "sim/schedule/builder.h"

namespace syncsim::strategy {

struct Directly {
  bool one_at_a_time = false;  // at each rank's port (turns.h)
  std::optional<Slice> sums;   // where sums of the whole data grow; absent: in the data
};

// The collective of the builder's scope. In step s rank r sends to r + s, so that no rank is
// everybody's first.
void emit_directly(ScheduleBuilder& builder, const Directly& how = {});

// How many ops that makes.
std::uint64_t direct_transfers(const Collective& collective);

}  // namespace syncsim::strategy
