#include <doctest/doctest.h>

#include "sim/schedule/builder.h"
#include "tests/schedule/schedule_text.h"

namespace syncsim::scope_test {

TEST_CASE("a scope numbers its ranks from 0 and keeps helpers") {
  const Schedule schedule = build(allreduce(4, 8), [](ScheduleBuilder& b) {
    const ParticipantId server = b.helper("cpu0");
    b.scope({.ranks = {3, 1}}, [&] {
      CHECK(b.ranks() == 2);
      CHECK(b.node_of(0) == "gpu3");
      CHECK(b.node_of(1) == "gpu1");
      CHECK(b.node_of(server) == "cpu0");
      b.reduce(0, 1, b.data());
      b.reduce(1, server, b.data());
    });
    CHECK(b.ranks() == 4);
    CHECK(b.node_of(0) == "gpu0");
  });
  CHECK(lines(schedule) == Lines{"reduce 3>1 data 0 -> 1", "reduce 1>4 data 0"});
}

TEST_CASE("ranks of a nested scope are ranks of the scope around it") {
  const Schedule schedule = build(allreduce(6, 8), [](ScheduleBuilder& b) {
    b.scope({.ranks = {1, 3, 5}}, [&] {
      b.scope({.ranks = {2, 0}}, [&] { b.reduce(0, 1, b.data()); });
      b.reduce(1, 0, b.data());
    });
  });
  CHECK(lines(schedule) == Lines{"reduce 5>1 data 0", "reduce 3>1 data 0"});
}

TEST_CASE("a helper may be a rank of a scope") {
  const Schedule schedule = build(allreduce(2, 8), [](ScheduleBuilder& b) {
    const ParticipantId server = b.helper("cpu0");
    b.scope({.ranks = {server, 0}}, [&] { b.copy(0, 1, b.data()); });
  });
  CHECK(lines(schedule) == Lines{"copy 2>0 data 0"});
}

TEST_CASE("a scope's collective has the outer kind and root with the scope's ranks and bytes") {
  const Collective outer{CollectiveKind::broadcast, 4, {80}, "float32", 3};
  build(outer, [](ScheduleBuilder& b) {
    b.scope({.ranks = {1, 3}, .data = Slice{0, 40, 60}}, [&] {
      CHECK(b.collective().kind == CollectiveKind::broadcast);
      CHECK(b.collective().ranks == 2);
      CHECK(b.collective().bytes == Bytes{20});
      CHECK(b.collective().root == 1);
      CHECK(b.data().begin == 40);
      CHECK(b.data().end == 60);
      CHECK(b.part(1).begin == 48);  // 5 elements: floor(5 x 1 / 2) = 2
      CHECK(b.part(1).end == 60);
    });
    CHECK(b.collective().root == 3);
    CHECK(b.data().size() == 80);
  });
}

TEST_CASE("a scope may have a collective of its own, which fits its ranks and data") {
  const Collective inner{CollectiveKind::reduce_scatter, 2, {8}, "int8", 0};
  build(allreduce(4, 8), [&](ScheduleBuilder& b) {
    b.scope({.ranks = {0, 1}, .collective = inner},
            [&] { CHECK(b.collective().kind == CollectiveKind::reduce_scatter); });
  });
  const auto mistake = [](const ScheduleBuilder::ScopeOptions& options) {
    const Collective outer{CollectiveKind::broadcast, 4, {8}, "int8", 3};
    return failure([&] { build(outer, [&](ScheduleBuilder& b) { b.scope(options, [] {}); }); });
  };
  CHECK(mistake({.ranks = {0, 1, 2}, .collective = inner}) ==
        "a scope of 3 ranks got a collective of 2");
  CHECK(mistake({.ranks = {0, 1}, .data = Slice{0, 0, 4}, .collective = inner}) ==
        "a scope on 4 B got a collective of 8 B");
  CHECK(mistake({.ranks = {0, 1}}) == "a scope without the root needs a collective of its own");
  CHECK(mistake({.ranks = {0, 0}}) == "a scope lists one participant twice");
  CHECK(mistake({.ranks = {0, 1, 2, 3, 4}}) == "a scope has more ranks than the whole schedule");
  CHECK(mistake({.data = Slice{0, 0, 9}}) == "slice data [0, 9) is not inside data of 8 B");
  CHECK(mistake({.after = {0}}) == "a scope comes after op 0, which is not emitted yet");
  CHECK(mistake({.channel_base = 65'535}) == "channel 65535 is above the last, 65534");
}

TEST_CASE("a rank that is not in the scope is no participant of it") {
  CHECK(failure([] {
          build(allreduce(4, 8), [](ScheduleBuilder& b) {
            b.scope({.ranks = {0, 1}}, [&] { b.copy(0, 2, b.data()); });
          });
        }) == "participant 2 is neither one of the scope's 2 ranks nor a helper");
}

TEST_CASE("channel bases add up, also for channel properties") {
  const Schedule schedule = build(allreduce(2, 8), [](ScheduleBuilder& b) {
    b.scope({.channel_base = 10}, [&] {
      b.reduce(0, 1, b.data(), 1);
      b.scope({.channel_base = 5}, [&] {
        b.channel(2, {.weight = 3});
        b.reduce(0, 1, b.data(), 2);
      });
    });
    b.reduce(0, 1, b.data(), 1);
  });
  CHECK(lines(schedule) ==
        Lines{"reduce 0>1 ch11 data 0", "reduce 0>1 ch17 data 0", "reduce 0>1 ch1 data 0"});
  CHECK(schedule.channels.size() == 18);
  CHECK(schedule.channels[17].weight == 3);
}

TEST_CASE("phase prefixes concatenate - a scope goes on in the phase that it is entered in") {
  const Schedule schedule = build(allreduce(2, 8), [](ScheduleBuilder& b) {
    const auto op = [&] { b.signal(0, 1); };
    b.phase("reduce");
    op();
    b.scope({.phase_prefix = "outer "}, [&] {
      op();
      b.scope({.phase_prefix = "inner "}, [&] {
        b.phase("gather");
        op();
      });
      op();
    });
    op();
  });
  CHECK(schedule.phases ==
        std::vector<std::string>{"reduce", "outer reduce", "outer inner gather"});
  std::vector<int> phases;
  for (const Op& op : schedule.ops) phases.push_back(op.phase);
  CHECK(phases == std::vector<int>{0, 1, 2, 1, 0});
}

TEST_CASE("chunk dependencies flow through scopes") {
  const Schedule schedule = build(allreduce(3, 8), [](ScheduleBuilder& b) {
    const auto halves = b.split(b.data(), 2);
    b.scope({.ranks = {0, 1}}, [&] {
      for (const Slice& half : halves) b.reduce(0, 1, half);
    });
    b.scope({.ranks = {1, 2}, .data = halves[0]}, [&] { b.reduce(0, 1, b.data()); });
  });
  CHECK(lines(schedule) ==
        Lines{"reduce 0>1 data 0 -> 2", "reduce 0>1 data 1", "reduce 1>2 data 0"});
}

TEST_CASE("first ops of a scope wait for its `after` by an edge where they share a participant") {
  const Schedule schedule = build(allreduce(3, 8), [](ScheduleBuilder& b) {
    const OpId backward = b.compute(0, {100});
    b.scope({.after = {backward}}, [&] {
      b.reduce(0, 1, b.data());
      b.reduce(1, 2, b.data());  // waits for the one before, and so for backward
    });
    b.signal(0, 1);  // outside
  });
  CHECK(lines(schedule) ==
        Lines{"compute 0>0 -> 1", "reduce 0>1 data 0 -> 2", "reduce 1>2 data 0", "signal 0>1"});
}

TEST_CASE("`after` elsewhere arrives by one signal for each participant, on the scope's channel") {
  const Schedule schedule = build(allreduce(4, 8), [](ScheduleBuilder& b) {
    const auto halves = b.split(b.data(), 2);
    const OpId before = b.signal(0, 1);
    b.scope({.channel_base = 7, .after = {before}}, [&] {
      b.reduce(2, 3, halves[0], 1);
      b.reduce(2, 3, halves[1], 1);
      b.reduce(3, 2, halves[0], 1);  // waits for the first
    });
  });
  CHECK(lines(schedule) == Lines{"signal 0>1 -> 1", "signal 1>2 ch7 -> 2 3",
                                 "reduce 2>3 ch8 data 0 -> 4", "reduce 2>3 ch8 data 1",
                                 "reduce 3>2 ch8 data 0"});
}

TEST_CASE("an op waits for every op of `after` that it has no path from") {
  const Schedule schedule = build(allreduce(3, 8), [](ScheduleBuilder& b) {
    std::vector<OpId> computes;
    for (ParticipantId rank = 0; rank < 3; ++rank) computes.push_back(b.compute(rank, {100}));
    b.scope({.after = computes}, [&] { b.reduce(0, 1, b.data()); });
  });
  CHECK(lines(schedule) == Lines{"compute 0>0 -> 4", "compute 1>1 -> 4", "compute 2>2 -> 3",
                                 "signal 2>0 -> 4", "reduce 0>1 data 0"});
}

TEST_CASE("ops that wait for outside ops only still come after the scope's `after`") {
  const Schedule schedule = build(allreduce(3, 8), [](ScheduleBuilder& b) {
    const OpId compute = b.compute(1, {100});
    b.reduce(0, 1, b.data());
    b.scope({.after = {compute}}, [&] { b.copy(1, 2, b.data()); });
  });
  CHECK(lines(schedule) == Lines{"compute 1>1 -> 2", "reduce 0>1 data 0 -> 2", "copy 1>2 data 0"});
}

TEST_CASE("nested scopes come after the `after` of each") {
  const Schedule schedule = build(allreduce(2, 8), [](ScheduleBuilder& b) {
    const OpId outer = b.compute(0, {100});
    const OpId inner = b.compute(1, {100});
    b.scope({.after = {outer}}, [&] {
      b.scope({.after = {inner}}, [&] { b.signal(0, 1, 1); });
      b.signal(0, 1, 2);
    });
  });
  CHECK(lines(schedule) ==
        Lines{"compute 0>0 -> 2 3", "compute 1>1 -> 2", "signal 0>1 ch1", "signal 0>1 ch2"});
}

TEST_CASE("a relay does not stand in for the `after` of the scope around") {
  const Schedule schedule = build(allreduce(4, 8), [](ScheduleBuilder& b) {
    const OpId outer = b.compute(2, {100});
    const OpId inner = b.compute(1, {100});
    b.scope({.after = {outer}},
            [&] { b.scope({.after = {inner}}, [&] { b.reduce(2, 3, b.data()); }); });
  });
  CHECK(lines(schedule) ==
        Lines{"compute 2>2 -> 3", "compute 1>1 -> 2", "signal 1>2 -> 3", "reduce 2>3 data 0"});
}

TEST_CASE("a join that a scope needs for outside ops is not held back by the scope") {
  const Schedule schedule = build(allreduce(7, 8), [](ScheduleBuilder& b) {
    const OpId compute = b.compute(0, {100});
    for (ParticipantId rank = 1; rank <= 3; ++rank) b.reduce(rank, 0, b.data());
    b.scope({.after = {compute}}, [&] {
      b.copy(0, 4, b.data());
      b.copy(0, 5, b.data());
    });
    b.copy(0, 6, b.data());  // comes after the reduces, not after compute
  });
  CHECK(lines(schedule) == Lines{"compute 0>0 -> 4 6", "reduce 1>0 data 0 -> 4 5",
                                 "reduce 2>0 data 0 -> 4 5", "reduce 3>0 data 0 -> 4 5",
                                 "copy 0>4 data 0", "join 0>0 -> 6 7", "copy 0>5 data 0",
                                 "copy 0>6 data 0"});
}

TEST_CASE("references to a scope's collective outlive the scopes inside") {
  build(allreduce(2, 8), [](ScheduleBuilder& b) {
    const Collective& outer = b.collective();
    b.scope({.data = Slice{0, 0, 4}}, [&] { b.scope({.data = Slice{0, 0, 2}}, [] {}); });
    CHECK(outer.bytes == Bytes{8});
  });
}

}  // namespace syncsim::scope_test
