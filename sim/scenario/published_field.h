#pragma once
// The field `published` of training points: what somebody measured of the step.
//   {"step": "104 ms", "samples_per_second": 8322, "scaling_efficiency": "95.7 %",
//    "source": "where it was published"}
// At least one figure, and its source.

#include "sim/base/json_reader.h"
#include "sim/report/published.h"

namespace syncsim {

// Throws InputError, at its place, for what is no such object and for figures of about 0 or below.
Published read_published(const JsonReader& json);

}  // namespace syncsim
