// What scopes share, and what each has for itself: parts, channels, helpers, scratch, notes.

#include <doctest/doctest.h>

#include "tests/schedule/schedule_text.h"

namespace syncsim::scope_sharing_test {

TEST_CASE("a scope's parts may be given, and are those of scopes with its ranks and data") {
  build(allreduce(3, 12), [](ScheduleBuilder& b) {
    const std::vector<Slice> parts = b.split(b.data(), std::vector<int>{1, 3, 2});
    b.scope({.parts = parts}, [&] {
      CHECK(b.part(0).end == 2);
      CHECK(b.part(1).end == 8);
      CHECK(b.part(2).end == 12);
      b.scope({.phase_prefix = "inner "}, [&] { CHECK(b.part(1).end == 8); });
      b.scope({.ranks = {1, 0, 2}}, [&] { CHECK(b.part(1).end == 8); });
      b.scope({.ranks = {0, 1}}, [&] { CHECK(b.part(0).end == 6); });
    });
    CHECK(b.part(1).end == 8);
  });
}

TEST_CASE("a scope's parts are one a rank, follow each other and cover its data") {
  const auto mistake = [](const std::vector<Slice>& parts) {
    return failure([&] {
      build(allreduce(2, 8), [&](ScheduleBuilder& b) { b.scope({.parts = parts}, [] {}); });
    });
  };
  CHECK(mistake({{0, 0, 8}}) == "a scope's parts are one a rank");
  CHECK(mistake({{0, 0, 3}, {0, 4, 8}}) == "a scope's parts follow each other");
  CHECK(mistake({{0, 0, 3}, {0, 3, 7}}) == "a scope's parts cover its data");
}

TEST_CASE("a scope tells how many channels it took, with those of scopes inside") {
  build(allreduce(2, 8), [](ScheduleBuilder& b) {
    CHECK(b.scope({.channel_base = 3}, [] {}) == 0);
    CHECK(b.scope({.channel_base = 3}, [&] { b.signal(0, 1, 2); }) == 3);
    CHECK(b.scope({.channel_base = 3}, [&] {
      b.signal(0, 1, 1);
      CHECK(b.scope({.channel_base = 4}, [&] { b.signal(1, 0); }) == 1);
    }) == 5);
  });
}

TEST_CASE("scopes of the same ranks have the same helper on a node, others one of their own") {
  build(allreduce(4, 8), [](ScheduleBuilder& b) {
    const ParticipantId whole = b.helper("cpu0");
    const auto inside = [&](const std::vector<ParticipantId>& ranks) {
      ParticipantId helper = 0;
      b.scope({.ranks = ranks}, [&] { helper = b.helper("cpu0"); });
      return helper;
    };
    CHECK(inside({}) == whole);
    CHECK(inside({0, 1}) == whole + 1);
    CHECK(inside({2, 3}) == whole + 2);
    CHECK(inside({0, 1}) == whole + 1);
  });
}

TEST_CASE("scratch of scopes lies in one buffer, given again only where no rank has had it") {
  const Schedule schedule = build(allreduce(4, 8), [](ScheduleBuilder& b) {
    const auto inside = [&](const std::vector<ParticipantId>& ranks, std::int64_t size) {
      Slice slice;
      b.scope({.ranks = ranks}, [&] {
        slice = b.scratch("sums", {size});
        b.copy(0, {0, 0, size}, 1, slice);
      });
      return slice.begin;
    };
    CHECK(inside({0, 1}, 8) == 0);
    CHECK(inside({2, 3}, 8) == 0);
    CHECK(inside({1, 2}, 8) == 8);
    CHECK(inside({0, 3}, 8) == 8);
    CHECK(inside({0, 1}, 3) == 16);  // of another size
    CHECK(inside({0, 1}, 8) == 24);  // on an element of any datatype
    CHECK(b.scratch("own", {8}).buffer == 2);
  });
  CHECK(schedule.buffers.size() == 3);
  CHECK(schedule.buffers[1].boundaries.back() == 32);
}

TEST_CASE("scopes may take more scratch than there are buffers") {
  const Schedule schedule = build(allreduce(2, 8), [](ScheduleBuilder& b) {
    for (int i = 0; i < 1'000; ++i)
      b.scope({}, [&] { b.copy(0, b.data(), 1, b.scratch("sums", {8})); });
  });
  CHECK(schedule.buffers.size() == 2);
  CHECK(schedule.ops.size() == 1'000);
}

TEST_CASE("a note in a scope begins with its prefix, and is kept once") {
  const Schedule schedule = build(allreduce(2, 8), [](ScheduleBuilder& b) {
    for (int i = 0; i < 3; ++i) b.scope({.phase_prefix = "inner "}, [&] { b.note("rings: 0,1"); });
    b.note("rings: 0,1");
  });
  CHECK(schedule.notes == std::vector<std::string>{"inner rings: 0,1", "rings: 0,1"});
}

}  // namespace syncsim::scope_sharing_test
