#include "sim/scenario/selection.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "sim/base/named_table.h"
#include "sim/base/quote.h"
#include "sim/base/text.h"

namespace syncsim {
namespace {

using Indices = std::vector<std::size_t>;

// No point that the fields before left has this one: with those values that these points have.
InputError no_point(const std::string& key, const JsonReader& wanted, const Indices& left,
                    std::span<const Point> points, std::span<const Report> reports) {
  std::vector<std::string> values;
  for (const std::size_t i : left) {
    std::string value = field_text(key, points[i], reports[i]);
    if (!value.empty() && std::find(values.begin(), values.end(), value) == values.end())
      values.push_back(std::move(value));
  }
  const std::string text = wanted.is_string() ? wanted.string() : wanted.raw().dump();
  const std::string wrong = fmt::format(
      "selects no point: none{} has {} {}",
      left.size() < points.size() ? " of those with the other fields" : "", key, in_quotes(text));
  if (values.empty()) return wanted.error(wrong, "leave it out, or add the point");
  return wanted.error(wrong, unknown_name(key, text, values).right());
}

// What can tell points apart, in the order in which a label says it. A machine's name tells its
// size; only rank subsets of one machine need theirs said.
using FactWord = std::string (*)(const Point& point, const RunFacts& facts);
const FactWord kMachine = [](const Point&, const RunFacts& f) { return f.topology; };
const FactWord kRankCount = [](const Point&, const RunFacts& f) {
  return counted(static_cast<std::uint64_t>(f.collective.ranks), "rank");
};
const FactWord kRanks = [](const Point& p, const RunFacts&) {
  return p.ranks.empty() ? "all ranks" : fmt::format("ranks {}", fmt::join(p.ranks, ","));
};
const FactWord kOthers[] = {
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
                                std::span<const Report> reports) {
  Indices selected(points.size());
  std::iota(selected.begin(), selected.end(), std::size_t{0});
  for (const auto& [key, wanted] : selector.fields) {
    Indices left;
    for (const std::size_t i : selected)
      if (has_field(key, wanted, points[i], reports[i])) left.push_back(i);
    if (left.empty()) throw no_point(key, wanted, selected, points, reports);
    selected = std::move(left);
  }
  return selected;
}

std::string point_label(std::size_t index, std::span<const Point> points,
                        std::span<const Report> reports) {
  if (points.size() == 1) return "";
  const std::string& name = points[index].name;
  std::vector<std::string> words;
  if (!name.empty()) words.push_back(name);
  // Says the word when it differs among the points, of those with a name among its namesakes.
  const auto tell = [&](FactWord word) {
    const std::string own = word(points[index], reports[index].facts);
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!name.empty() && points[i].name != name) continue;
      if (word(points[i], reports[i].facts) == own) continue;
      words.push_back(own);
      return true;
    }
    return false;
  };
  const bool machines = tell(kMachine);
  for (const FactWord word : kOthers) tell(word);
  if (!machines && !tell(kRankCount)) tell(kRanks);
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace syncsim
