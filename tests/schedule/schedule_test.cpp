#include "sim/schedule/schedule.h"

#include <doctest/doctest.h>

namespace syncsim::schedule_test {
namespace {

// Two ranks, a helper, and one op of every kind.
Schedule one_of_each() {
  Schedule schedule;
  schedule.ranks = 2;
  schedule.participants = {"gpu0", "gpu1", "cpu0"};
  schedule.buffers = {{"data", {0, 4, 8, 12, 16, 20}, false}, {"recv", {0, 8}, false}};
  schedule.channels.resize(2);
  schedule.durations = {{3'000'000}};
  schedule.phases = {"", "reduce"};
  const auto add = [&](const Op& op) { schedule.ops.push_back(op); };
  add({.source = 0,
       .destination = 1,
       .source_chunk = 3,
       .destination_chunk = 3,
       .chunk_count = 2,
       .kind = OpKind::reduce,
       .phase = 1});
  add({.source = 1,
       .destination = 2,
       .source_chunk = 1,
       .destination_chunk = 0,
       .chunk_count = 1,
       .successors = 2,
       .channel = 1,
       .destination_buffer = 1,
       .phase = 1});
  add({.source = 2, .destination = 0, .successors = 3, .phase = 1});
  add({.source = 1, .destination = 1, .successors = 3, .kind = OpKind::compute});
  add({.source = 1, .destination = 1, .successors = 3, .kind = OpKind::join, .phase = 1});
  schedule.edges = {1, 4, 2};
  return schedule;
}

}  // namespace

TEST_CASE("an op is described by kind, chunks, ends, channel and phase") {
  const Schedule schedule = one_of_each();
  CHECK(describe(schedule, 0) ==
        "op 0: reduce of data chunks 3-4 from rank 0 (gpu0) to rank 1 (gpu1), channel 0, "
        "phase reduce");
  CHECK(describe(schedule, 1) ==
        "op 1: copy of data chunk 1 from rank 1 (gpu1) into recv chunk 0 of helper 2 (cpu0), "
        "channel 1, phase reduce");
  CHECK(describe(schedule, 2) ==
        "op 2: signal from helper 2 (cpu0) to rank 0 (gpu0), channel 0, phase reduce");
  CHECK(describe(schedule, 3) == "op 3: compute of 3 us at rank 1 (gpu1), channel 0");
  CHECK(describe(schedule, 4) == "op 4: join at rank 1 (gpu1), phase reduce");
}

TEST_CASE("an op with indices that do not exist is described by its numbers") {
  Schedule schedule = one_of_each();
  schedule.ops = {{.source = 7,
                   .destination = 1,
                   .source_chunk = 0xffffffff,
                   .chunk_count = 2,
                   .source_buffer = 9,
                   .phase = 5},
                  {.source_chunk = 4, .kind = OpKind::compute}};
  CHECK(describe(schedule, 0) ==
        "op 0: copy of buffer 9 chunks 4294967295-4294967296 from participant 7 into data chunks "
        "0-1 of rank 1 (gpu1), channel 0, phase 5");
  CHECK(describe(schedule, 1) == "op 1: compute of duration 4 at rank 0 (gpu0), channel 0");
  CHECK(describe(schedule, 99) == "op 99");
}

TEST_CASE("an op's successors end where the next op's begin") {
  const Schedule schedule = one_of_each();
  const auto successors = [&](OpId op) {
    const auto found = schedule.successors(op);
    return std::vector<OpId>(found.begin(), found.end());
  };
  CHECK(successors(0) == std::vector<OpId>{1, 4});
  CHECK(successors(1) == std::vector<OpId>{2});
  CHECK(successors(2).empty());
  CHECK(successors(4).empty());
}

TEST_CASE("only copies and reduces of chunks carry bytes") {
  const Schedule schedule = one_of_each();
  CHECK(schedule.bytes(schedule.ops[0]) == Bytes{8});
  CHECK(schedule.bytes(schedule.ops[1]) == Bytes{4});
  for (const OpId op : {2u, 3u, 4u}) {
    CHECK_FALSE(schedule.moves_data(schedule.ops[op]));
    CHECK(schedule.bytes(schedule.ops[op]) == Bytes{0});
  }
}

}  // namespace syncsim::schedule_test
