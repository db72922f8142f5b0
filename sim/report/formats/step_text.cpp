#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/base/page_text.h"
#include "sim/base/quote.h"
#include "sim/base/text.h"
#include "sim/report/formats/conditions.h"
#include "sim/report/formats/fault.h"
#include "sim/report/formats/figures.h"
#include "sim/report/formats/step.h"

namespace syncsim {
namespace {

using figures::percent;

constexpr std::size_t kMostTensors = 12;  // of a table; the rest is told by JSON
constexpr std::size_t kTensorWidth = 29;  // of a tensor
constexpr std::size_t kLine = kPageWidth - 2;

std::string heading(const Report& report) {
  const StepReport& step = *report.step;
  std::string text =
      fmt::format("{}: {} at batch {} a rank, {}, {} of gradients in {}\n", report.facts.topology,
                  step.model, step.batch, counted(step.ranks.size(), "rank"),
                  to_string(report.facts.collective.bytes), counted(step.buckets.size(), "bucket"));
  text += "  strategy: " + report.facts.strategy_text() + "\n";
  for (const std::string& condition : conditions(report.facts)) text += "  " + condition + "\n";
  for (const std::string& note : report.notes) text += "  " + note + "\n";
  return text;
}

std::string figure(const std::string& name, Time time, const std::string& words = "") {
  return fmt::format("{:<20} {:>14}{}{}\n", name, to_string(time), words.empty() ? "" : "   ",
                     words);
}

std::string replica_lines(const StepReport& step) {
  if (!step.replicas) return "";
  const ReplicaReport& replicas = *step.replicas;
  return figure("95 % interval", replicas.low,
                fmt::format("to {}, of the mean", to_string(replicas.high))) +
         figure("deviation", replicas.deviation,
                fmt::format("{} to {}, the first {}", to_string(replicas.least),
                            to_string(replicas.most), to_string(replicas.first)));
}

std::string figures_of(const Report& report, const StepLimits& limits) {
  const StepReport& step = *report.step;
  std::string text =
      figure("step", step.step, fmt::format("{:.1f} samples/s", step.samples_per_second));
  text += replica_lines(step);
  if (step.compute > Time{})
    text += fmt::format("{:<20} {:>14}   of what as many ranks do by themselves\n", "scaling",
                        percent(step.scaling_efficiency));
  text += figure("compute", step.compute, "of the rank that computes longest");
  text += figure("communication", step.communication,
                 fmt::format("{} of it hidden behind compute", percent(step.overlap)));
  text += figure("exposed", step.exposed, "the rest of the step");
  text += fmt::format("{:<20} {:>14}   {}\n", "lower bound",
                      figures::duration(report.bound.seconds), report.bound.binds);
  if (limits.infinite_network)
    text += figure("infinite network", *limits.infinite_network, "a step if links took no time");
  if (limits.no_overlap)
    text += figure("no overlap", *limits.no_overlap, "a step that sends after backward");
  return text;
}

std::string published_text(const PublishedFigure& figure) {
  if (figure.name == "step") return to_string(Time{std::llround(figure.published)});
  return figure.name == "scaling_efficiency" ? percent(figure.published)
                                             : fmt::format("{:.1f}", figure.published);
}

std::string published_table(const StepReport& step) {
  if (!step.published) return "";
  std::string text = fmt::format("\n{:<20} {:>14}   simulated\n", "published", "");
  for (const PublishedFigure& figure : published_figures(step))
    text += fmt::format("{:<20} {:>14}   {:+.1f} %\n", figure.name, published_text(figure),
                        (figure.share() - 1) * 100);
  for (const std::string& line : wrapped("source: " + printable(step.published->source), kLine))
    text += "  " + line + "\n";
  return text;
}

std::string rest(std::size_t all) {
  return all <= kMostTensors
             ? ""
             : fmt::format("{:>6}   {} more; JSON has all\n", "", all - kMostTensors);
}

std::string bucket_table(const StepReport& step) {
  std::string text = fmt::format("\n{:>6} {:>8} {:>12} {:>12} {:>12} {:>12}   {}\n", "bucket",
                                 "tensors", "bytes", "ready", "start", "finish", "first tensor");
  for (const BucketReport& bucket : step.buckets) {
    if (bucket.index == kMostTensors) break;
    text += fmt::format("{:>6} {:>8} {:>12} {:>12} {:>12} {:>12}   {:.{}}\n", bucket.index,
                        bucket.tensors, to_string(bucket.bytes), to_string(bucket.ready),
                        to_string(bucket.start), to_string(bucket.finish), bucket.first_tensor,
                        kTensorWidth);
  }
  return text + rest(step.buckets.size());
}

bool alike(const RankStep& a, const RankStep& b) {
  return a.compute == b.compute && a.step == b.step && a.waits.for_ranks == b.waits.for_ranks &&
         a.waits.pause == b.waits.pause;
}

std::string rank_row(const std::string& who, const RankStep& rank) {
  const int longest = rank.waits.longest;
  std::string text = fmt::format("{:>6} {:>12} {:>12} {:>12} {:>12}   {}", who,
                                 to_string(rank.compute), to_string(rank.waits.for_ranks),
                                 to_string(rank.waits.transfer), to_string(rank.step), rank.node);
  if (longest != StepWaits::kNobody) text += fmt::format(", waits for rank {}", longest);
  if (rank.waits.pause > Time{}) text += ", pauses " + to_string(rank.waits.pause);
  return text + "\n";
}

// Where ranks are alike one line tells all.
std::string rank_table(const StepReport& step) {
  const bool all_alike =
      std::all_of(step.ranks.begin(), step.ranks.end(),
                  [&](const RankStep& rank) { return alike(rank, step.ranks.front()); });
  std::string text = fmt::format("\n{:>6} {:>12} {:>12} {:>12} {:>12}   on\n", "rank", "compute",
                                 "for ranks", "transfer", "step");
  if (all_alike) {
    RankStep each = step.ranks.front();
    each.node = "alike";
    return text + rank_row("each", each);
  }
  for (std::size_t rank = 0; rank < step.ranks.size() && rank < kMostTensors; ++rank)
    text += rank_row(std::to_string(rank), step.ranks[rank]);
  return text + rest(step.ranks.size());
}

// With how much more the fullest holds than an even share.
std::string server_table(const StepReport& step) {
  if (step.servers.empty()) return "";
  std::int64_t all = 0;
  std::int64_t most = 0;
  for (const ServerLoad& server : step.servers) {
    all += server.bytes.count;
    most = std::max(most, server.bytes.count);
  }
  const double even = static_cast<double>(all) / static_cast<double>(step.servers.size());
  std::string text = fmt::format("\n{:>12}   on; the fullest holds {:.2f} times an even share\n",
                                 "keys", static_cast<double>(most) / even);
  for (std::size_t i = 0; i < step.servers.size() && i < kMostTensors; ++i)
    text += fmt::format("{:>12}   {}\n", to_string(step.servers[i].bytes), step.servers[i].node);
  return text + rest(step.servers.size());
}

}  // namespace

std::string step_text(const Report& report, const StepLimits& limits) {
  const StepReport& step = *report.step;
  return within_page(heading(report) + figures_of(report, limits) + published_table(step) +
                     bucket_table(step) + rank_table(step) + server_table(step) + fault_text(step) +
                     (step.critical_path ? path_text(*step.critical_path) : ""));
}

}  // namespace syncsim
