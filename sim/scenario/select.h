#pragma once
// Names that stand for a strategy in a point without being one: choices, which simulate candidates
// on the point's machine and run one of them. They lie here, not in strategies/, because strategies
// know nothing of the engine.
//   auto   the fastest of all that do the collective (race.h, candidates.h); of equal ones the
//   first
//          by name, defaults before tuned ones
//   nccl, nccl_ring, nccl_tree, nvls, nvls_tree, pat   what the library runs (library_run.h)

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/named_table.h"
#include "sim/scenario/race.h"

namespace syncsim {

struct ChoiceRow {
  std::string_view name;
  std::string_view description;
  Report (*run)(const Point& point, const Setting& setting, const RunSettings& settings);
  // What it would run.
  Candidate (*choose)(const Point& point, const Setting& setting, const RunSettings& settings);
};

const NamedTable<ChoiceRow>& choices();

// All candidates raced: with a winner, or InputError.
Race fastest(const Point& point, const Setting& setting, const RunSettings& settings);

// Of strategies and choices, sorted.
std::vector<std::string> strategy_names();
// Throws unknown_name, without a place, for what is neither a strategy, a choice nor a plan.
void require_strategy_name(std::string_view name);

}  // namespace syncsim
