#pragma once
// A strategy's line in tables that compare strategies, as text, JSON and CSV.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sim/report/report.h"

namespace syncsim::ranked {

// "dgx1v: allreduce, 8 ranks, line rates", and the conditions; `size` stands after the collective.
std::string heading(const RunFacts& facts, const std::string& size);
// The heads of time, algbw, busbw and share of the bound.
std::string figure_heads();
// A row of all of them, and behind it the busiest link: "gpu0>nvs1 97.5 %", "-" where nothing was
// carried; below it where the page is too narrow. `before`: what stands left of the strategy.
std::string row(const Report& report, const std::string& before = "");
// The width of the strategies' column. A text that is longer ends its line; the next one goes on
// behind the column.
inline constexpr std::size_t kStrategyWidth = 21;

// What all have in common but the size.
nlohmann::ordered_json subject(const RunFacts& facts);
nlohmann::ordered_json json(const Report& report);

// The names are those of the JSON keys; "busiest_link" is its direction.
std::string csv_heads();
std::string csv(const Report& report);

}  // namespace syncsim::ranked
