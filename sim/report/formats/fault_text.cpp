#include <fmt/format.h>

#include "sim/base/page_text.h"
#include "sim/base/text.h"
#include "sim/report/formats/fault.h"

namespace syncsim {
namespace {

std::string line(const std::string& when, const std::string& what) {
  return fmt::format("{:>14}   {}\n", when, what);
}

std::string each_checkpoint(const Checkpoints& checkpoints) {
  if (checkpoints.every == 0) return "";
  return fmt::format(", a checkpoint of {} every {}", to_string(checkpoints.write),
                     counted(static_cast<std::size_t>(checkpoints.every), "step"));
}

// A recovery may come before the stall.
std::string stall_line(const FaultReport& fault) {
  const Time stands = fault.times.fault + fault.stands;
  if (fault.times.noticed && *fault.times.noticed < stands)
    return line("", fmt::format("all would stand at {}: {}", to_string(stands), fault.reason));
  return line(to_string(stands), "all stands: " + fault.reason);
}

// What is known without a recovery: the run stands still, or limps on.
std::string strike_lines(const FaultReport& fault) {
  std::string text = line(to_string(fault.times.fault),
                          fmt::format("{} into step {}", to_string(fault.at), fault.step));
  if (fault.stalls)
    text +=
        stall_line(fault) + (fault.first.empty() ? "" : line("", "the first is " + fault.first));
  else if (!fault.times.noticed)
    text += line("", "the run goes on by itself");
  return text;
}

std::string resumed_words(const FaultReport& fault) {
  const FaultTimes& times = fault.times;
  const std::int64_t again = times.again();
  std::string words = fmt::format("goes on with step {}", times.goes_on_at);
  if (again == 0) return words + ", which was cut short";
  return words + fmt::format(": {} done again, and the one cut short",
                             counted(static_cast<std::size_t>(again), "step"));
}

std::string recovery_lines(const FaultReport& fault) {
  const FaultTimes& times = fault.times;
  if (!times.caught_up)
    return line("never", fault.recovery == "none" ? "it ends here, without recovery"
                                                  : "it ends here: no server is left");
  std::string text;
  if (times.noticed)
    text += line(to_string(*times.noticed), "noticed; recovery: " + fault.recovery) +
            line(to_string(*times.resumed), resumed_words(fault));
  return text + line(to_string(*times.caught_up), fmt::format("step {} is done", times.in_hand));
}

std::string of_fault(const FaultReport& fault) {
  std::string text = fmt::format("\nfault: {}, steps of {}{}\n", fault.what,
                                 to_string(fault.before), each_checkpoint(fault.checkpoints));
  text += strike_lines(fault) + recovery_lines(fault);
  if (fault.times.lost)
    text +=
        fmt::format("{:<20} {:>14}   by then, in all\n", "time lost", to_string(*fault.times.lost));
  if (fault.after)
    text += fmt::format("{:<20} {:>14}   {:.1f} samples/s\n", "step after", to_string(*fault.after),
                        fault.samples_per_second_after);
  return text;
}

std::string long_time(double length) {
  constexpr double kDay = 86400;
  constexpr double kHour = 3600;
  if (length >= 2 * kDay) return fmt::format("{:.4g} days", length / kDay);
  if (length >= 2 * kHour) return fmt::format("{:.4g} h", length / kHour);
  return fmt::format("{:.4g} s", length);
}

std::string who_fails(const GoodputReport& report) {
  if (report.of == "run") return "the run fails";
  return fmt::format("each of {:.0f} {}s fails", report.parts, report.of);
}

std::string interval_words(const GoodputReport& report) {
  std::string words =
      "every " + counted(static_cast<std::size_t>(report.checkpoints.every), "step");
  if (report.young_every > 0)
    words += fmt::format("; best by Young's sqrt(2 write MTBF): {:.1f}", report.young_every);
  return words;
}

std::string of_goodput(const GoodputReport& report) {
  std::string text =
      fmt::format("\nfailures: {} every {} on the average, for {}\n", who_fails(report),
                  long_time(report.mtbf), long_time(seconds(report.horizon)));
  text += fmt::format(
      "{:<20} {:>14}   +- {:.2f} % (95 %, {}), {:.1f} samples/s\n", "goodput",
      fmt::format("{:.2f} %", report.goodput.mean * 100), report.goodput.half_width * 100,
      counted(static_cast<std::size_t>(report.replicas), "run"), report.samples_per_second);
  text += fmt::format("{:<20} {:>14.1f}   a run\n", "failures", report.goodput.failures);
  if (report.checkpoints.every > 0)
    text += fmt::format("{:<20} {:>14}   {}\n", "checkpoint", to_string(report.checkpoints.write),
                        interval_words(report));
  return text;
}

}  // namespace

std::string fault_text(const StepReport& step) {
  return within_page((step.fault ? of_fault(*step.fault) : "") +
                     (step.goodput ? of_goodput(*step.goodput) : ""));
}

}  // namespace syncsim
