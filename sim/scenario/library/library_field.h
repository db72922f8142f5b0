#pragma once
// The field "library" of points: "nccl", "rccl" or "none", or an object with more of its terms:
//   {"name": "nccl", "version": "2.19.3", "launch": "process_per_gpu", "network": "efa",
//    "protocol": "simple", "channels": 4}

#include <string>

#include "sim/base/json_reader.h"
#include "sim/exec/cost_model/library_terms.h"

namespace syncsim {

// Throws InputError with its place.
LibraryTerms read_library(const JsonReader& json);

// As people would write it: "nccl", "nccl version=2.19.3 launch=graph".
std::string library_text(const LibraryTerms& terms);

}  // namespace syncsim
