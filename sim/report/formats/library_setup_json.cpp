#include "sim/report/formats/library_setup_json.h"

#include <nlohmann/json.hpp>

namespace syncsim {

namespace {
using Json = nlohmann::ordered_json;
}  // namespace

Json or_null(const std::string& text) { return text.empty() ? Json() : Json(text); }
Json or_null(int count) { return count == 0 ? Json() : Json(count); }

void add_setup(Json& object, const LibrarySetup& setup) {
  object["library"] = or_null(setup.library);
  object["version"] = or_null(setup.version);
  object["launch"] = or_null(setup.launch);
  object["network"] = or_null(setup.network);
  object["channels"] = or_null(setup.channels);
  object["protocol"] = or_null(setup.protocol);
  object["algorithm"] = or_null(setup.algorithm);
  object["assumed"] = setup.assumed;
}

}  // namespace syncsim
