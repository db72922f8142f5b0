#include "sim/scenario/rank_metric.h"

#include <fmt/format.h>

#include <charconv>
#include <utility>

#include "sim/base/error.h"

namespace syncsim {
namespace {

struct RankFigure {
  std::string_view name;
  Time (*read)(const RankStep& rank);
};

const RankFigure kFigures[] = {
    {"step", [](const RankStep& r) { return r.step; }},
    {"compute", [](const RankStep& r) { return r.compute; }},
    {"waiting", [](const RankStep& r) { return r.waiting; }},
    {"for_ranks", [](const RankStep& r) { return r.waits.for_ranks; }},
    {"transfer", [](const RankStep& r) { return r.waits.transfer; }},
    {"pause", [](const RankStep& r) { return r.waits.pause; }},
    {"finish", [](const RankStep& r) { return r.finish; }},
};

constexpr std::string_view kRankPrefix = "rank.";

struct Parts {
  std::optional<int> rank;
  std::string_view figure;
};

Parts parts_of(std::string_view name) {
  if (!name.starts_with(kRankPrefix)) return {};
  name.remove_prefix(kRankPrefix.size());
  int rank = 0;
  const auto [end, failed] = std::from_chars(name.data(), name.data() + name.size(), rank);
  const auto digits = static_cast<std::size_t>(end - name.data());
  if (failed != std::errc{} || rank < 0 || digits == name.size() || name[digits] != '.') return {};
  return {rank, name.substr(digits + 1)};
}

}  // namespace

std::optional<RankMetric> rank_metric(std::string_view name) {
  const Parts parts = parts_of(name);
  if (!parts.rank) return std::nullopt;
  for (const RankFigure& figure : kFigures)
    if (figure.name == parts.figure) return RankMetric{*parts.rank, figure.read};
  return std::nullopt;
}

std::vector<std::string> rank_metrics_like(std::string_view name) {
  const auto rank = parts_of(name).rank;
  std::vector<std::string> names;
  for (const RankFigure& figure : kFigures)
    names.push_back(
        fmt::format("{}{}.{}", kRankPrefix, rank ? std::to_string(*rank) : "N", figure.name));
  return names;
}

const RankStep& rank_of(const RankMetric& metric, const StepReport& step) {
  if (std::cmp_greater_equal(metric.rank, step.ranks.size()))
    throw InputError(fmt::format("rank {} is not in the run", metric.rank),
                     fmt::format("name ranks of the run, 0 to {}", step.ranks.size() - 1));
  return step.ranks[static_cast<std::size_t>(metric.rank)];
}

}  // namespace syncsim
