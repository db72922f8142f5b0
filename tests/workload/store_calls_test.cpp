// Calls of a store on the textbook's server of four GPUs: 16 GB/s, 10 ms for 160 MB.

#include "sim/workload/store_calls.h"

#include <doctest/doctest.h>

#include "sim/schedule/check.h"
#include "tests/support/refusal.h"
#include "tests/support/runs.h"

namespace syncsim::testing::store_calls_test {
namespace {

using enum StoreCallKind;

const std::vector<StoreKey> kKeys = {{"conv", {40'000'000}}, {"fc", {120'000'000}}};

struct Made {
  Schedule schedule;
  double milliseconds = 0;
};

Made made(StoreType type, const std::vector<StoreCall>& calls,
          const std::vector<StoreKey>& keys = kKeys) {
  const Topology machine = shelf_machine("pcie_4gpu");
  const StoreOptions options{.type = type};
  const Strategy& ring = strategies().at("ring");
  const Parameters parameters(ring.name, ring.parameters, {});
  Made result;
  result.schedule = plan_calls({.topology = machine,
                                .ranks = machine.ranks(),
                                .options = options,
                                .keys = keys,
                                .calls = calls,
                                .strategy = &ring,
                                .parameters = &parameters});
  const auto violation = check(result.schedule);
  CHECK_MESSAGE(!violation, violation->message);
  result.milliseconds = static_cast<double>(simulated(result.schedule, machine).finish.ps) / 1e9;
  return result;
}

std::string refused(const std::vector<StoreCall>& calls) {
  return refusal_of([&] { rounds_of(kKeys, calls, 4); });
}

doctest::Approx exactly(double value) { return doctest::Approx(value).epsilon(1e-9); }

}  // namespace

TEST_CASE("pushing and pulling all is the textbook's aggregation") {
  const std::vector<StoreKey> one = {{"all", {160'000'000}}};
  CHECK(made(StoreType::local, {{.key = 0}}, one).milliseconds == exactly(80));
  CHECK(made(StoreType::device, {{.key = 0}}, one).milliseconds == exactly(60));
  CHECK(made(StoreType::allreduce, {{.key = 0}}, one).milliseconds == exactly(15));
}

TEST_CASE("calls one by one are as good as pushpull, in any order of workers") {
  const auto whole = made(StoreType::local, {{pushpull, 0}, {pushpull, 1}});
  const auto single = made(StoreType::local, {{push, 0, {3, 1}},
                                              {push, 0, {0, 2}},
                                              {pull, 0, {2, 3, 0, 1}},
                                              {push, 1, {0, 1, 2, 3}},
                                              {pull, 1, {0, 1, 2, 3}}});
  CHECK(single.milliseconds == whole.milliseconds);
  CHECK(single.schedule.collectives.size() == 2);
}

TEST_CASE("every init and round is a collective of its own part of the data") {
  const auto steps =
      made(StoreType::device, {{init, 1}, {pushpull, 1}, {init, 0}, {pushpull, 1}, {pushpull, 0}});
  const auto& collectives = steps.schedule.collectives;
  REQUIRE(collectives.size() == 5);
  CHECK(collectives[0].collective.kind == CollectiveKind::broadcast);
  CHECK(collectives[1].collective.kind == CollectiveKind::allreduce);
  CHECK(collectives[1].collective.bytes == Bytes{120'000'000});
  CHECK(collectives[4].collective.bytes == Bytes{40'000'000});
  std::int64_t bytes = 0;
  for (const PlacedCollective& placed : collectives) bytes += placed.collective.bytes.count;
  CHECK(bytes == steps.schedule.buffers[0].boundaries.back());
}

TEST_CASE("a round of a key begins at each worker with what it has of the one before") {
  const std::vector<StoreKey> one = {{"all", {160'000'000}}};
  CHECK(made(StoreType::local, {{pushpull, 0}, {pushpull, 0}}, one).milliseconds == exactly(160));
  // Rounds of two keys: the second's pushes fill the pulls of the first.
  CHECK(made(StoreType::local, {{pushpull, 0}, {pushpull, 1}}).milliseconds == exactly(70));
  // 30 ms to hand worker 0's value out by way of the CPU, at 16 GB/s: 10 in, 30 to the others.
  CHECK(made(StoreType::local, {{init, 0}, {pushpull, 0}}, one).milliseconds > 100);
}

TEST_CASE("notes say where the keys are, and phases which call it was") {
  const Schedule schedule = made(StoreType::device, {{pushpull, 0}, {pushpull, 1}}).schedule;
  CHECK(schedule.notes == std::vector<std::string>{"keys on gpu0: 120 MB", "keys on gpu1: 40 MB"});
  CHECK(schedule.phases == std::vector<std::string>{"pushpull conv", "pushpull fc"});
  const std::vector<int> all = {0, 1, 2, 3};
  CHECK(made(StoreType::local, {{init, 0}, {push, 0, all}, {pull, 0, all}}).schedule.phases ==
        std::vector<std::string>{"init conv", "push conv", "pull conv"});
}

TEST_CASE("calls that do not go together are refused") {
  CHECK(refused({{push, 0, {4}, "here"}}) ==
        "here: worker 4 is not in the run; name workers of the run, 0 to 3");
  CHECK(refused({{push, 0, {1, 1}, "here"}}) == "here: worker 1 is named twice; name it once");
  CHECK(refused({{push, 0, {1}}, {push, 0, {1}, "here"}}) ==
        "here: worker 1 pushes \"conv\" twice; pull it in between");
  CHECK(refused({{push, 0, {0, 1, 2, 3}}, {pull, 0, {0}}, {push, 0, {0}, "here"}}) ==
        "here: worker 0 pushes \"conv\", which worker 1 has not pulled; let every worker pull it "
        "before");
  CHECK(refused({{push, 0, {0}}, {init, 0, {}, "here"}}) ==
        "here: worker 0 sets \"conv\", which worker 0 has not pulled; let every worker pull it "
        "before");
  CHECK(refused({{push, 1, {0, 1, 3}}, {pull, 1, {0}, "here"}}) ==
        "here: worker 0 pulls \"fc\", which worker 2 has not pushed; let every worker push it "
        "before");
  CHECK(refused({{pull, 1, {0}, "here"}}) ==
        "here: worker 0 pulls \"fc\", which worker 0 has not pushed; let every worker push it "
        "before");
  CHECK(refused({{push, 0, {0, 1, 2, 3}}, {pull, 0, {0, 1, 3}, "here"}}) ==
        "here: worker 2 never pulls \"conv\" after this; let every worker push and pull it");
  CHECK(refused({{push, 0, {0, 1}, "here"}}) ==
        "here: worker 0 never pulls \"conv\" after this; let every worker push and pull it");
}

}  // namespace syncsim::testing::store_calls_test
