// Every strategy of the registry as a plan: written and read it is the same, and takes the same
// time, to the picosecond.

#include <doctest/doctest.h>

#include <cstring>
#include <sstream>
#include <string>

#include "sim/schedule/check.h"
#include "sim/schedule/msccl_xml.h"
#include "sim/schedule/schedule_json.h"
#include "tests/support/refusal.h"
#include "tests/support/runs.h"

namespace syncsim::plans_test {
namespace {

using namespace testing;

template <class Act>
void each_schedule(const Topology& machine, Bytes bytes, Act&& act) {
  const int ranks = static_cast<int>(machine.ranks().size());
  for (const Strategy& strategy : strategies().rows()) {
    for (const CollectiveKind kind : strategy.collectives) {
      const Collective collective{kind, ranks, bytes, "float32", 0};
      CAPTURE(strategy.name);
      CAPTURE(to_string(kind));
      Schedule schedule;
      const std::string refusal = refusal_of([&] {
        schedule = emitted(machine, {std::string(strategy.name), collective});
      });
      if (refusal == "accepted") act(schedule, collective);
    }
  }
}

std::string as_json(const Schedule& schedule) {
  std::ostringstream text;
  write_schedule(schedule, text);
  return text.str();
}

TEST_CASE("every strategy's schedule is read from JSON as it was written") {
  for (const Topology& machine :
       {shelf_machine("pcie_4gpu"), slow_star(3, gigabytes(8), {5}, {7}), with_abilities(star(3))})
    each_schedule(machine, {40'004}, [](const Schedule& schedule, const Collective&) {
      const std::string text = as_json(schedule);
      const Schedule again = read_schedule(text, "p.json");
      CHECK(as_json(again) == text);
      REQUIRE(again.ops.size() == schedule.ops.size());
      CHECK(std::memcmp(again.ops.data(), schedule.ops.data(), schedule.ops.size() * sizeof(Op)) ==
            0);
    });
}

// "same", or what is different; "" where MSCCL cannot express it.
std::string msccl_verdict(const Schedule& schedule, const Collective& collective,
                          const Topology& machine) {
  std::ostringstream text;
  const std::string refusal = refusal_of([&] { write_msccl(schedule, "test", text); });
  if (refusal != "accepted") return "";
  MscclPlan plan =
      read_msccl(text.str(), "p.xml", {collective.kind, collective.bytes, collective.datatype, 0});
  if (plan.violation) return plan.violation->message;
  if (const auto violation = check(plan.schedule)) return violation->message;
  plan.schedule.participants = schedule.participants;
  const ExecutionOptions options{.overhead = Time{1'000'000}};
  const std::int64_t before = simulated(schedule, machine, options).finish.ps;
  const std::int64_t after = simulated(plan.schedule, machine, options).finish.ps;
  if (before == after) return "same";
  const bool takes_turns = text.str().find("type=\"re\"") != std::string::npos;
  if (takes_turns && after < before + before / 50) return "same but for turns";
  return std::to_string(before) + " ps became " + std::to_string(after);
}

// In MSCCL, those that would add to one chunk at once take turns.
TEST_CASE("every strategy's schedule that MSCCL can express takes as long when read from XML") {
  int same = 0;
  int expressed = 0;
  for (const char* name : {"pcie_4gpu", "mi250"}) {
    const Topology machine = shelf_machine(name);
    each_schedule(machine, {13'440'000},
                  [&](const Schedule& schedule, const Collective& collective) {
                    const std::string verdict = msccl_verdict(schedule, collective, machine);
                    if (verdict.empty()) return;
                    CHECK(verdict.starts_with("same"));
                    if (verdict == "same") ++same;
                    ++expressed;
                  });
  }
  CHECK(expressed >= 80);
  CHECK(same >= expressed - 4);
}

TEST_CASE("a name in MSCCL XML is what XML may hold") {
  const Schedule schedule =
      emitted(shelf_machine("pcie_4gpu"), {"ring", {CollectiveKind::allreduce, 4, {1'600}}});
  std::ostringstream text;
  write_msccl(schedule, "plan:<\xff\xef\xbf\xbf>.xml", text);
  CHECK(text.str().starts_with(R"(<algo name="plan:&#60;\xff\xef\xbf\xbf&#62;.xml" )"));
}

std::string refusal(const Topology& machine, const Task& task) {
  std::ostringstream text;
  return refusal_of([&] { write_msccl(emitted(machine, task), "test", text); });
}

TEST_CASE("what MSCCL cannot express is refused with the reason") {
  const Topology machine = shelf_machine("pcie_4gpu");
  const Collective allreduce{CollectiveKind::allreduce, 4, {1'600}, "float32", 0};
  CHECK(
      refusal(machine, {"central_cpu", allreduce}) ==
      "MSCCL cannot express this: cpu0 helps, which is no rank; choose another strategy, or write "
      ".json");
  Collective uneven = allreduce;
  uneven.bytes = {1'600'004};
  CHECK(refusal(machine, {"ring", uneven}) ==
        "the chunks are not alike: in units of 4 B the buffers have 400001; give bytes and "
        "parameters that divide evenly: MSCCL has equal chunks, at most 32767 of them; or write "
        ".json");
  Collective gather = allreduce;
  gather.kind = CollectiveKind::gather;
  CHECK(refusal(machine, {"distributed", gather}) ==
        "MSCCL has no gather; it has allreduce, allgather, reduce_scatter, alltoall, broadcast and "
        "reduce; write .json");
  CHECK(refusal(with_abilities(star(4)), {"in_network", allreduce}) ==
        "MSCCL cannot express this: switches that add up or multiply; choose another strategy, or "
        "write .json");
  Collective nothing = allreduce;
  nothing.bytes = {0};
  CHECK(refusal(machine, {"ring", nothing}) == "there is nothing to move; give some bytes");
}

}  // namespace
}  // namespace syncsim::plans_test
