#include <fmt/format.h>

#include "sim/base/page_text.h"
#include "sim/base/text.h"
#include "sim/report/execution.h"
#include "sim/report/formats/conditions.h"
#include "sim/report/formats/figures.h"

namespace syncsim {
namespace {

constexpr std::size_t kRunWidth = 26;
constexpr std::size_t kBusyLinkWidth = 30;

std::string heading(const Execution& execution) {
  const RunFacts& facts = execution.measured.facts;
  const Measurement& measurement = execution.measurement;
  std::string text = fmt::format(
      "{}: {} of {}, {}, for real by {} with {}, {} after {} to warm up", facts.topology,
      to_string(facts.collective.kind), facts.collective.datatype,
      counted(static_cast<std::uint64_t>(facts.collective.ranks), "rank"), facts.executor,
      measurement.workers, counted(measurement.times.size(), "iteration"), execution.warmup);
  for (const std::string& condition : conditions(facts)) text += "\n  " + condition;
  return text + fmt::format("\n{:<{}} {:>11} {:>13} {:>13} {:>12} {:>12} {:>6}\n", "strategy",
                            kRunWidth, "size", "measured", "median dev.", "algbw", "busbw", "data");
}

std::string line(const Execution& execution) {
  const Report& report = execution.measured;
  const Measurement& measurement = execution.measurement;
  const std::string strategy = report.facts.strategy_text();
  const bool fits = strategy.size() <= kRunWidth;
  std::string text = fmt::format(
      "{}{:<{}} {:>11} {:>13} {:>13} {:>12} {:>12} {:>6}\n", fits ? "" : strategy + "\n",
      fits ? strategy : "", kRunWidth, to_string(report.facts.collective.bytes),
      to_string(report.time), to_string(measurement.deviation()), figures::rate(report.algbw),
      figures::rate(report.busbw), execution.data_correct() ? "exact" : "WRONG");
  if (measurement.times.size() > 1)
    text += fmt::format("  iterations took {} to {}\n", to_string(measurement.least()),
                        to_string(measurement.most()));
  if (measurement.wrong) text += "  wrong: " + measurement.wrong->text() + "\n";
  for (const std::string& note : measurement.notes) text += "  " + note + "\n";
  return text;
}

std::string library_line(const Execution& execution) {
  if (!execution.measurement.library) return "";
  const LibraryRun& library = *execution.measurement.library;
  const Time median = library.times[median_of(library.times)];
  return fmt::format("  {} took {}: ours {:.2f} times that\n", library.name, to_string(median),
                     seconds(execution.measured.time) / seconds(median));
}

std::string deviation_text(const std::optional<double>& deviation) {
  return deviation ? fmt::format("{:+.1f} %", *deviation * 100) : "no share";
}

std::string beside(const std::string& what, Time measured, Time simulated) {
  return fmt::format("  {}: measured {}, simulated {}: {}\n", what, to_string(measured),
                     to_string(simulated), deviation_text(deviation(measured, simulated)));
}

std::string compared(const Execution& execution) {
  std::string text = beside("whole", execution.measured.time, execution.simulated.time);
  for (const PhaseReport& phase : execution.measured.phases)
    for (const PhaseReport& other : execution.simulated.phases)
      if (phase.name == other.name)
        text += beside("phase " + phase.name, phase.time(), other.time());
  return text;
}

std::string judged(const Execution& execution) {
  if (!execution.tolerance) return "";
  return fmt::format("  expected within {} of the simulated {}: {}, {}\n",
                     figures::percent(*execution.tolerance), to_string(execution.simulated.time),
                     execution.as_expected() ? "yes" : "NO", deviation_text(execution.deviation()));
}

std::string link_table(const Execution& execution) {
  std::string text =
      fmt::format("  {:<{}} {:>15} {:>12} {:>12} {:>12}\n", "link of the model (GB/s)",
                  kBusyLinkWidth, "bytes", "measured", "simulated", "capacity");
  const std::vector<LinkReport>& links = execution.measured.links;
  for (std::size_t i = 0; i < links.size(); ++i)
    if (links[i].bytes > 0)
      text += fmt::format("  {:<{}} {:>15.0f} {:>12.3f} {:>12.3f} {:>12.3f}\n", links[i].label(),
                          kBusyLinkWidth, links[i].bytes, links[i].rate / 1e9,
                          execution.simulated.links[i].rate / 1e9, links[i].capacity / 1e9);
  return text;
}

}  // namespace

std::string execution_text(std::span<const Execution> executions, const ExecutionOutput& output) {
  std::string text;
  std::string above;
  for (const Execution& execution : executions) {
    const std::string own = heading(execution);
    if (own != above) text += (above.empty() ? "" : "\n") + own;
    above = own;
    text += line(execution) + library_line(execution);
    if (output.compare) text += compared(execution);
    text += judged(execution);
    if (output.links) text += link_table(execution);
  }
  return within_page(text);
}

}  // namespace syncsim
