#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/scenario/verdicts/verdicts.h"

namespace syncsim {

namespace {

using Json = nlohmann::ordered_json;

Json entry_of(const Claim& claim) {
  Json entry = {
      {"file", claim.file},     {"name", claim.name},           {"source", claim.source},
      {"note", claim.note},     {"metric", claim.metric},       {"expected", claim.expected},
      {"actual", claim.actual}, {"tolerance", claim.tolerance}, {"deviation", nullptr},
      {"passed", claim.passed}, {"pointer", claim.pointer}};
  if (!claim.decided) entry["passed"] = nullptr;
  if (std::isfinite(claim.deviation)) entry["deviation"] = claim.deviation;
  return entry;
}

}  // namespace

std::string claims_json(Verdicts verdicts) {
  Json claims = Json::array();
  Json errors = Json::array();
  for (const auto& [file, own, refusal] : verdicts) {
    for (const Claim& claim : own) claims.push_back(entry_of(claim));
    if (refusal)
      errors.push_back({{"file", file}, {"place", refusal->place}, {"error", refusal->error}});
  }
  const Tally tally(verdicts);
  Json all = {{"claims", std::move(claims)}, {"passed", tally.passed}, {"failed", tally.failed}};
  if (tally.not_run > 0) all["not_run"] = tally.not_run;
  if (tally.refused > 0) all["errors"] = std::move(errors);
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace syncsim
