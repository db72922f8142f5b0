#include "sim/schedule/builder.h"

#include <doctest/doctest.h>

#include <cstring>

#include "tests/schedule/schedule_text.h"

namespace syncsim::builder_test {
namespace {

// A ring allreduce, written as in a textbook: part r travels from rank to rank and collects the sum
// (n - 1 steps), then travels on as the result (n - 1 steps).
void emit_ring(ScheduleBuilder& builder) {
  const int n = builder.ranks();
  const std::vector<Slice> parts = builder.split(builder.data(), n);
  const auto part = [&](int index) { return parts[static_cast<std::size_t>((index + 2 * n) % n)]; };
  const auto id = [](int rank) { return static_cast<ParticipantId>(rank); };
  builder.phase("reduce");
  for (int step = 0; step < n - 1; ++step)
    for (int rank = 0; rank < n; ++rank)
      builder.reduce(id(rank), id((rank + 1) % n), part(rank - step));
  builder.phase("gather");
  for (int step = 0; step < n - 1; ++step)
    for (int rank = 0; rank < n; ++rank)
      builder.copy(id(rank), id((rank + 1) % n), part(rank + 1 - step));
}

bool same_bytes(std::span<const Op> a, std::span<const Op> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Op)) == 0;
}

}  // namespace

TEST_CASE("two ranks exchange halves: what was sent is overwritten only after the send") {
  // Each rank's own half was read by the reduce that left it; the copy back waits for that and for
  // the sum, which is the same op.
  const Schedule schedule = build(allreduce(2, 8), emit_ring);
  CHECK(lines(schedule) == Lines{"reduce 0>1 data 0 -> 3", "reduce 1>0 data 1 -> 2",
                                 "copy 0>1 data 1", "copy 1>0 data 0"});
  CHECK(schedule.buffers[0].boundaries == Boundaries{0, 4, 8});
}

TEST_CASE("a ring on three ranks has the ops and edges that one derives by hand") {
  CHECK(lines(build(allreduce(3, 12), emit_ring)) ==
        Lines{"reduce 0>1 data 0 -> 4 8", "reduce 1>2 data 1 -> 5 6", "reduce 2>0 data 2 -> 3 7",
              "reduce 0>1 data 2 -> 7 11", "reduce 1>2 data 0 -> 8 9", "reduce 2>0 data 1 -> 6 10",
              "copy 0>1 data 1 -> 10", "copy 1>2 data 2 -> 11", "copy 2>0 data 0 -> 9",
              "copy 0>1 data 0", "copy 1>2 data 1", "copy 2>0 data 2"});
}

TEST_CASE("how many ops a strategy expects changes nothing in its schedule") {
  const Schedule right = build(allreduce(3, 12), emit_ring);
  for (const std::size_t ops : {std::size_t{0}, std::size_t{1}, std::size_t{1000}}) {
    const Schedule schedule = build(allreduce(3, 12), [&](ScheduleBuilder& builder) {
      builder.expect(ops);
      emit_ring(builder);
    });
    CHECK(same_bytes(schedule.ops, right.ops));
    CHECK(schedule.edges == right.edges);
  }
}

TEST_CASE("a schedule names its participants, buffers, channels, phases and collective") {
  const Schedule schedule = build(allreduce(3, 12), emit_ring);
  CHECK(schedule.ranks == 3);
  CHECK(schedule.participants == std::vector<std::string>{"gpu0", "gpu1", "gpu2"});
  REQUIRE(schedule.buffers.size() == 1);
  CHECK(schedule.buffers[0].name == "data");
  CHECK(schedule.buffers[0].boundaries == Boundaries{0, 4, 8, 12});
  CHECK(schedule.channels.size() == 1);
  CHECK(schedule.phases == std::vector<std::string>{"reduce", "gather"});
  CHECK(schedule.ops[5].phase == 0);
  CHECK(schedule.ops[6].phase == 1);
  REQUIRE(schedule.collectives.size() == 1);
  const PlacedCollective& placed = schedule.collectives[0];
  CHECK(placed.collective.bytes == Bytes{12});
  CHECK(placed.collective.ranks == 3);
  CHECK(placed.buffer == 0);
  CHECK(placed.first_chunk == 0);
  CHECK(placed.chunk_count == 3);
}

TEST_CASE("the same calls give the same schedule, byte for byte") {
  const Schedule one = build(allreduce(16, 1000), emit_ring);
  const Schedule two = build(allreduce(16, 1000), emit_ring);
  CHECK(one.ops.size() == 2 * 15 * 16);
  CHECK(same_bytes(one.ops, two.ops));
  CHECK(one.edges == two.edges);
  CHECK(one.buffers[0].boundaries == two.buffers[0].boundaries);
}

TEST_CASE("edges lead forward and ascend within an op") {
  const Schedule schedule = build(allreduce(16, 1000), emit_ring);
  for (OpId id = 0; id < schedule.ops.size(); ++id) {
    const auto successors = schedule.successors(id);
    CHECK(std::is_sorted(successors.begin(), successors.end()));
    for (const OpId successor : successors) CHECK(successor > id);
  }
}

TEST_CASE("transfers between different chunks name the chunks at both ends") {
  const Schedule schedule = build(allreduce(2, 8), [](ScheduleBuilder& builder) {
    const Slice scratch = builder.scratch("recv", {4});
    const Slice half = builder.split(builder.data(), 2)[1];
    builder.copy(0, half, 1, scratch);
    builder.reduce(1, scratch, 1, half);
  });
  CHECK(lines(schedule) ==
        Lines{"copy 0>1 data 1 into recv 0 -> 1", "reduce 1>1 recv 0 into data 1"});
  CHECK(schedule.buffers[1].name == "recv");
  CHECK(schedule.buffers[1].boundaries == Boundaries{0, 4});
}

TEST_CASE("helpers follow the ranks, one for each node") {
  const Schedule schedule = build(allreduce(2, 8), [](ScheduleBuilder& builder) {
    CHECK(builder.helper("cpu0") == 2);
    CHECK(builder.helper("cpu1") == 3);
    CHECK(builder.helper("cpu0") == 2);
    CHECK(builder.node_of(3) == "cpu1");
    CHECK(builder.node_of(1) == "gpu1");
    builder.reduce(0, 3, builder.data());
  });
  CHECK(schedule.participants == std::vector<std::string>{"gpu0", "gpu1", "cpu0", "cpu1"});
  CHECK(schedule.ranks == 2);
  CHECK(lines(schedule) == Lines{"reduce 0>3 data 0"});
}

TEST_CASE("compute ops take a lane of their participant and share equal durations") {
  const Schedule schedule = build(allreduce(2, 8), [](ScheduleBuilder& builder) {
    builder.compute(0, {300});
    builder.compute(1, {500}, 2);
    builder.compute(1, {300});
  });
  CHECK(lines(schedule) == Lines{"compute 0>0", "compute 1>1 ch2", "compute 1>1"});
  CHECK(schedule.durations == std::vector<Time>{{300}, {500}});
  CHECK(schedule.ops[0].source_chunk == 0);
  CHECK(schedule.ops[1].source_chunk == 1);
  CHECK(schedule.ops[2].source_chunk == 0);
}

TEST_CASE("explicit edges are kept once, sorted among the derived ones") {
  const Schedule schedule = build(allreduce(3, 3), [](ScheduleBuilder& builder) {
    const OpId reduce = builder.reduce(0, 1, builder.data());
    const OpId compute = builder.compute(1, {100});
    const OpId copy = builder.copy(1, 2, builder.data());
    builder.edge(compute, copy);
    builder.edge(reduce, copy);
    builder.edge(reduce, compute);
  });
  CHECK(lines(schedule) ==
        Lines{"reduce 0>1 data 0 -> 1 2", "compute 1>1 -> 2", "copy 1>2 data 0"});
}

TEST_CASE("channels hold the properties that they are given") {
  const Schedule schedule = build(allreduce(2, 8), [](ScheduleBuilder& builder) {
    builder.channel(2, {.weight = 0.5, .maximum_rate = 1e9});
    builder.reduce(0, 1, builder.data(), 3);
  });
  REQUIRE(schedule.channels.size() == 4);
  CHECK(schedule.channels[2].weight == 0.5);
  CHECK(schedule.channels[2].maximum_rate == 1e9);
  CHECK(schedule.channels[3].weight == 1);
  CHECK(schedule.channels[3].maximum_rate == 0);
}

TEST_CASE("a phase without ops is not listed, and one that comes back is the same") {
  const Schedule schedule = build(allreduce(2, 8), [](ScheduleBuilder& builder) {
    builder.signal(0, 1);
    builder.phase("empty");
    builder.phase("reduce");
    builder.signal(0, 1);
    builder.phase("");
    builder.signal(0, 1);
  });
  CHECK(schedule.phases == std::vector<std::string>{"", "reduce"});
  CHECK(schedule.ops[0].phase == 0);
  CHECK(schedule.ops[1].phase == 1);
  CHECK(schedule.ops[2].phase == 0);
}

TEST_CASE("a schedule without ops has no edges, and its data is one chunk or none") {
  const Schedule some = build(allreduce(1, 8), [](ScheduleBuilder&) {});
  CHECK(some.ops.empty());
  CHECK(some.edges.empty());
  CHECK(some.collectives[0].chunk_count == 1);
  const Schedule none = build(allreduce(1, 0), [](ScheduleBuilder&) {});
  CHECK(none.buffers[0].boundaries == Boundaries{0});
  CHECK(none.collectives[0].chunk_count == 0);
}

TEST_CASE("a strategy's mistakes are internal errors that name the op's ends") {
  const auto mistake = [](auto&& emit) {
    return failure(
        [&] { build(allreduce(4, 8), [&](ScheduleBuilder& builder) { emit(builder); }); });
  };
  using Builder = ScheduleBuilder;
  CHECK(mistake([](Builder& b) { b.copy(1, 1, b.data()); }) ==
        "a transfer from data [0, 8) to data [0, 8) at participant 1 (gpu1) reads what it writes");
  CHECK(mistake([](Builder& b) {
          b.reduce(1, {0, 0, 4}, 1, {0, 2, 6});
        }) ==
        "a transfer from data [0, 4) to data [2, 6) at participant 1 (gpu1) reads what it writes");
  CHECK(mistake([](Builder& b) {
          b.copy(1, 1, {0, 4, 4});
        }) ==
        "a transfer from data [4, 4) to data [4, 4) at participant 1 (gpu1) reads what it writes");
  CHECK(mistake([](Builder& b) {
          b.copy(0, {0, 0, 4}, 1, {0, 0, 8});
        }) == "a transfer from data [0, 4) to data [0, 8), which differ in size");
  CHECK(mistake([](Builder& b) {
          b.copy(0, 1, {0, 4, 12});
        }) == "slice data [4, 12) is not inside data of 8 B");
  CHECK(mistake([](Builder& b) {
          b.copy(0, 1, {0, 4, 2});
        }) == "slice data [4, 2) is not inside data of 8 B");
  CHECK(mistake([](Builder& b) {
          b.copy(0, 1, {7, 0, 2});
        }) == "a slice of a buffer that does not exist");
  CHECK(mistake([](Builder& b) { b.copy(0, 4, b.data()); }) == "participant 4 does not exist");
  CHECK(mistake([](Builder& b) { b.signal(2, 2); }) ==
        "a signal from participant 2 (gpu2) to itself");
  CHECK(mistake([](Builder& b) { b.compute(0, {-1}); }) == "a compute op of negative duration");
  CHECK(mistake([](Builder& b) { b.part(4); }) ==
        "the part of a rank that the scope does not have");
  CHECK(mistake([](Builder& b) { b.channel(0, {.weight = 0}); }) ==
        "a channel's weight is finite and above 0");
  CHECK(mistake([](Builder& b) { b.channel(0, {.maximum_rate = -1}); }) ==
        "a channel's maximum rate is finite and not negative");
  CHECK(mistake([](Builder& b) { b.scratch("recv", {-1}); }) == "buffer recv of -1 B");
}

TEST_CASE("an explicit edge leads forward between ops that share a participant") {
  const auto mistake = [](OpId before, OpId after) {
    return failure([&] {
      build(allreduce(4, 8), [&](ScheduleBuilder& builder) {
        builder.signal(0, 1);
        builder.signal(2, 3);
        builder.edge(before, after);
      });
    });
  };
  CHECK(mistake(0, 2) == "an edge from op 0 to op 2, which is not emitted yet");
  CHECK(mistake(1, 0) == "an edge from op 1 to op 0 leads backward");
  CHECK(mistake(1, 1) == "an edge from op 1 to op 1 leads backward");
  CHECK(mistake(0, 1) == "an edge from op 0 to op 1 joins no participant with itself");
}

TEST_CASE("a schedule has at most 255 buffers, 65,535 phases and 65,535 channels") {
  const auto limit = [](auto&& emit) {
    return failure(
        [&] { build(allreduce(2, 8), [&](ScheduleBuilder& builder) { emit(builder); }); });
  };
  const auto scratches = [](int count) {
    return [count](ScheduleBuilder& b) {
      for (int i = 0; i < count; ++i) b.scratch("recv", {8});
    };
  };
  CHECK(limit(scratches(254)) == "");
  CHECK(limit(scratches(255)) == "a schedule of more than 255 buffers");
  const auto phases = [](int count) {
    return [count](ScheduleBuilder& b) {
      for (int i = 0; i < count; ++i) {
        b.phase(std::to_string(i));
        b.signal(0, 1);
      }
    };
  };
  CHECK(limit(phases(65'535)) == "");
  CHECK(limit(phases(65'536)) == "a schedule of more than 65535 phases");
  CHECK(limit([](ScheduleBuilder& b) { b.signal(0, 1, 65'534); }) == "");
  CHECK(limit([](ScheduleBuilder& b) { b.signal(0, 1, 65'535); }) ==
        "channel 65535 is above the last, 65534");
}

TEST_CASE("every rank of the collective needs a node") {
  CHECK(failure([] { build_schedule(allreduce(3, 8), gpus(2), [](ScheduleBuilder&) {}); }) ==
        "a schedule needs one node for every rank of its collective");
}

TEST_CASE("nics belong to a participant on a channel, in the numbers of the whole schedule") {
  const Schedule schedule = build(allreduce(4, 8), [](ScheduleBuilder& builder) {
    builder.nics(1, 3, {"out3", "in3"});
    builder.scope({.ranks = {2, 1}, .channel_base = 1}, [&] { builder.nics(0, 0, {"out2", ""}); });
    builder.reduce(0, 1, builder.data());
  });
  REQUIRE(schedule.nics.size() == 2);
  CHECK(schedule.nics[0].channel == 1);
  CHECK(schedule.nics[0].participant == 2);
  CHECK(schedule.nics[0].nics == NicNames{"out2", ""});
  CHECK(schedule.nics[1].participant == 3);
  CHECK(schedule.nics[1].nics == NicNames{"out3", "in3"});
  CHECK(schedule.channels.size() == 2);
}

}  // namespace syncsim::builder_test
