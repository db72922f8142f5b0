#include "sim/cli/page_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "sim/base/text_file.h"
#include "sim/cli/command.h"
#include "sim/cli/options.h"
#include "sim/cli/rank_strategies.h"
#include "sim/scenario/explain.h"
#include "sim/scenario/setting.h"

namespace syncsim::cli {
namespace {

constexpr const char* kOption = "--report";
constexpr std::size_t kMostRanksCompared = 16;
constexpr std::uint64_t kMostOpsExplained = 100'000;  // of all points

std::string page_template() {
  if (std::optional<std::string> text = text_if_file(find_data().page)) return *std::move(text);
  throw InputError("this build has no page",
                   "install npm (Debian: apt install npm) and build again", kOption);
}

}  // namespace

PageFile::PageFile(const std::string& path, std::size_t points)
    : template_(page_template()), points_(points), out_(kOption, path), drawing_(points) {}

RunOfPoint PageFile::runner() const {
  const std::uint64_t most_ops = kMostOpsExplained / std::max<std::size_t>(points_, 1);
  return [most_ops](const Point& point, const RunSettings& settings) {
    return run_explained(point, settings, most_ops);
  };
}

void PageFile::rank_others(std::span<const Point> points, const RunSettings& settings,
                           Supervisor& supervisor) {
  if (points.size() != 1) return;
  const Point& point = points.front();
  if (setting_of(point, settings).ranks.size() > kMostRanksCompared) {
    others_note_ = fmt::format(
        "Other strategies are ranked beside a run of up to {} ranks; of more, name those to "
        "compare.",
        kMostRanksCompared);
    return;
  }
  RunSettings bare = settings;
  bare.drawing = nullptr;
  bare.links = false;
  bare.critical_path = false;
  bare.watch = &supervisor;
  supervisor.expect_points(1 + runs_to_rank({}));
  try {
    others_ = rank_strategies(point, {}, bare, supervisor);
  } catch (const Interrupted&) {
    others_note_ = "Interrupted before other strategies were ranked.";
  }
}

void PageFile::write(std::span<const Report> reports) {
  if (reports.empty()) return;
  const auto is_shown = [&](const Report& other) {
    return std::any_of(reports.begin(), reports.end(), [&](const Report& report) {
      return report.facts.strategy_text() == other.facts.strategy_text();
    });
  };
  std::erase_if(others_.ranking, is_shown);
  const Page page{{reports.begin(), reports.end()},
                  drawing_.points(),
                  others_.ranking,
                  others_note_,
                  others_.left_out};
  out_.stream() << from_option(kOption, [&] { return page_text(page, template_); });
  out_.finish();
}

}  // namespace syncsim::cli
