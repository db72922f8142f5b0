// Groups as ends of ops: what they stand for, and what the builder makes of them.

#include "sim/schedule/groups.h"

#include <doctest/doctest.h>

#include "sim/schedule/check.h"
#include "sim/schedule/lane_index.h"
#include "sim/schedule/op_ends.h"
#include "tests/schedule/schedule_text.h"

namespace syncsim::groups_test {
namespace {

constexpr ParticipantId group(std::uint32_t index) { return kGroupBit | index; }

std::string short_end(ParticipantId id) {
  return is_group(id) ? "g" + std::to_string(group_index(id)) : std::to_string(id);
}

// "reduce g0>1 data 1 -> 2".
Lines with_groups(const Schedule& schedule) {
  Lines result = lines(schedule);
  for (OpId id = 0; id < result.size(); ++id) {
    const Op& op = schedule.ops[id];
    const std::string plain = std::to_string(op.source) + ">" + std::to_string(op.destination);
    const std::size_t at = result[id].find(plain);
    result[id].replace(at, plain.size(), short_end(op.source) + ">" + short_end(op.destination));
  }
  return result;
}

std::string proof(const Schedule& schedule) {
  const auto violation = check(schedule);
  return violation ? violation->message : "proved";
}

}  // namespace

TEST_CASE("ids stand for a participant in common where a group holds it, or two overlap") {
  const Groups groups = {{0, 1, 4}, {2, 3}, {3, 4}};
  CHECK(have_common_member(groups, 5, 5));
  CHECK_FALSE(have_common_member(groups, 5, 6));
  CHECK(have_common_member(groups, group(0), 4));
  CHECK(have_common_member(groups, 1, group(0)));
  CHECK_FALSE(have_common_member(groups, group(0), 3));
  CHECK(have_common_member(groups, group(1), group(2)));
  CHECK(have_common_member(groups, group(0), group(2)));
  CHECK_FALSE(have_common_member(groups, group(0), group(1)));
}

TEST_CASE("an op moves between the members of a group and its other end, but not to itself") {
  const Groups groups = {{0, 1, 2}};
  std::vector<std::pair<ParticipantId, ParticipantId>> ways;
  const auto note = [&](ParticipantId from, ParticipantId to) { ways.emplace_back(from, to); };
  each_way(groups, Op{.source = group(0), .destination = 1}, note);
  each_way(groups, Op{.source = 2, .destination = group(0)}, note);
  each_way(groups, Op{.source = 2, .destination = 2}, note);
  CHECK(ways == decltype(ways){{0, 1}, {2, 1}, {2, 0}, {2, 1}, {2, 2}});
}

TEST_CASE("a group has a lane of its own for each other end and channel") {
  LaneIndex lanes;
  const auto number = [&](ParticipantId from, ParticipantId to) {
    return lanes.number(Op{.source = from, .destination = to});
  };
  CHECK(number(group(0), 0) == 0);
  CHECK(number(0, 0) == 1);
  CHECK(number(group(1), 0) == 2);
  CHECK(number(0, group(0)) == 3);
  CHECK(number(group(0), 0) == 0);
  CHECK(number(group(1), 0) == 2);
  CHECK(lanes.count() == 4);
}

TEST_CASE("a group's reduce and copy wait for what every member did") {
  const auto emit = [](ScheduleBuilder& builder) {
    const ParticipantId all = builder.group({2, 0, 1});
    CHECK(builder.group({1, 2, 0}) == all);
    builder.reduce(1, 2, builder.data());
    builder.copy(2, 1, builder.data());
    builder.reduce(all, 0, builder.data());
    builder.copy(0, all, builder.data());
    builder.copy(1, 2, builder.data());
  };
  CHECK(with_groups(build(allreduce(3, 4), emit)) ==
        Lines{"reduce 1>2 data 0 -> 1 2", "copy 2>1 data 0 -> 2 3", "reduce g0>0 data 0 -> 3",
              "copy 0>g0 data 0 -> 4", "copy 1>2 data 0"});
}

TEST_CASE("a member that receives the sum keeps its own contribution once") {
  const Schedule schedule = build(allreduce(4, 8), [](ScheduleBuilder& builder) {
    const ParticipantId all = builder.group({0, 1, 2, 3});
    for (ParticipantId rank = 0; rank < 4; ++rank) {
      builder.reduce(all, rank, builder.part(static_cast<int>(rank)));
      builder.copy(rank, all, builder.part(static_cast<int>(rank)));
    }
  });
  CHECK(schedule.ops.size() == 8);
  CHECK(proof(schedule) == "proved");
}

TEST_CASE("a helper that is no member gets the whole sum") {
  CHECK(proof(build(allreduce(3, 3), [](ScheduleBuilder& builder) {
          const ParticipantId all = builder.group({0, 1, 2});
          const ParticipantId sum = builder.helper("switch0");
          builder.reduce(all, sum, builder.data());
          builder.copy(sum, all, builder.data());
        })) == "proved");
}

TEST_CASE("groups of a scope are of its ranks, and come after what the scope comes after") {
  const Schedule schedule = build(allreduce(4, 4), [](ScheduleBuilder& builder) {
    const OpId first = builder.signal(0, 1);
    builder.scope({.ranks = {3, 2}, .after = {first}}, [&] {
      const ParticipantId both = builder.group({0, 1});
      builder.reduce(both, 0, builder.data());
    });
  });
  CHECK(schedule.groups == Groups{{2, 3}});
  CHECK(with_groups(schedule) == Lines{"signal 0>1 -> 1", "signal 1>3 -> 2", "reduce g0>3 data 0"});
}

TEST_CASE("a signal may come from a group: of no bytes, and by an edge after a member's op") {
  const Schedule schedule = build(allreduce(3, 3), [](ScheduleBuilder& builder) {
    const ParticipantId all = builder.group({0, 1, 2});
    const OpId before = builder.reduce(1, 2, builder.data());
    builder.edge(before, builder.reduce(all, 0, {0, 1, 1}));
  });
  CHECK(with_groups(schedule) == Lines{"reduce 1>2 data 0 -> 1", "signal g0>0"});
}

TEST_CASE("the builder refuses groups that mean nothing") {
  const auto refused = [](const std::function<void(ScheduleBuilder&)>& emit) {
    return failure([&] { build(allreduce(3, 3), emit); });
  };
  CHECK(refused([](ScheduleBuilder& builder) { builder.group({}); }) ==
        "a group of no one, or of participants that do not exist");
  CHECK(refused([](ScheduleBuilder& builder) {
          builder.group({0, 7});
        }) == "a group of no one, or of participants that do not exist");
  CHECK(refused([](ScheduleBuilder& builder) {
          builder.group({0, 1, 0});
        }) == "a group lists one participant twice");
  CHECK(refused([](ScheduleBuilder& builder) { builder.copy(0, group(3), builder.data()); }) ==
        "group 3 does not exist");
  CHECK(refused([](ScheduleBuilder& builder) {
          builder.copy(builder.group({0, 1}), 2, builder.data());
        }) == "groups are what reduces come from and copies go to");
  CHECK(refused([](ScheduleBuilder& builder) {
          builder.reduce(2, builder.group({0, 1}), builder.data());
        }) == "groups are what reduces come from and copies go to");
  CHECK(refused([](ScheduleBuilder& builder) {
          builder.reduce(builder.group({1}), 1, builder.data());
        }) == "a group without a member beside the other end");
}

TEST_CASE("groups are described by their first members' nodes") {
  const Schedule schedule = build(allreduce(5, 5), [](ScheduleBuilder& builder) {
    builder.reduce(builder.group({0, 1, 2, 3, 4}), 0, builder.data());
    builder.copy(0, builder.group({1, 3}), builder.data());
  });
  CHECK(describe(schedule, 0) ==
        "op 0: reduce of data chunk 0 from group 0 (gpu0, gpu1, gpu2 and 2 more) to rank 0 (gpu0), "
        "channel 0");
  CHECK(describe(schedule, 1) ==
        "op 1: copy of data chunk 0 from rank 0 (gpu0) to group 1 (gpu1, gpu3), channel 0");
}

}  // namespace syncsim::groups_test
