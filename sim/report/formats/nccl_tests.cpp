// Tables as nccl-tests prints them: one of each run of points that differ in size alone. A schedule
// is the same in place and out of place, so both halves hold the same figures.

#include <fmt/format.h>

#include <string_view>

#include "sim/report/formats.h"
#include "sim/report/formats/conditions.h"
#include "sim/report/nccl_tests_table.h"

namespace syncsim {
namespace {

bool adds_up(CollectiveKind kind) { return row(kind).contributors == Who::all; }

// What the tests give as count: each rank's share where the blocks go different ways.
std::int64_t count_of(const Collective& collective) {
  const bool shared = has_blocks(collective.kind) && collective.kind != CollectiveKind::send_recv;
  return collective.elements() / (shared ? collective.ranks : 1);
}

// As many digits as the tests give, and more below their least times.
std::string time_text(double microseconds) {
  if (microseconds < 1) return fmt::format("{:7.4f}", microseconds);
  if (microseconds >= 10'000) return fmt::format("{:7.0f}", microseconds);
  return fmt::format("{:7.{}f}", microseconds, microseconds >= 100 ? 1 : 2);
}

std::string half(const Report& report) {
  return fmt::format("  {}  {:6.2f}  {:6.2f}  {:>5}", time_text(microseconds(report.time)),
                     report.algbw / 1e9, report.busbw / 1e9, report.facts.checked ? "0" : "N/A");
}

std::string row_text(const Report& report) {
  const Collective& collective = report.facts.collective;
  const int root = is_rooted(collective.kind) ? collective.root : -1;
  const std::string figures = half(report);
  return fmt::format("{:>12}  {:>12}  {:>8}  {:>6}  {:>6}{}{}\n", collective.bytes.count,
                     count_of(collective), nccl_type(collective.datatype),
                     adds_up(collective.kind) ? "sum" : "none", root, figures, figures);
}

std::string subject(const RunFacts& facts) {
  std::string text =
      fmt::format("# syncsim: {} on {}, {} ranks, {} rates, simulated\n", facts.strategy_text(),
                  facts.topology, facts.collective.ranks, to_string(facts.rates));
  for (const std::string& condition : conditions(facts)) text += "# " + condition + "\n";
  return text + "# Collective test starting: " + nccl_test(facts.collective.kind) + "\n";
}

std::string heads() {
  const auto line = [](std::string_view first, std::string_view count, std::string_view type,
                       std::string_view redop, std::string_view root, const std::string& half) {
    const std::string text = fmt::format("#{:>11}  {:>12}  {:>8}  {:>6}  {:>6}{}{}", first, count,
                                         type, redop, root, half, half);
    return text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  };
  const auto half = [](std::string_view time, std::string_view algbw, std::string_view busbw,
                       std::string_view wrong) {
    return fmt::format("  {:>7}  {:>6}  {:>6} {:>6}", time, algbw, busbw, wrong);
  };
  return fmt::format("#\n#{:>73}{:>31}\n", "out-of-place", "in-place") +
         line("size", "count", "type", "redop", "root", half("time", "algbw", "busbw", "#wrong")) +
         line("(B)", "(elements)", "", "", "", half("(us)", "(GB/s)", "(GB/s)", ""));
}

// Of one table.
struct Average {
  double sum = 0;
  std::size_t rows = 0;
  bool checked = true;

  void take(const Report& report) {
    sum += report.busbw / 1e9;
    ++rows;
    checked = checked && report.facts.checked;
  }
  std::string text() const {
    return fmt::format("# Out of bounds values : {}\n# Avg bus bandwidth    : {:g}\n#\n",
                       checked ? "0 OK" : "not checked", sum / static_cast<double>(rows));
  }
};

}  // namespace

std::string write_nccl_tests(std::span<const Report> reports, const FormatOptions&) {
  std::string text;
  std::string above;
  Average average;
  for (const Report& report : reports) {
    const std::string own = subject(report.facts);
    if (own != above) {
      if (average.rows > 0) text += average.text();
      text += own + heads();
      average = {};
    }
    above = own;
    text += row_text(report);
    average.take(report);
  }
  return average.rows > 0 ? text + average.text() : text;
}

}  // namespace syncsim
