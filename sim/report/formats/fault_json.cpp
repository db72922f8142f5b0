#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/report/formats/fault.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;

Json checkpoints_json(const Checkpoints& checkpoints) {
  return {{"every", checkpoints.every},
          {"write_us", microseconds(checkpoints.write)},
          {"read_us", microseconds(checkpoints.read)}};
}

}  // namespace

Json time_json(const std::optional<Time>& time) {
  return time ? Json(microseconds(*time)) : Json(nullptr);
}

Json fault_json(const StepReport& step) {
  if (!step.fault) return nullptr;
  const FaultReport& fault = *step.fault;
  const FaultTimes& times = fault.times;
  return {{"what", fault.what},
          {"step", fault.step},
          {"at_us", microseconds(fault.at)},
          {"recovery", fault.recovery},
          {"stalls", fault.stalls},
          {"stands_us", fault.stalls ? Json(microseconds(fault.stands)) : Json(nullptr)},
          {"reason", fault.reason},
          {"first_waiting", fault.first},
          {"checkpoints", checkpoints_json(fault.checkpoints)},
          {"fault_us", microseconds(times.fault)},
          {"noticed_us", time_json(times.noticed)},
          {"resumed_us", time_json(times.resumed)},
          {"caught_up_us", time_json(times.caught_up)},
          {"lost_us", time_json(times.lost)},
          {"in_hand", times.in_hand},
          {"goes_on_at", times.goes_on_at},
          {"steps_again", times.again()},
          {"step_before_us", microseconds(fault.before)},
          {"step_after_us", time_json(fault.after)},
          {"samples_per_second_after", twelve_digits(fault.samples_per_second_after)}};
}

Json goodput_json(const StepReport& step) {
  if (!step.goodput) return nullptr;
  const GoodputReport& report = *step.goodput;
  return {{"goodput", twelve_digits(report.goodput.mean)},
          {"half_width", twelve_digits(report.goodput.half_width)},
          {"failures", twelve_digits(report.goodput.failures)},
          {"samples_per_second", twelve_digits(report.samples_per_second)},
          {"mtbf_s", twelve_digits(report.mtbf)},
          {"of", report.of},
          {"parts", report.parts},
          {"horizon_s", twelve_digits(seconds(report.horizon))},
          {"replicas", report.replicas},
          {"checkpoints", checkpoints_json(report.checkpoints)},
          {"young_every", twelve_digits(report.young_every)}};
}

}  // namespace syncsim
