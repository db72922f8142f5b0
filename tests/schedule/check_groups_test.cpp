// Wrong schedules with groups: refused, naming the member.

#include <doctest/doctest.h>

#include <functional>
#include <string>

#include "sim/schedule/check.h"
#include "tests/schedule/algorithms.h"

namespace syncsim::testing::check_groups_test {
namespace {

constexpr ParticipantId kAll = kGroupBit;

// All four ranks add to rank 0, which copies the sum to all.
HandMade sound() {
  HandMade made(collective_of(CollectiveKind::allreduce, 4, 4), 1);
  made.schedule.groups = {{0, 1, 2, 3}};
  made.reduce(kAll, 0, 0);
  made.copy(0, kAll, 0);
  made.edge(0, 1);
  return made;
}

// Of both modes, which must agree.
std::string message_of(const Schedule& schedule) {
  const auto exact = check(schedule, {CheckMode::exact});
  const auto fingerprint = check(schedule, {CheckMode::fingerprint});
  REQUIRE(exact.has_value() == fingerprint.has_value());
  if (!exact) return "proved";
  CHECK(exact->message == fingerprint->message);
  return exact->message;
}

std::string after(const std::function<void(HandMade&)>& change) {
  HandMade made = sound();
  change(made);
  return message_of(made.build());
}

const std::string kReduce =
    "op 0: reduce of data chunk 0 from group 0 (gpu0, gpu1, gpu2 and 1 more) to rank 0 (gpu0), "
    "channel 0, phase work";
const std::string kCopy =
    "op 1: copy of data chunk 0 from rank 0 (gpu0) to group 0 (gpu0, gpu1, gpu2 and 1 more), "
    "channel 0, phase work";

}  // namespace

TEST_CASE("the group schedule that the cases below break is sound") {
  CHECK(message_of(sound().build()) == "proved");
}

TEST_CASE("a group's members exist and ascend") {
  CHECK(after([](HandMade& made) { made.schedule.groups.push_back({}); }) ==
        "group 1 has no members; it needs at least 1");
  CHECK(after([](HandMade& made) {
          made.schedule.groups.push_back({1, 7});
        }) == "group 1: participant 7 does not exist; there are 4");
  CHECK(after([](HandMade& made) {
          made.schedule.groups.push_back({2, 1});
        }) == "group 1: rank 1 (gpu1) comes after rank 2 (gpu2); members must ascend");
  CHECK(after([](HandMade& made) {
          made.schedule.groups.push_back({2, 2});
        }) == "group 1: rank 2 (gpu2) comes after rank 2 (gpu2); members must ascend");
}

TEST_CASE("groups are named that exist, by ops that may") {
  CHECK(after([](HandMade& made) { made.schedule.ops[0].source = kAll | 2; }) ==
        "op 0: reduce of data chunk 0 from group 2 to rank 0 (gpu0), channel 0, phase work: group "
        "2 does not exist; there is 1");
  CHECK(after([](HandMade& made) { made.schedule.ops[0].destination = kAll; }) ==
        "op 0: reduce of data chunk 0 from group 0 (gpu0, gpu1, gpu2 and 1 more) to group 0 (gpu0, "
        "gpu1, gpu2 and 1 more), channel 0, phase work: both of its ends are groups; one must be a "
        "participant");
  CHECK(after([](HandMade& made) { made.schedule.ops[0].kind = OpKind::copy; }) ==
        "op 0: copy of data chunk 0 from group 0 (gpu0, gpu1, gpu2 and 1 more) to rank 0 (gpu0), "
        "channel 0, phase work: a copy has one source; add a group's chunks up by a reduce");
  CHECK(after([](HandMade& made) { made.schedule.ops[1].kind = OpKind::reduce; }) ==
        "op 1: reduce of data chunk 0 from rank 0 (gpu0) to group 0 (gpu0, gpu1, gpu2 and 1 more), "
        "channel 0, phase work: a reduce has one destination; from there a copy goes to a group");
  CHECK(after([](HandMade& made) { made.join(kAll); }) ==
        "op 2: join at group 0 (gpu0, gpu1, gpu2 and 1 more), phase work: it is at a group; "
        "computes and joins are at one participant");
  CHECK(after([](HandMade& made) { made.schedule.groups[0] = {0}; }) ==
        "op 0: reduce of data chunk 0 from group 0 (gpu0) to rank 0 (gpu0), channel 0, phase work: "
        "the group has no member but rank 0 (gpu0)");
}

TEST_CASE("a member that the group lacks is missed by its contribution, or by the result") {
  CHECK(after([](HandMade& made) {
          made.schedule.groups.push_back({0, 1, 3});
          made.schedule.ops[0].source = kAll | 1;
        }) ==
        "data chunk 0 at rank 0 (gpu0) ends without the contribution of rank 2 (gpu2); allreduce "
        "needs those of all 4 ranks");
  CHECK(after([](HandMade& made) {
          made.schedule.groups.push_back({0, 1, 3});
          made.schedule.ops[1].destination = kAll | 1;
        }) ==
        "data chunk 0 at rank 2 (gpu2) ends without the contribution of rank 0 (gpu0); allreduce "
        "needs those of all 4 ranks");
}

TEST_CASE("a contribution that comes twice is named with the member that brings it") {
  HandMade made(collective_of(CollectiveKind::allreduce, 4, 4), 1);
  made.schedule.groups = {{0, 1, 2, 3}};
  made.reduce(1, 2, 0);
  made.reduce(kAll, 0, 0);
  made.copy(0, kAll, 0);
  made.edge(0, 1);
  made.edge(1, 2);
  CHECK(message_of(made.build()) ==
        "data chunk 0 at rank 0 (gpu0) gets the contribution of rank 1 (gpu1) to data chunk 0 "
        "twice; a sum takes each once: op 1: reduce of data chunk 0 from group 0 (gpu0, gpu1, gpu2 "
        "and 1 more) to rank 0 (gpu0), channel 0, phase work, here from rank 2 (gpu2)");
}

TEST_CASE("values of another chunk that a member brings are named with it") {
  HandMade made(collective_of(CollectiveKind::allreduce, 3, 2), 2);
  made.schedule.groups = {{0, 1, 2}};
  made.add(OpKind::copy, 2, {0, 0}, 2, {0, 1});
  made.reduce(kAll, 0, 1);
  made.edge(0, 1);
  CHECK(message_of(made.build()) ==
        "data chunk 1 at rank 0 (gpu0) holds values of data chunk 1, and values of data chunk 0 "
        "are added to them; a sum is of one chunk: op 1: reduce of data chunk 1 from group 0 "
        "(gpu0, gpu1, gpu2) to rank 0 (gpu0), channel 0, phase work, here from rank 2 (gpu2)");
}

TEST_CASE("a race on a member's chunk is named with the member") {
  CHECK(after([](HandMade& made) { made.edges.clear(); }) ==
        "race on data chunk 0 at rank 0 (gpu0): added to by one op and read by another, and no "
        "edges or lanes order them: " +
            kReduce + "; " + kCopy);
  HandMade made = sound();
  made.schedule.ops.clear();
  made.edges.clear();
  made.reduce(3, 2, 0);
  made.reduce(kAll, 0, 0);
  CHECK(message_of(made.build()) ==
        "race on data chunk 0 at rank 2 (gpu2): added to by one op and read by another, and no "
        "edges or lanes order them: op 0: reduce of data chunk 0 from rank 3 (gpu3) to rank 2 "
        "(gpu2), channel 0, phase work; op 1: reduce of data chunk 0 from group 0 (gpu0, gpu1, "
        "gpu2 and 1 more) to rank 0 (gpu0), channel 0, phase work");
}

TEST_CASE("an edge may join ops by any member, and by members only") {
  HandMade made(collective_of(CollectiveKind::broadcast, 5, 1), 1);
  made.schedule.groups = {{1, 2}, {3, 4}};
  made.copy(0, kAll, 0);
  made.signal(2, 3);
  made.edge(0, 1);
  made.copy(0, kAll | 1, 0);
  CHECK(message_of(made.build()) == "proved");
  made.schedule.ops[1].source = 4;
  CHECK(message_of(made.build()) ==
        "edge from op 0: copy of data chunk 0 from rank 0 (gpu0) to group 0 (gpu1, gpu2), channel "
        "0, phase work to op 1: signal from rank 4 (gpu4) to rank 3 (gpu3), channel 0, phase work: "
        "they share no participant, which would be a free barrier; send a signal from one to the "
        "other");
}

TEST_CASE("an op of a group that waits for itself is a cycle") {
  CHECK(after([](HandMade& made) { made.edge(1, 0); }) ==
        "ops wait for each other by edges and lanes, so that none can start: " + kReduce + " -> " +
            kCopy + " -> op 0");
}

}  // namespace syncsim::testing::check_groups_test
