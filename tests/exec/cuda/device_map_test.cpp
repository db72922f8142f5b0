#include "sim/exec/cuda/device_map.h"

#include <doctest/doctest.h>

#include "sim/exec/cuda/device_room.h"
#include "tests/support/graph_runs.h"
#include "tests/support/refusal.h"
#include "tests/support/schedules.h"

namespace syncsim::testing::device_map_test {
namespace {

using Places = std::vector<std::uint32_t>;

Schedule of_ranks(int ranks, bool cpu = false) {
  HandMade made(collective_of(CollectiveKind::allreduce, ranks, 64), 1);
  if (cpu) made.helper("cpu0");
  return made.build();
}

}  // namespace

TEST_CASE("rank r is on the r mod size-th device, and helpers are in host memory") {
  const CudaFacts facts = made_up_devices(4);
  const DeviceMap all = map_devices(of_ranks(6, true), {}, facts);
  CHECK(all.devices == std::vector<int>{0, 1, 2, 3});
  CHECK(all.place_of == Places{1, 2, 3, 4, 1, 2, 0});
  const DeviceMap some = map_devices(of_ranks(5), {3, 1}, facts);
  CHECK(some.place_of == Places{1, 2, 1, 2, 1});
  CHECK(some.device(1) == 3);
  CHECK(some.ranks_on(1) == 3);
  CHECK(map_devices(of_ranks(2), {}, facts).devices ==
        std::vector<int>{0, 1});  // no more than ranks
}

TEST_CASE("devices that are not there, or named twice, are refused") {
  const auto refusal = [](int count, const std::vector<int>& asked) {
    return refusal_of([&] { map_devices(of_ranks(4), asked, made_up_devices(count)); });
  };
  CHECK(refusal(4, {0, 4}) == "--devices: there is no device 4; write some of 0 to 3");
  CHECK(refusal(4, {-1}) == "--devices: there is no device -1; write some of 0 to 3");
  CHECK(refusal(1, {1}) == "--devices: there is no device 1; write 0, the only one");
  CHECK(refusal(2, {1, 0, 1}) ==
        "--devices: device 1 is named twice; name each once: more ranks than devices share them in "
        "turn");
}

TEST_CASE("notes say who shares a device, and what is in host memory") {
  const CudaFacts facts = made_up_devices(2);
  const Schedule schedule = of_ranks(3, true);
  CHECK(notes_of(map_devices(schedule, {}, facts), schedule, facts) ==
        std::vector<std::string>{"device 0: GPU, 2 ranks that share its memory and kernels",
                                 "device 1: GPU, 1 rank",
                                 "1 helper in pinned host memory, where the CPU adds up"});
}

TEST_CASE("what does not fit into a device's memory is refused before anything is allocated") {
  const CudaFacts facts = made_up_devices(2);
  HandMade made(collective_of(CollectiveKind::broadcast, 3, 700'000'000), 1);
  made.copy(0, 1, 0);
  const Schedule schedule = made.build();
  bool asked = false;
  CHECK(refusal_of([&] {
          measure_planned(schedule, {}, facts, [&](const GraphTask&) {
            asked = true;
            return nullptr;
          });
        }) ==
        "device 0 (GPU) has 1.0 GB free; the data of 2 ranks there takes 1.4 GB; use less data, or "
        "fewer ranks a device");
  CHECK(!asked);
  CHECK(
      refusal_of([&] {
        measure_planned(schedule, {.memory = {1'000'000, "there is 1 MB"}}, facts,
                        [](const GraphTask&) { return nullptr; });
      }) ==
      "a run on GPUs needs about 2.1 GB (in host memory: what is sent there and looked at, and "
      "what is staged), there is 1 MB; use fewer ranks or less data, or allow more with --memory");
}

}  // namespace syncsim::testing::device_map_test
