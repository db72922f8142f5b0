#include <doctest/doctest.h>

#include "sim/schedule/builder.h"
#include "tests/schedule/schedule_text.h"

namespace syncsim::split_test {
namespace {

// Begins of the pieces and the last one's end, after checking that they cover in order.
template <class Pieces>
Boundaries pieces(const Collective& collective, const Slice& slice, const Pieces& wanted) {
  Boundaries result;
  build(collective, [&](ScheduleBuilder& builder) {
    result.clear();
    const std::vector<Slice> slices = builder.split(slice, wanted);
    for (const Slice& piece : slices) {
      if (!result.empty()) CHECK(piece.begin == result.back());
      if (result.empty()) result.push_back(piece.begin);
      result.push_back(piece.end);
    }
  });
  return result;
}

using Weights = std::vector<int>;

const Collective kBytes = allreduce(2, 100);
const Collective kFloats{CollectiveKind::allreduce, 2, {100}, "float32", 0};

}  // namespace

TEST_CASE("pieces differ by at most one element: piece i begins at floor(elements x i / pieces)") {
  CHECK(pieces(kBytes, {0, 0, 10}, 4) == Boundaries{0, 2, 5, 7, 10});
  CHECK(pieces(kBytes, {0, 90, 100}, 2) == Boundaries{90, 95, 100});
  CHECK(pieces(kBytes, {0, 7, 8}, 1) == Boundaries{7, 8});
}

TEST_CASE("pieces begin on elements of the datatype") {
  CHECK(pieces(kFloats, {0, 0, 40}, 4) == Boundaries{0, 8, 20, 28, 40});
  CHECK(pieces(kFloats, {0, 20, 100}, 3) == Boundaries{20, 44, 72, 100});
}

TEST_CASE("there may be more pieces than elements: some are empty") {
  CHECK(pieces(kFloats, {0, 0, 8}, 4) == Boundaries{0, 0, 4, 4, 8});
  CHECK(pieces(kFloats, {0, 8, 8}, 2) == Boundaries{8, 8, 8});
}

TEST_CASE("weighted pieces are in proportion, rounded down, the remainder to the last") {
  CHECK(pieces(kBytes, {0, 0, 10}, Weights{1, 2, 1}) == Boundaries{0, 2, 7, 10});
  CHECK(pieces(kBytes, {0, 0, 12}, Weights{1, 2, 1}) == Boundaries{0, 3, 9, 12});
  CHECK(pieces(kFloats, {0, 0, 40}, Weights{1, 2}) == Boundaries{0, 12, 40});
  CHECK(pieces(kBytes, {0, 0, 5}, Weights{1'000'000'000, 1'000'000'000}) == Boundaries{0, 2, 5});
}

TEST_CASE("a piece of weight 0 is empty, also when it is the last") {
  CHECK(pieces(kBytes, {0, 0, 5}, Weights{1, 1, 0}) == Boundaries{0, 2, 5, 5});
  CHECK(pieces(kBytes, {0, 0, 5}, Weights{0, 1, 1}) == Boundaries{0, 0, 2, 5});
}

TEST_CASE("pieces are exact where elements x weight exceeds 64 bits") {
  constexpr std::int64_t kHuge = 9'000'000'000'000'000'000;
  CHECK(pieces(allreduce(2, kHuge), {0, 0, kHuge}, 3) ==
        Boundaries{0, kHuge / 3, 2 * (kHuge / 3), kHuge});
  CHECK(pieces(allreduce(2, kHuge), {0, 0, kHuge}, Weights{1'000'000'000, 2'000'000'000}) ==
        Boundaries{0, kHuge / 3, kHuge});
}

TEST_CASE("a split into no pieces, by no weights or off the elements is an internal error") {
  const auto mistake = [](const Slice& slice, const auto& wanted) {
    return failure([&] { pieces(kFloats, slice, wanted); });
  };
  CHECK(mistake({0, 0, 8}, 0) == "a split into no pieces");
  CHECK(mistake({0, 0, 8}, Weights{}) == "the weights of a split are not negative and not all 0");
  CHECK(mistake({0, 0, 8}, Weights{0, 0}) ==
        "the weights of a split are not negative and not all 0");
  CHECK(mistake({0, 0, 8}, Weights{2, -1}) ==
        "the weights of a split are not negative and not all 0");
  CHECK(mistake({0, 2, 8}, 2) == "a split of data [2, 8) off the elements of 4 B");
  CHECK(mistake({0, 96, 104}, 2) == "slice data [96, 104) is not inside data of 100 B");
}

TEST_CASE("parts of all-gather and reduce-scatter are boundaries from the start") {
  const auto boundaries = [](CollectiveKind kind) {
    const Collective collective{kind, 4, {10}, "int8", 0};
    return build(collective, [](ScheduleBuilder& b) { b.copy(0, 1, b.data()); })
        .buffers[0]
        .boundaries;
  };
  CHECK(boundaries(CollectiveKind::all_gather) == Boundaries{0, 2, 5, 7, 10});
  CHECK(boundaries(CollectiveKind::reduce_scatter) == Boundaries{0, 2, 5, 7, 10});
  CHECK(boundaries(CollectiveKind::allreduce) == Boundaries{0, 10});
}

TEST_CASE("part r is the data between part boundaries r and r + 1") {
  build(allreduce(4, 10), [](ScheduleBuilder& builder) {
    const Boundaries expected{0, 2, 5, 7, 10};
    for (int rank = 0; rank < 4; ++rank) {
      CHECK(builder.part(rank).begin == expected[static_cast<std::size_t>(rank)]);
      CHECK(builder.part(rank).end == expected[static_cast<std::size_t>(rank) + 1]);
    }
  });
}

TEST_CASE("a split after the first op gives the schedule of one before it") {
  int passes = 0;
  const auto emit = [&](bool early) {
    return [&passes, early](ScheduleBuilder& b) {
      ++passes;
      if (early) b.split(b.data(), 4);
      b.reduce(0, 1, b.data());
      for (const Slice& quarter : b.split(b.data(), 4)) b.copy(1, 2, quarter);
    };
  };
  const Schedule late = build(allreduce(3, 8), emit(false));
  CHECK(passes == 2);
  const Schedule early = build(allreduce(3, 8), emit(true));
  CHECK(passes == 3);
  CHECK(lines(late) == Lines{"reduce 0>1 data 0-3 -> 1 2 3 4", "copy 1>2 data 0", "copy 1>2 data 1",
                             "copy 1>2 data 2", "copy 1>2 data 3"});
  CHECK(lines(early) == lines(late));
  CHECK(early.buffers[0].boundaries == late.buffers[0].boundaries);
}

TEST_CASE("all late splits of a stale pass are known to the next: two passes do") {
  int passes = 0;
  const Schedule schedule = build(allreduce(2, 12), [&](ScheduleBuilder& b) {
    ++passes;
    for (int count = 1; count <= 4; ++count)
      for (const Slice& piece : b.split(b.data(), count)) b.reduce(0, 1, piece);
  });
  CHECK(passes == 2);
  CHECK(schedule.buffers[0].boundaries == Boundaries{0, 3, 4, 6, 8, 9, 12});
  CHECK(schedule.ops.size() == 1 + 2 + 3 + 4);
}

TEST_CASE("a split of a buffer that no op has used yet needs no second pass") {
  int passes = 0;
  build(allreduce(2, 8), [&](ScheduleBuilder& b) {
    ++passes;
    b.reduce(0, 1, b.data());
    const Slice scratch = b.scratch("recv", {8});
    b.split(scratch, 4);
    b.copy(0, scratch, 1, scratch);
  });
  CHECK(passes == 1);
}

TEST_CASE("a transfer carries the cuts of each end over to the other") {
  const Schedule schedule = build(allreduce(2, 12), [](ScheduleBuilder& b) {
    b.split({0, 4, 12}, 2);  // data: 4, 8, 12
    const Slice scratch = b.scratch("recv", {10});
    b.split({scratch.buffer, 2, 8}, 3);  // recv: 2, 4, 6, 8
    b.copy(0, {0, 4, 12}, 1, {scratch.buffer, 1, 9});
  });
  // data - 4 = recv - 1: 8 is 5 there, and 2, 4, 6, 8 are 5, 7, 9, 11 here.
  CHECK(schedule.buffers[0].boundaries == Boundaries{0, 4, 5, 7, 8, 9, 11, 12});
  CHECK(schedule.buffers[1].boundaries == Boundaries{0, 1, 2, 4, 5, 6, 8, 9, 10});
  CHECK(lines(schedule) == Lines{"copy 0>1 data 1-6 into recv 1-6"});
}

TEST_CASE("cuts travel back through buffers that ops have used") {
  int passes = 0;
  const Schedule schedule = build(allreduce(2, 8), [&](ScheduleBuilder& b) {
    ++passes;
    const Slice near = b.scratch("near", {8});
    const Slice far = b.scratch("far", {8});
    b.copy(0, near, 1, far);
    b.copy(0, b.data(), 1, near);
    b.split(b.data(), 2);
  });
  CHECK(passes == 3);
  for (const Buffer& buffer : schedule.buffers) CHECK(buffer.boundaries == Boundaries{0, 4, 8});
  CHECK(lines(schedule) ==
        Lines{"copy 0>1 near 0-1 into far 0-1", "copy 0>1 data 0-1 into near 0-1"});
}

TEST_CASE("a transfer within one buffer carries a cut on as often as it fits") {
  const Schedule schedule = build(allreduce(2, 10), [](ScheduleBuilder& b) {
    b.copy(0, {0, 0, 8}, 1, {0, 2, 10});
  });
  CHECK(schedule.buffers[0].boundaries == Boundaries{0, 2, 4, 6, 8, 10});
  CHECK(lines(schedule) == Lines{"copy 0>1 data 0-3 into data 1-4"});
}

TEST_CASE("an op on an empty piece is a signal: it keeps its lane and its place and no edges") {
  const Schedule schedule = build(allreduce(4, 2), [](ScheduleBuilder& b) {
    b.phase("reduce");
    for (const Slice& piece : b.split(b.data(), 4)) b.reduce(1, 0, piece, 3);
    for (const Slice& piece : b.split(b.data(), 4)) b.copy(0, 2, piece);
  });
  CHECK(lines(schedule) == Lines{"signal 1>0 ch3", "reduce 1>0 ch3 data 0 -> 5", "signal 1>0 ch3",
                                 "reduce 1>0 ch3 data 1 -> 7", "signal 0>2", "copy 0>2 data 0",
                                 "signal 0>2", "copy 0>2 data 1"});
  CHECK(schedule.phases == std::vector<std::string>{"reduce"});
  CHECK(schedule.buffers[0].boundaries == Boundaries{0, 1, 2});
}

TEST_CASE("a strategy that is no pure function of its input is found out") {
  int pass = 0;
  CHECK(failure([&] {
          build(allreduce(2, 1000), [&](ScheduleBuilder& b) {
            b.copy(0, 1, b.data());
            b.copy(0, 1, {0, ++pass, 1000});
          });
        }) ==
        "after 100 passes pieces of the data still cut each other anew; use fewer chunks, or "
        "reductions \"on-arrival\"");
  CHECK(failure([&] {
          build(allreduce(2, 8), [&](ScheduleBuilder& b) {
            b.scratch("recv", {++pass});
            b.copy(0, 1, b.data());
            b.split(b.data(), 2);
          });
        }) == "a strategy emits other buffers when it is run again");
}

}  // namespace syncsim::split_test
