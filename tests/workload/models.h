#pragma once
// The shipped models.

#include <string>

#include "sim/workload/model_shelf.h"

namespace syncsim::testing {

inline const std::string kModels = SYNCSIM_SOURCE_DIR "/scenarios/models";

inline Model shipped_model(const std::string& name) { return load_model(name, kModels); }

}  // namespace syncsim::testing
