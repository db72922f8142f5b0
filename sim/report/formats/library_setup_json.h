#pragma once
// How a library's setup stands in JSON.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/report/library_setup.h"

namespace syncsim {

// null for what is not said.
nlohmann::ordered_json or_null(const std::string& text);
nlohmann::ordered_json or_null(int count);

// Adds "library", "version", "launch", "network", "channels", "protocol" and "assumed".
void add_setup(nlohmann::ordered_json& object, const LibrarySetup& setup);

}  // namespace syncsim
