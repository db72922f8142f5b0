// What runs on devices, on a fake runtime: every node within reach of its device, the sums exact,
// and everything given back, whatever fails.

#include "sim/exec/cuda/cuda_executors.h"
#include "sim/exec/cuda/graph_runner.h"
#include "tests/cuda/fake_cuda.h"
#include "tests/support/real_runs.h"
#include "tests/support/refusal.h"
#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::testing::device_test {
namespace {

Measurement measured_on(const FakeCuda& machine, const Schedule& schedule,
                        const std::vector<int>& devices = {}) {
  set_up(machine);
  return measure_planned(schedule, {.iterations = 2, .warmup = 1, .devices = devices}, cuda_facts(),
                         make_cuda_runner);
}

Schedule emitted_by(const std::string& strategy, std::string_view datatype = "float32") {
  return emitted(star_with_cpu(4, gigabytes(16)),
                 {strategy, {CollectiveKind::allreduce, 4, {8'072}, datatype}});
}

}  // namespace

TEST_CASE("on any number of devices, peers or not, sums are exact and all is given back") {
  for (const char* strategy : {"ring", "distributed", "central_cpu", "one_shot"})
    for (const int devices : {1, 2, 4})
      for (const bool peers : {true, false}) {
        INFO(strategy << ", " << devices << " devices, " << peers);
        const Schedule schedule = emitted_by(strategy);
        const Measurement run = measured_on({.devices = devices, .peers = peers}, schedule);
        CHECK(fault_of(run) == "");
        CHECK(run.times.size() == 2);
        CHECK(run.timeline.finish == run.median());
        CHECK(out_of_order(schedule, run.timeline) == "");
        CHECK(fake_cuda().fault == "");
        CHECK(fake_cuda().held == 0);
      }
}

TEST_CASE("clocks that are hours apart are one clock in the timeline") {
  HandMade made(collective_of(CollectiveKind::broadcast, 3, 64), 1);
  made.schedule.durations = {{2'000'000'000}};
  made.compute(0);
  made.copy(0, 1, 0);
  made.compute(1);
  made.copy(1, 2, 0);
  for (OpId op = 0; op < 3; ++op) made.edge(op, op + 1);
  const Measurement run = measured_on({.devices = 3}, made.build(), {2, 0, 1});
  CHECK(fault_of(run) == "");
  const Timeline& timeline = run.timeline;
  CHECK(timeline.finish.ps >= 4'000'000'000);
  // Two equal computes fill nearly all of it, in equal parts; this machine may be busy.
  const double whole = seconds(timeline.finish);
  for (const OpId compute : {0u, 2u})
    CHECK(seconds(timeline.ops[compute].finish - timeline.ops[compute].start) > whole / 20);
}

TEST_CASE("whatever call fails, the machine's refusal is told and nothing is left behind") {
  const Schedule schedule = emitted_by("central_cpu");
  measured_on({.devices = 2}, schedule);
  const int calls = fake_cuda().calls;
  CHECK(calls > 100);
  for (int call = 1; call <= calls; ++call) {
    const std::string refusal =
        refusal_of([&] { measured_on({.devices = 2, .failing_call = call}, schedule); });
    CHECK_MESSAGE(refusal.ends_with(": it failed; use less data, or fewer ranks a device"), call);
    CHECK_MESSAGE(fake_cuda().held == 0, call);
  }
}

TEST_CASE("no driver, no device, no room: what is missing and what to do") {
  const Schedule schedule = emitted_by("ring");
  const Topology machine(star(1));
  const auto refusal = [&](const FakeCuda& fake) {
    set_up(fake);
    return refusal_of([&] { measure_on_cuda(schedule, machine, {}); });
  };
  CHECK(refusal({.has_driver = false}) ==
        "--executor: there is no NVIDIA driver here; run this on a machine with a GPU and its "
        "driver");
  CHECK(refusal({.devices = 0}) ==
        "--executor: there is no CUDA device here; run this on a machine with a GPU; "
        "CUDA_VISIBLE_DEVICES may hide it");
  CHECK(refusal({.free = 10'000}) ==
        "device 0 (Fake) has 10 kB free; the data of 4 ranks there takes 33 kB; use less data, or "
        "fewer ranks a device");
}

TEST_CASE("the facts of devices are what the runtime says") {
  set_up({.devices = 2, .peers = false});
  const CudaFacts facts = cuda_facts();
  REQUIRE(facts.devices.size() == 2);
  CHECK(facts.devices[1].name == "Fake");
  CHECK(facts.devices[1].capability == 90);
  CHECK(facts.devices[1].pci == "FFFF:01:00.0");
  CHECK(facts.devices[1].numa == -1);
  CHECK(facts.devices[1].reaches == std::vector<bool>{false, true});
  CHECK(facts.devices[1].bandwidth.bytes_per_second == doctest::Approx(3.352e12).epsilon(1e-3));
}

}  // namespace syncsim::testing::device_test
