#include "sim/exec/cuda/nccl_call.h"

#include "tests/support/graph_runs.h"
#include "tests/support/real_runs.h"
#include "tests/support/refusal.h"
#include "tests/support/schedules.h"

namespace syncsim::testing::nccl_call_test {
namespace {

Schedule of(CollectiveKind kind, std::int64_t bytes = 64, int ranks = 4) {
  return HandMade({kind, ranks, {bytes}, "float32"}, 1).build();
}

NcclCall call_of(const Schedule& schedule, int devices = 4) {
  const CudaFacts facts = made_up_devices(devices);
  const RunData data(schedule);
  const DeviceMap map = map_devices(schedule, {}, facts);
  return nccl_call(schedule, BufferExtents(schedule, data, map.place_of), map);
}

}  // namespace

TEST_CASE("NCCL is called in place, with the counts that its functions take") {
  const NcclCall all = call_of(of(CollectiveKind::allreduce));
  CHECK(all.count == 16);
  CHECK(all.datatype == 7);
  CHECK(all.ranks[3].send == GraphPlace{4, 0});
  CHECK(all.ranks[3].receive == GraphPlace{4, 0});
  const NcclCall scatter = call_of(of(CollectiveKind::reduce_scatter));
  CHECK(scatter.count == 4);
  CHECK(scatter.ranks[3].send == GraphPlace{4, 0});
  CHECK(scatter.ranks[3].receive == GraphPlace{4, 48});
  const NcclCall gather = call_of(of(CollectiveKind::all_gather));
  CHECK(gather.count == 4);
  CHECK(gather.ranks[2].send == GraphPlace{3, 32});
  CHECK(gather.ranks[2].receive == GraphPlace{3, 0});
}

TEST_CASE("what NCCL does not do is refused") {
  const auto refusal = [](const Schedule& schedule, int devices = 4) {
    return refusal_of([&] { call_of(schedule, devices); });
  };
  CHECK(refusal(of(CollectiveKind::allreduce), 2) ==
        "--executor: NCCL wants a device for each rank: 4 ranks share 2 devices; use fewer ranks, "
        "or --executor cuda");
  CHECK(refusal(of(CollectiveKind::gather)) ==
        "--executor: NCCL has no function for gather; run it by --executor cuda");
  CHECK(refusal(of(CollectiveKind::all_gather, 72)) ==
        "NCCL's all-gather takes blocks of one size, and 18 elements make none for 4 ranks; choose "
        "a size that the ranks divide");
  HandMade step(collective_of(CollectiveKind::allreduce, 4, 64), 1);
  step.compute(0);
  CHECK(refusal(step.build()) ==
        "--executor: NCCL is there for one collective, not for training steps; run these by "
        "--executor cuda");
}

TEST_CASE("the collective's data is looked at, and its timeline is of no ops") {
  struct Idle : PlaceRunner {  // leaves what was set
    void set(const GraphPlace& at, const std::byte* from, std::uint64_t bytes) override {
      kept.resize(std::max(kept.size(), at.place + std::size_t{1}));
      kept[at.place].assign(from, from + bytes);
    }
    void get(const GraphPlace& at, std::byte* to, std::uint64_t bytes) override {
      std::copy_n(kept[at.place].data(), bytes, to);
    }
    Time run() override { return {7'000}; }
    std::vector<std::vector<std::byte>> kept;
  };
  const auto measure = [](const Schedule& schedule) {
    return measure_collective(schedule, {.iterations = 3}, made_up_devices(4),
                              [](const NcclTask&) { return std::make_unique<Idle>(); });
  };
  const Measurement wrong = measure(of(CollectiveKind::allreduce));
  REQUIRE(wrong.wrong);
  CHECK(wrong.times.size() == 1);
  const Measurement one = measure(of(CollectiveKind::allreduce, 64, 1));  // its own sum already
  CHECK(fault_of(one) == "");
  CHECK(one.times.size() == 3);
  CHECK(one.timeline.finish == Time{7'000});
  CHECK(one.timeline.ops.empty());
}

}  // namespace syncsim::testing::nccl_call_test
