#pragma once
// A strategy's line in tables that compare strategies, as text, JSON and CSV.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/report/report.h"

namespace syncsim::ranked {

// "dgx1v: allreduce, 8 ranks, line rates", and the edits; `size` stands after the collective.
std::string heading(const RunFacts& facts, const std::string& size);
// Time, algbw, busbw and share of the bound, in columns, and their heads.
std::string figures(const Report& report);
std::string figure_heads();
// "gpu0>nvs1 97.5 %"; "-" where nothing was carried.
std::string busiest(const Report& report);
// The width of the strategies' column. A text that is longer ends its line; the next one goes on
// behind the column, `before` characters further right.
inline constexpr std::size_t kStrategyWidth = 22;
std::string strategy(const Report& report, std::size_t before = 0);

// What all have in common but the size.
nlohmann::ordered_json subject(const RunFacts& facts);
nlohmann::ordered_json json(const Report& report);

// The names are those of the JSON keys; "busiest_link" is its direction.
std::string csv_heads();
std::string csv(const Report& report);

}  // namespace syncsim::ranked
