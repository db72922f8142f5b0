#include "sim/report/page/slices.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/schedules.h"

namespace syncsim::testing::slices_test {
namespace {

HandMade broadcast(int ranks, std::int64_t bytes = 1'000) {
  return {collective_of(CollectiveKind::broadcast, ranks, bytes), 1};
}

Timeline timed(std::vector<OpTimes> ops) {
  Timeline timeline;
  timeline.ops = std::move(ops);
  for (const OpTimes& times : timeline.ops)
    timeline.finish = std::max(timeline.finish, times.finish);
  return timeline;
}

OpTimes from_to(std::int64_t start, std::int64_t finish) { return {{start}, {start}, {finish}}; }

// `count` copies from each of `ranks` ranks to the next one, back to back, 100 ps each.
struct Streams {
  Schedule schedule;
  Timeline timeline;
};
Streams streams(int ranks, int count) {
  HandMade plan = broadcast(ranks);
  std::vector<OpTimes> times;
  for (int step = 0; step < count; ++step)
    for (int rank = 0; rank < ranks; ++rank) {
      plan.copy(static_cast<ParticipantId>(rank), static_cast<ParticipantId>((rank + 1) % ranks),
                0);
      times.push_back(from_to(step * 100, step * 100 + 100));
    }
  return {plan.build(), timed(std::move(times))};
}

void check_complete(const Slices& slices, const Streams& streams) {
  std::int64_t bytes = 0;
  std::uint64_t transfers = 0;
  for (const TimeSlice& slice : slices.slices) {
    bytes += slice.bytes.count;
    transfers += slice.count;
  }
  CHECK(transfers == streams.schedule.ops.size());
  CHECK(bytes == static_cast<std::int64_t>(streams.schedule.ops.size()) * 1'000);
}

}  // namespace

TEST_CASE("every transfer is a slice on its sender's track, and joins are none") {
  HandMade plan = broadcast(3);
  plan.copy(0, 1, 0);
  plan.join(1);
  plan.copy(1, 2, 0);
  const Slices slices =
      slices_of(plan.build(), timed({from_to(0, 10), from_to(10, 10), from_to(10, 30)}), {}, 100);
  REQUIRE(slices.slices.size() == 2);
  CHECK(slices.slices[0].track == 0);
  CHECK(slices.slices[1].track == 1);
  CHECK(slices.slices[1].start == Time{10});
  CHECK(slices.slices[1].finish == Time{30});
  CHECK(slices.slices[1].bytes == Bytes{1'000});
  CHECK(slices.transfers == 2);
  CHECK(slices.tracks.size() == 3);  // a rank that sends nothing has one, too
  CHECK(shortfalls(slices).empty());
}

TEST_CASE("a helper has a track where it sends") {
  HandMade plan = broadcast(2);
  const ParticipantId sends = plan.helper("cpu0");
  plan.helper("cpu1");
  plan.copy(sends, 0, 0);
  const Slices slices = slices_of(plan.build(), timed({from_to(0, 10)}), {}, 100);
  REQUIRE(slices.tracks.size() == 3);
  CHECK(slices.tracks[2].participant == sends);
}

TEST_CASE("what a group sends is on the receiver's track") {
  HandMade plan = broadcast(3);
  plan.schedule.groups.push_back({0, 1, 2});
  plan.reduce(kGroupBit, 2, 0);
  const Slices slices = slices_of(plan.build(), timed({from_to(0, 10)}), {}, 100);
  REQUIRE(slices.slices.size() == 1);
  CHECK(slices.slices[0].track == 2);
}

TEST_CASE("slices that overlap stand in rows, those one after the other in one") {
  HandMade plan = broadcast(3);
  plan.copy(0, 1, 0);
  plan.copy(0, 2, 0);
  plan.copy(0, 1, 0);
  const Slices slices =
      slices_of(plan.build(), timed({from_to(0, 10), from_to(0, 20), from_to(10, 20)}), {}, 100);
  REQUIRE(slices.slices.size() == 3);
  CHECK(slices.slices[0].row == 0);
  CHECK(slices.slices[1].row == 1);
  CHECK(slices.slices[2].row == 0);
  CHECK(slices.tracks[0].rows == 2);
}

TEST_CASE("a track has at most so many rows, whatever overlaps") {
  HandMade plan = broadcast(20);
  std::vector<OpTimes> times;
  for (ParticipantId to = 1; to < 20; ++to) {
    plan.copy(0, to, 0);
    times.push_back(from_to(to, 100));
  }
  const Slices slices = slices_of(plan.build(), timed(std::move(times)), {}, 100);
  CHECK(slices.slices.size() == 19);
  CHECK(slices.tracks[0].rows == kMostRows);
}

TEST_CASE("too many transfers become few slices of the same bytes") {
  const Streams four = streams(4, 2'000);
  for (const std::size_t most : {4'000u, 400u, 40u, 4u}) {
    const Slices slices = slices_of(four.schedule, four.timeline, {}, most);
    CHECK(slices.slices.size() <= most);
    CHECK(slices.slices.size() >= std::min<std::size_t>(most / 4, 4));
    CHECK(slices.quantum.ps > 0);
    CHECK(slices.tracks_left_out == 0);
    check_complete(slices, four);
  }
}

TEST_CASE("slices of merged transfers touch, and do not overlap, on their lane") {
  const Streams two = streams(2, 5'000);
  const Slices slices = slices_of(two.schedule, two.timeline, {}, 1'000);
  Time end;
  for (const TimeSlice& slice : slices.slices) {
    if (slice.track != 0) break;
    CHECK(slice.start == end);
    end = slice.finish;
  }
  CHECK(end == two.timeline.finish);
  CHECK(slices.tracks[0].rows == 1);
}

TEST_CASE("where even a slice a track is too much, tracks are left out from the end") {
  const Streams many = streams(64, 3);
  const Slices slices = slices_of(many.schedule, many.timeline, {}, 40);
  CHECK(slices.tracks.size() == 32);
  CHECK(slices.tracks_left_out == 32);
  CHECK(shortfalls(slices).front() == "The first 32 of 64 senders are drawn.");
}

TEST_CASE("of very many ranks the first are drawn") {
  const Streams many = streams(300, 1);
  const Slices slices = slices_of(many.schedule, many.timeline, {}, 1'000);
  CHECK(slices.tracks.size() == kMostTracks);
  CHECK(slices.slices.size() == kMostTracks);
  CHECK(shortfalls(slices) == std::vector<std::string>{"The first 128 of 300 senders are drawn."});
}

TEST_CASE("a slice is critical when one of its transfers is") {
  const Streams one = streams(2, 1'000);
  const std::vector<OpId> critical = {1'000};
  for (const std::size_t most : {5'000u, 100u}) {
    const Slices slices = slices_of(one.schedule, one.timeline, critical, most);
    const auto is_critical = [](const TimeSlice& slice) { return slice.critical; };
    CHECK(std::count_if(slices.slices.begin(), slices.slices.end(), is_critical) == 1);
  }
}

TEST_CASE("what is merged is said") {
  const Streams one = streams(2, 1'000);
  const Slices slices = slices_of(one.schedule, one.timeline, {}, 100);
  CHECK(slices.quantum == Time{6'251});
  CHECK(shortfalls(slices) ==
        std::vector<std::string>{
            "2000 transfers are too many to draw one by one: those of a sender that begin within "
            "the same 6.2510 ns and end within the same 6.2510 ns are drawn as one."});
}

}  // namespace syncsim::testing::slices_test
