// Which torus swing and torus_rings cross, and how they share the data.

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/refusal.h"
#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::torus_test {
namespace {

using testing::collective_of;
using testing::emitted;
using ParameterSet = std::map<std::string, std::string>;

constexpr auto kAllreduce = CollectiveKind::allreduce;

Topology grid(const std::string& kind, const std::string& lengths) {
  return testing::grid(kind, lengths, "8 GB/s");
}

Schedule on(const Topology& machine, const std::string& strategy,
            const ParameterSet& parameters = {}) {
  const auto ranks = static_cast<int>(machine.ranks().size());
  return emitted(machine, {strategy, collective_of(kAllreduce, ranks, 96'000), parameters});
}

std::string note(const Topology& machine, const std::string& strategy) {
  const std::vector<std::string> notes = on(machine, strategy).notes;
  REQUIRE(notes.size() == 1);
  return notes.front();
}

std::string refusal(const std::string& strategy, const ParameterSet& parameters) {
  const Topology machine(testing::star(8));
  return testing::refusal_of([&] { on(machine, strategy, parameters); });
}

using Hop = std::pair<ParticipantId, ParticipantId>;

std::vector<Hop> hops_from(const Schedule& schedule, ParticipantId rank, std::uint16_t channel) {
  std::vector<Hop> result;
  for (const Op& op : schedule.ops)
    if (op.source == rank && op.channel == channel && schedule.moves_data(op))
      result.push_back({op.source, op.destination});
  return result;
}

std::set<int> channels(const Schedule& schedule) {
  std::set<int> result;
  for (const Op& op : schedule.ops) result.insert(op.channel);
  return result;
}

}  // namespace

TEST_CASE("torus_rings finds the torus or mesh that the links between ranks form") {
  CHECK(note(testing::shelf_machine("tpu_v4_4x4x4"), "torus_rings") ==
        "dimensions: 4x4x4, as in the machine");
  CHECK(note(grid("torus", "3, 5"), "torus_rings") == "dimensions: 3x5, as in the machine");
  CHECK(note(grid("mesh", "3, 2, 4"), "torus_rings") == "dimensions: 3x2x4, as in the machine");
  CHECK(note(grid("torus", "2, 2, 2, 2"), "torus_rings") ==
        "dimensions: 2x2x2x2, as in the machine");
  CHECK(note(grid("torus", "7"), "torus_rings") == "dimensions: 7, as in the machine");
}

TEST_CASE("without such links torus_rings takes two dimensions as equal as can be") {
  for (const auto& [ranks, expected] : std::map<int, std::string>{
           {1, "1"}, {2, "2"}, {4, "2x2"}, {6, "2x3"}, {7, "7"}, {12, "3x4"}, {16, "4x4"}})
    CHECK(note(Topology(testing::star(ranks)), "torus_rings") == "dimensions: " + expected);
  CHECK(note(Topology(testing::full_mesh(8)), "torus_rings") == "dimensions: 2x4");
  CHECK(note(testing::shelf_machine("dgx1v"), "torus_rings") == "dimensions: 2x4");
}

TEST_CASE(
    "swing takes the machine's torus where its lengths are powers of two, else one dimension") {
  CHECK(note(testing::shelf_machine("tpu_v4_4x4x4"), "swing") == "dimensions: 4x4x4");
  CHECK(note(grid("torus", "2, 8"), "swing") == "dimensions: 2x8");
  CHECK(note(grid("torus", "3, 4"), "swing") == "dimensions: 8");
  CHECK(note(Topology(testing::star(16)), "swing") == "dimensions: 16");
}

TEST_CASE("swing meets the ranks 1, 1, 3 and 5 away, in turn to either side") {
  const Schedule schedule =
      on(Topology(testing::star(16)), "swing", {{"starts", "first"}, {"directions", "one"}});
  CHECK(hops_from(schedule, 0, 0) ==
        std::vector<Hop>{{0, 1}, {0, 15}, {0, 3}, {0, 11}, {0, 11}, {0, 3}, {0, 15}, {0, 1}});
  CHECK(hops_from(schedule, 1, 0) ==
        std::vector<Hop>{{1, 0}, {1, 2}, {1, 14}, {1, 6}, {1, 6}, {1, 14}, {1, 2}, {1, 0}});
}

TEST_CASE("a mirrored swing meets the ranks on the other side") {
  const Schedule schedule = on(Topology(testing::star(8)), "swing");
  CHECK(hops_from(schedule, 0, 1) ==
        std::vector<Hop>{{0, 7}, {0, 1}, {0, 5}, {0, 5}, {0, 1}, {0, 7}});
}

TEST_CASE("swing takes the dimensions in turn, each share beginning in another") {
  const Schedule schedule = on(grid("torus", "4, 4"), "swing", {{"directions", "one"}});
  CHECK(hops_from(schedule, 0, 0) ==
        std::vector<Hop>{{0, 4}, {0, 1}, {0, 12}, {0, 3}, {0, 3}, {0, 12}, {0, 1}, {0, 4}});
  CHECK(hops_from(schedule, 0, 1) ==
        std::vector<Hop>{{0, 1}, {0, 4}, {0, 3}, {0, 12}, {0, 12}, {0, 3}, {0, 4}, {0, 1}});
}

TEST_CASE("torus_rings goes to the next rank of a dimension, or backward, dimension by dimension") {
  const Schedule schedule = on(grid("torus", "2, 3"), "torus_rings");
  CHECK(hops_from(schedule, 0, 0) ==
        std::vector<Hop>{{0, 3}, {0, 1}, {0, 1}, {0, 1}, {0, 1}, {0, 3}});
  CHECK(hops_from(schedule, 0, 1) ==
        std::vector<Hop>{{0, 3}, {0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 3}});
  CHECK(hops_from(schedule, 0, 2) ==
        std::vector<Hop>{{0, 1}, {0, 1}, {0, 3}, {0, 3}, {0, 1}, {0, 1}});
}

TEST_CASE("each start and direction is a share of the data on a channel of its own") {
  const Topology machine = grid("torus", "4, 4");
  for (const char* strategy : {"swing", "torus_rings"}) {
    CAPTURE(strategy);
    CHECK(channels(on(machine, strategy)).size() == 4);
    CHECK(channels(on(machine, strategy, {{"directions", "one"}})).size() == 2);
    CHECK(channels(on(machine, strategy, {{"starts", "first"}})).size() == 2);
    CHECK(channels(on(machine, strategy, {{"starts", "first"}, {"directions", "one"}})).size() ==
          1);
  }
}

TEST_CASE("dimensions that are none of the ranks' are refused") {
  const std::string right = "; write lengths whose product is 8, joined by x, such as \"4x2\"";
  for (const std::string strategy : {"swing", "torus_rings"}) {
    const std::string begin = strategy + " parameter dimensions: ";
    CHECK(refusal(strategy, {{"dimensions", "2x2"}}) ==
          begin + "\"2x2\" has fewer places than the 8 ranks" + right);
    CHECK(refusal(strategy, {{"dimensions", "4x4"}}) ==
          begin + "\"4x4\" has more places than the 8 ranks" + right);
    for (const std::string text : {"", "x", "4x", "4,2", "0x8", "-2x-4", "9", "99999999999999"})
      CHECK(refusal(strategy, {{"dimensions", text}}) ==
            begin + "\"" + text + "\" is no list of lengths from 1 to 8" + right);
  }
}

TEST_CASE("swing refuses lengths that are no powers of two") {
  const Topology machine(testing::star(6));
  CHECK(testing::refusal_of([&] {
          on(machine, "swing", {{"dimensions", "2x3"}});
        }) ==
        "swing parameter dimensions: 2x3 has a length of no power of two; write powers of two; "
        "auto folds other numbers of ranks");
}

TEST_CASE("starts and directions have two values each") {
  CHECK(refusal("swing", {{"starts", "all"}}) ==
        "swing parameter starts: unknown choice \"all\"; choose one of first, each");
  CHECK(refusal("torus_rings", {{"directions", "two"}}) ==
        "torus_rings parameter directions: unknown choice \"two\"; choose one of one, both");
}

}  // namespace syncsim::torus_test
