// Schedules as JSON: what is read is what was written; what is no schedule is refused at its place.

#include <doctest/doctest.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sim/schedule/schedule_json.h"
#include "tests/schedule/schedule_text.h"
#include "tests/support/refusal.h"

namespace syncsim::schedule_json_test {
namespace {

using Json = nlohmann::ordered_json;
using testing::refusal_of;

std::string written(const Schedule& schedule) {
  std::ostringstream text;
  write_schedule(schedule, text);
  return text.str();
}

// One of everything that a schedule can hold.
Schedule everything() {
  Schedule schedule = build(allreduce(2, 10), [](ScheduleBuilder& builder) {
    const ParticipantId cpu = builder.helper("cpu \"0\"");
    const Slice scratch = builder.scratch("staging", {10});
    const std::vector<Slice> halves = builder.split(builder.data(), {1, 4});
    builder.channel(0, {2.5, 0.1, Plane::host});
    builder.channel(3, {1.0 / 3, 0, Plane::all});
    builder.nics(3, 1, {"nic0", "nic1"});
    builder.nics(3, 2, {"", "nic1"});
    builder.note("halves, \\ and \"quotes\"");
    builder.phase("gather");
    for (const ParticipantId rank : {0u, 1u}) builder.reduce(rank, builder.data(), cpu, scratch);
    builder.compute(cpu, {7'000'000'000'000'000}, 3);
    builder.signal(cpu, 0, 3);
    builder.phase("spread");
    for (const ParticipantId rank : {0u, 1u})
      for (const Slice& half : halves)
        builder.copy(cpu, {scratch.buffer, half.begin, half.end}, rank, half, 3);
  });
  schedule.buffers[1].relaxed = true;
  return schedule;
}

TEST_CASE("a schedule that is written and read is the same to the bit") {
  const Schedule schedule = everything();
  const Schedule again = read_schedule(written(schedule), "p.json");
  CHECK(written(again) == written(schedule));
  REQUIRE(again.ops.size() == schedule.ops.size());
  CHECK(std::memcmp(again.ops.data(), schedule.ops.data(), schedule.ops.size() * sizeof(Op)) == 0);
  CHECK(again.edges == schedule.edges);
  CHECK(again.channels[3].weight == 1.0 / 3);
  CHECK(again.channels[0].maximum_rate == 0.1);
  CHECK(again.channels[0].plane == Plane::host);
  CHECK(again.durations == schedule.durations);
  CHECK(again.nics[0].nics == schedule.nics[0].nics);
  CHECK(again.buffers[1].relaxed);
}

// A copy of one chunk, with its text as it stands in files.
constexpr const char* kSmall = R"({
"format": "syncsim plan 1",
"ranks": 2,
"participants": ["gpu0","gpu1"],
"groups": [],
"buffers": [{"name":"data","boundaries":[0,4]}],
"channels": [{}],
"nics": [],
"durations_ps": [],
"phases": [""],
"collectives": [{"collective":"broadcast","ranks":2,"bytes":4,"datatype":"int8","root":0,"buffer":0,"first_chunk":0,"chunk_count":1}],
"notes": [],
"op_columns": ["kind","source","destination","channel","phase","source_buffer","source_chunk","destination_buffer","destination_chunk","chunk_count"],
"ops": [
["copy",0,1,0,0,0,0,0,0,1]
]
}
)";

TEST_CASE("the text of a plan is fixed") {
  const Schedule schedule =
      build({CollectiveKind::broadcast, 2, {4}, "int8", 0},
            [](ScheduleBuilder& builder) { builder.copy(0, 1, builder.data()); });
  CHECK(written(schedule) == kSmall);
}

TEST_CASE("columns may be named in any order, and those left out are 0") {
  Json plan = Json::parse(kSmall);
  plan["op_columns"] = {"chunk_count", "destination", "kind"};
  plan["ops"] = {{1, 1, "copy"}};
  CHECK(written(read_schedule(plan.dump(), "p.json")) == kSmall);
}

// The refusal of the small plan with one value set, or taken away where `value` is empty.
std::string refusal(const char* pointer, const char* value) {
  Json plan = Json::parse(kSmall);
  if (*value == '\0')
    plan = plan.patch({{{"op", "remove"}, {"path", pointer}}});
  else
    plan[Json::json_pointer(pointer)] = Json::parse(value);
  return refusal_of([&] { read_schedule(plan.dump(), "p.json"); });
}

TEST_CASE("what is no plan is refused at its place") {
  CHECK(refusal("/ranks", "2") == "accepted");
  CHECK(refusal("/format", "") ==
        "p.json:/: is no plan of syncsim; a plan begins with \"format\": \"syncsim plan 1\"");
  CHECK(refusal("/format", "\"syncsim plan 2\"") ==
        "p.json:/format: unknown format \"syncsim plan 2\"; this program reads \"syncsim plan 1\"");
  CHECK(refusal("/ranks", "-1") ==
        "p.json:/ranks: -1 is out of range; write a whole number from 1 to 16777216");
  CHECK(refusal("/rank", "2") == R"(p.json:/rank: unknown key "rank"; did you mean "ranks"?)");
  CHECK(refusal("/buffers/0/boundaries", "[]") ==
        "p.json:/buffers/0/boundaries: is empty; begin with 0");
  CHECK(refusal("/buffers/0/boundaries/1", "9223372036854775808") ==
        "p.json:/buffers/0/boundaries/1: is the number 9223372036854775808, which is out of range; "
        "write a whole number of 64 bits");
  CHECK(refusal("/buffers/0/boundaries/1", "-4") ==
        "p.json:/buffers/0/boundaries/1: -4 is out of range; write a whole number of at least 0");
  CHECK(refusal("/channels/0/weight", "0") ==
        "p.json:/channels/0/weight: 0 is out of range; write a number above 0");
  CHECK(refusal("/channels/0/plane", "\"hosts\"") ==
        R"(p.json:/channels/0/plane: unknown plane "hosts"; did you mean "host"?)");
  CHECK(
      refusal("/nics", R"([{"channel": 0, "participant": 1}, {"channel": 0, "participant": 1}])") ==
      "p.json:/nics/1: does not come after the one before it; order them by channel and "
      "participant, each pair once");
  CHECK(refusal("/collectives/0/collective", "\"brodcast\"") ==
        "p.json:/collectives/0/collective: unknown collective \"brodcast\"; did you mean "
        "\"broadcast\"?");
  CHECK(refusal("/ops", "") == "p.json:/: \"ops\" is missing; add \"ops\": ...");
}

TEST_CASE("what is no op is refused at its row and column") {
  CHECK(refusal("/ops/0/0", "\"cpy\"") ==
        R"(p.json:/ops/0/0: unknown op kind "cpy"; did you mean "copy"?)");
  CHECK(refusal("/ops/0/1", "-1") ==
        "p.json:/ops/0/1: -1 is no source; write a whole number from 0 to 4294967295");
  CHECK(refusal("/ops/0/3", "65536") ==
        "p.json:/ops/0/3: 65536 is no channel; write a whole number from 0 to 65535");
  CHECK(refusal("/ops/0/9", "1.5") ==
        "p.json:/ops/0/9: 1.5 is no chunk_count; write a whole number from 0 to 4294967295");
  CHECK(refusal("/ops/0/9", "\"1\"") ==
        "p.json:/ops/0/9: it is no chunk_count; write a whole number from 0 to 4294967295");
  CHECK(
      refusal("/ops/0/9", "") ==
      "p.json:/ops/0: is no list of at least 10 columns; write them as \"op_columns\" names them");
  CHECK(
      refusal("/ops/0", "7") ==
      "p.json:/ops/0: is no list of at least 10 columns; write them as \"op_columns\" names them");
  CHECK(refusal("/ops/0/10", "-2") ==
        "p.json:/ops/0/10: -2 is no op that waits; write a whole number from 0 to 2147483647");
  CHECK(refusal("/op_columns/1", "\"kind\"") ==
        "p.json:/op_columns/1: column \"kind\" stands twice; name it once");
  CHECK(refusal("/op_columns/0", "\"sorce\"") ==
        R"(p.json:/op_columns/0: unknown op column "sorce"; did you mean "source"?)");
  CHECK(refusal("/op_columns", "[\"source\"]") ==
        "p.json:/op_columns: column \"kind\" is missing; add it: every op has a kind");
  CHECK(refusal("/op_columns", "7") ==
        "p.json:/op_columns: is no list of names; name columns such as \"source\"");
}

TEST_CASE("columns that are named after the ops come too late") {
  Json plan = Json::parse(kSmall);
  const Json columns = plan["op_columns"];
  plan.erase("op_columns");
  plan["op_columns"] = columns;
  CHECK(refusal_of([&] { read_schedule(plan.dump(), "p.json"); }) ==
        "p.json:/op_columns: stands after \"ops\"; put it before: it says how they are read");
}

TEST_CASE("indices that lead nowhere are refused at their op") {
  CHECK(refusal("/ops/0/1", "7")
            .starts_with("p.json:/ops/0: is no schedule: op 0: copy of data chunk 0 from "
                         "participant 7 to rank 1 "
                         "(gpu1), channel 0: source participant 7 does not exist; there are 2; "));
  CHECK(
      refusal("/ops/0/10", "5")
          .starts_with("p.json:/ops/0: is no schedule: op 0: an edge leads to op 5; there is 1; "));
  CHECK(refusal("/ops/0/6", "4294967295").find("source chunk 4294967295 does not exist") !=
        std::string::npos);
  CHECK(refusal("/groups", "[[0, 7]]").starts_with("p.json:/: is no schedule: "));
  CHECK(refusal("/ops/0/1", "2147483648").starts_with("p.json:/ops/0: is no schedule: "));
  CHECK(refusal("/participants", "[\"gpu0\"]")
            .starts_with("p.json:/: is no schedule: 2 ranks among 1 participant"));
}

TEST_CASE("malformed text is refused at its line, after ops that are well formed") {
  const std::string text(kSmall);
  CHECK(refusal_of([&] {
          read_schedule(text.substr(0, text.size() - 6), "p.json");
        }).starts_with("p.json:15:"));
  CHECK(refusal_of([&] { read_schedule("[[[[", "p.json"); }).starts_with("p.json:1:"));
  CHECK(refusal_of([&] {
          read_schedule(std::string(1'000'000, '['), "p.json");
        }).find("nested deeper than 64") != std::string::npos);
}

}  // namespace
}  // namespace syncsim::schedule_json_test
