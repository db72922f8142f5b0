#include "sim/scenario/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/named_table.h"
#include "sim/base/text.h"
#include "sim/scenario/plan_strategy.h"

namespace syncsim {
namespace {

std::string text_of(const JsonReader& json) {
  return json.is_string() ? json.string() : json.raw().dump();
}

bool has_parameters(const JsonReader& wanted, const Report& report) {
  for (const auto& [key, text] : wanted.members()) {
    const auto value = report.facts.parameters.find(key);
    if (value == report.facts.parameters.end() || value->second != text_of(text)) return false;
  }
  return true;
}

bool names(const JsonReader& wanted, const std::string& strategy) {
  return wanted.string() == strategy ||
         (is_plan(wanted.string()) && strategy_reference(wanted) == strategy);
}

bool has_strategy(const JsonReader& wanted, const Report& report) {
  if (wanted.is_string()) return names(wanted, report.facts.strategy);
  wanted.allow({"name", "parameters"});
  const auto parameters = wanted.optional("parameters");
  return names(wanted.required("name"), report.facts.strategy) &&
         (!parameters || has_parameters(*parameters, report));
}

bool has_ranks(const JsonReader& wanted, const Point& point, const Report& report) {
  if (wanted.is_integer()) return report.facts.collective.ranks == wanted.integer();
  return wanted.located([&] { return parse_ranks(wanted.string()); }) == point.ranks;
}

bool has_topology(const JsonReader& wanted, const Point& point, const Report& report) {
  return wanted.string() == report.facts.topology || topology_reference(wanted) == point.topology;
}

bool has_field(const std::string& key, const JsonReader& wanted, const Point& point,
               const Report& report) {
  const Collective& collective = report.facts.collective;
  if (key == "name") return point.name == wanted.string();
  if (key == "topology") return has_topology(wanted, point, report);
  if (key == "strategy") return has_strategy(wanted, report);
  if (key == "parameters") return has_parameters(wanted, report);
  if (key == "ranks") return has_ranks(wanted, point, report);
  if (key == "bytes") return collective.bytes == wanted.bytes();
  if (key == "datatype") return collective.datatype == wanted.string();
  if (key == "edits") return point.edits_name == wanted.string();
  if (key == "background") return optional_path(wanted) == point.background;
  if (key == "rings") return optional_path(wanted) == point.rings;
  if (key == "rates")
    return report.facts.rates == wanted.located([&] { return parse_rates(wanted.string()); });
  if (key == "reduction")
    return point.reduction == wanted.located([&] { return parse_reduction(wanted.string()); });
  require(key == "collective", "a selector key without a meaning: " + key);
  return collective.kind == wanted.located([&] { return parse_collective(wanted.string()); });
}

bool matches(const Selector& selector, const Point& point, const Report& report) {
  return std::all_of(selector.fields.begin(), selector.fields.end(), [&](const auto& field) {
    return has_field(field.first, field.second, point, report);
  });
}

// What can tell points apart, in the order in which a label says it. A machine's name tells its
// size; only rank subsets of one machine need theirs said.
using Word = std::string (*)(const Point& point, const RunFacts& facts);
const Word kMachine = [](const Point&, const RunFacts& f) { return f.topology; };
const Word kRankCount = [](const Point&, const RunFacts& f) {
  return counted(static_cast<std::uint64_t>(f.collective.ranks), "rank");
};
const Word kRanks = [](const Point& p, const RunFacts&) {
  return p.ranks.empty() ? "all ranks" : fmt::format("ranks {}", fmt::join(p.ranks, ","));
};
const Word kOthers[] = {
    [](const Point& p, const RunFacts& f) {
      if (!p.edits_name.empty()) return p.edits_name;
      return f.edits.empty() ? "no edits" : fmt::format("{}", fmt::join(f.edits, "; "));
    },
    [](const Point&, const RunFacts& f) {
      return f.events.empty() ? "no events" : fmt::format("{}", fmt::join(f.events, "; "));
    },
    [](const Point&, const RunFacts& f) { return f.choice ? f.strategy : f.strategy_text(); },
    [](const Point&, const RunFacts& f) { return std::string(to_string(f.collective.kind)); },
    [](const Point&, const RunFacts& f) { return to_string(f.collective.bytes); },
    [](const Point&, const RunFacts& f) { return std::string(f.collective.datatype); },
    [](const Point&, const RunFacts& f) { return fmt::format("root {}", f.collective.root); },
    [](const Point&, const RunFacts& f) { return f.executor; },
    [](const Point&, const RunFacts& f) { return fmt::format("{} rates", to_string(f.rates)); },
    [](const Point& p, const RunFacts&) {
      return fmt::format("overhead {}", to_exact_string(p.overhead));
    },
    [](const Point& p, const RunFacts&) { return fmt::format("{} sums", to_string(p.reduction)); },
    [](const Point&, const RunFacts& f) {
      return f.start.empty() ? "no late ranks" : f.start_text();
    },
    [](const Point& p, const RunFacts&) { return fmt::format("seed {}", p.seed); },
    [](const Point& p, const RunFacts&) {
      return p.background.empty() ? "no background" : "background " + p.background;
    },
    [](const Point& p, const RunFacts&) {
      return p.rings.empty() ? "no file of rings" : "rings of " + p.rings;
    },
};

}  // namespace

std::vector<std::size_t> select(const Selector& selector, std::span<const Point> points,
                                std::span<const Report> reports, const JsonReader& place) {
  std::vector<std::size_t> selected;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (matches(selector, points[i], reports[i])) selected.push_back(i);
  if (selected.empty())
    throw place.error("selects no point of this scenario",
                      "name fields as the points have them, or add the point");
  return selected;
}

std::string point_label(std::size_t index, std::span<const Point> points,
                        std::span<const Report> reports) {
  if (points.size() == 1) return "";
  if (!points[index].name.empty()) return points[index].name;
  std::vector<std::string> words;
  // Says the word when it differs among the points.
  const auto tell = [&](Word word) {
    const std::string own = word(points[index], reports[index].facts);
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (word(points[i], reports[i].facts) == own) continue;
      words.push_back(own);
      return true;
    }
    return false;
  };
  const bool machines = tell(kMachine);
  for (const Word word : kOthers) tell(word);
  if (!machines && !tell(kRankCount)) tell(kRanks);
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace syncsim
