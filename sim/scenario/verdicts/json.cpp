#include <cmath>
#include <nlohmann/json.hpp>

#include "sim/scenario/verdicts/verdicts.h"

namespace syncsim {

using Json = nlohmann::ordered_json;

std::string claims_json(std::span<const Claim> claims) {
  Json list = Json::array();
  for (const Claim& claim : claims) {
    Json entry = {
        {"file", claim.file},     {"name", claim.name},           {"source", claim.source},
        {"note", claim.note},     {"metric", claim.metric},       {"expected", claim.expected},
        {"actual", claim.actual}, {"tolerance", claim.tolerance}, {"deviation", nullptr},
        {"passed", claim.passed}, {"pointer", claim.pointer}};
    if (!claim.decided) entry["passed"] = nullptr;
    if (std::isfinite(claim.deviation)) entry["deviation"] = claim.deviation;
    list.push_back(std::move(entry));
  }
  const Tally tally(claims);
  Json all = {{"claims", std::move(list)}, {"passed", tally.passed}, {"failed", tally.failed}};
  if (tally.not_run > 0) all["not_run"] = tally.not_run;
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace syncsim
