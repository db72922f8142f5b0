// Why a table may be faster than the model says.

#include <fmt/format.h>

#include <algorithm>

#include "sim/scenario/predict/suspects.h"

namespace syncsim {
namespace {

constexpr std::size_t kFewestFasterRows = 2;
constexpr double kLeastShare = 0.01;  // of a time that is left

}  // namespace

std::vector<Variant> edit_wrong(const Scene& scene) {
  std::vector<Variant> variants;
  for (std::size_t i = 0; i < scene.edits.size(); ++i)
    variants.push_back({.what = fmt::format("the edit \"{}\" not made", scene.edits[i].text),
                        .terms = scene.terms,
                        .without = i});
  return variants;
}

std::vector<Variant> faster_links(const Scene& scene) {
  std::vector<Variant> variants;
  for (const LinkKind kind :
       {LinkKind::network, LinkKind::pcie, LinkKind::nvlink, LinkKind::xgmi}) {
    const auto& links = scene.machine.links();
    if (std::none_of(links.begin(), links.end(), [&](const Link& l) { return l.kind == kind; }))
      continue;
    const std::string text = fmt::format("scale kind:{} bandwidth 2", to_string(kind));
    Variant variant{.what = fmt::format("every {} link at twice its rate", to_string(kind)),
                    .terms = scene.terms};
    variant.edits.push_back(parse_edit(text));
    variant.again = fmt::format("--edit \"{}\"", text);
    variants.push_back(std::move(variant));
  }
  return variants;
}

std::vector<Variant> rdma(const Scene& scene) {
  if (!spans_boxes(scene) || scene.terms.network != Network::tcp) return {};
  Variant variant{.what = "RDMA in place of TCP sockets", .terms = scene.terms};
  variant.terms.network = Network::roce;
  variant.again = "--network roce";
  return {std::move(variant)};
}

std::optional<Fitted> less_latency(std::span<const FitRow> rows, SizeClass size, double) {
  if (size == SizeClass::large || rows.size() < kFewestFasterRows) return std::nullopt;
  const auto best = best_figure(
      rows, [](const FitRow& row) { return row.predicted - row.measured; },
      [](const FitRow& row, double less) {
        return std::max(row.predicted - less, row.predicted * kLeastShare);
      });
  if (!best) return std::nullopt;
  return Fitted{fmt::format("latency: {:.3g} us less a call", best->first), best->second};
}

std::optional<Fitted> faster_rate(std::span<const FitRow> rows, SizeClass size, double) {
  if (size == SizeClass::small || rows.size() < kFewestFasterRows) return std::nullopt;
  const auto best = best_figure(
      rows,
      [](const FitRow& row) {
        return row.measured < row.predicted ? row.predicted / row.measured : 0;
      },
      [](const FitRow& row, double times) { return row.predicted / times; });
  if (!best) return std::nullopt;
  return Fitted{fmt::format("{:.3g} times the rate", best->first), best->second};
}

}  // namespace syncsim
