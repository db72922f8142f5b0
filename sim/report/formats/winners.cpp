// How the fastest strategies of several sizes are written down.

#include "sim/report/winners.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/page_text.h"
#include "sim/report/formats/ranked.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;

Bytes size_of(const Report& report) { return report.facts.collective.bytes; }

std::string crossover_text(const Crossover& crossover) {
  return fmt::format("  up to {} {}, from {} {}\n", to_string(size_of(crossover.below)),
                     crossover.below.facts.strategy, to_string(size_of(crossover.above)),
                     crossover.above.facts.strategy);
}

Json crossover_json(const Crossover& crossover) {
  return {{"below_bytes", size_of(crossover.below).count},
          {"below_strategy", crossover.below.facts.strategy},
          {"above_bytes", size_of(crossover.above).count},
          {"above_strategy", crossover.above.facts.strategy}};
}

// Those of the crossovers too, each once.
std::vector<const Report*> all_sizes(const Winners& winners) {
  std::vector<const Report*> all;
  for (const Report& report : winners.sizes) all.push_back(&report);
  for (const Crossover& crossover : winners.crossovers) {
    all.push_back(&crossover.below);
    all.push_back(&crossover.above);
  }
  std::sort(all.begin(), all.end(),
            [](const Report* a, const Report* b) { return size_of(*a) < size_of(*b); });
  const auto last = std::unique(all.begin(), all.end(), [](const Report* a, const Report* b) {
    return size_of(*a) == size_of(*b);
  });
  all.erase(last, all.end());
  return all;
}

}  // namespace

std::string winners_text(const Winners& winners) {
  if (winners.sizes.empty()) return "";
  constexpr std::size_t kSizeWidth = 10;
  std::string text = ranked::heading(winners.sizes.front().facts, "");
  text += fmt::format("{:>{}}  {:<{}} {}  busiest link\n", "size", kSizeWidth, "fastest strategy",
                      ranked::kStrategyWidth, ranked::figure_heads());
  for (const Report& report : winners.sizes)
    text +=
        ranked::row(report, fmt::format("{:>{}}  ", to_string(size_of(report)), kSizeWidth)) + "\n";
  text += fmt::format("crossovers, to within {:.0f} %:{}\n", (kCrossoverFactor - 1) * 100,
                      winners.crossovers.empty() ? " none" : "");
  for (const Crossover& crossover : winners.crossovers) text += crossover_text(crossover);
  return within_page(text);
}

std::string winners_json(const Winners& winners) {
  Json json = winners.sizes.empty() ? Json::object() : ranked::subject(winners.sizes.front().facts);
  json["sizes"] = Json::array();
  for (const Report& report : winners.sizes) {
    Json size = {{"bytes", size_of(report).count}};
    size.update(ranked::json(report));
    json["sizes"].push_back(std::move(size));
  }
  json["crossovers"] = Json::array();
  for (const Crossover& crossover : winners.crossovers)
    json["crossovers"].push_back(crossover_json(crossover));
  json["crossover_factor"] = kCrossoverFactor;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string winners_csv(const Winners& winners) {
  std::string text = ranked::csv_heads() + "\n";
  for (const Report* report : all_sizes(winners)) text += ranked::csv(*report) + "\n";
  return text;
}

}  // namespace syncsim
