// What hierarchies are made of: groups, strategies inside and across, chunks.

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "sim/schedule/check.h"
#include "tests/support/refusal.h"
#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::hierarchical_test {
namespace {

using testing::collective_of;
using testing::emitted;
using testing::shelf_machine;

using Kind = CollectiveKind;
using ParameterSet = std::map<std::string, std::string>;

constexpr Kind kKinds[] = {Kind::allreduce,      Kind::reduce,     Kind::broadcast,
                           Kind::reduce_scatter, Kind::all_gather, Kind::barrier};

Schedule on(const Topology& machine, const ParameterSet& parameters, Kind kind = Kind::allreduce,
            std::int64_t bytes = 1'003) {
  const auto ranks = static_cast<int>(machine.ranks().size());
  return emitted(machine,
                 {"hierarchical", collective_of(kind, ranks, bytes, ranks / 2), parameters});
}

std::string refusal(const ParameterSet& parameters, Kind kind = Kind::allreduce) {
  const Topology star(testing::star(5));
  return testing::refusal_of([&] { on(star, parameters, kind); });
}

std::string groups_on(const Topology& machine, const ParameterSet& parameters = {}) {
  return on(machine, parameters).notes.front();
}

std::string verdict(const Topology& machine, const ParameterSet& parameters, Kind kind) {
  std::string result;
  const std::string refused = testing::refusal_of([&] {
    const auto violation = check(on(machine, parameters, kind));
    result = violation ? violation->message : "proved";
  });
  return result.empty() ? refused : result;
}

// Whether it is proved, or else refused because of that strategy.
bool proved_or_refused(const std::string& verdict, const std::string& role) {
  return verdict == "proved" || verdict.starts_with("hierarchical parameter " + role + ": ");
}

}  // namespace

TEST_CASE("any strategy works inside and across, on groups alike or not, or says what it lacks") {
  const Topology machine = testing::star_with_cpu(7, testing::gigabytes(8));
  int proved = 0;
  for (const Strategy& strategy : strategies().rows())
    for (const char* groups : {"3", "6,0,2;1,5;3;4"})
      for (const char* across : {"rails", "leader"})
        for (const char* role : {"inner", "outer"})
          for (const Kind kind : kKinds) {
            if (across == std::string("rails") && has_blocks(kind)) continue;  // of groups alike
            const ParameterSet parameters = {{role, std::string(strategy.name)},
                                             {"groups", groups},
                                             {"across", across},
                                             {"chunks", "2"}};
            CAPTURE(strategy.name);
            CAPTURE(groups);
            CAPTURE(across);
            CAPTURE(role);
            CAPTURE(to_string(kind));
            const std::string found = verdict(machine, parameters, kind);
            CHECK(proved_or_refused(found, role));
            proved += found == "proved";
          }
  CHECK(proved > 400);
}

TEST_CASE("rails of equal groups do blocks too, whatever the order of the ranks") {
  const Topology machine = testing::star_with_cpu(6, testing::gigabytes(8));
  int proved = 0;
  for (const Strategy& strategy : strategies().rows())
    for (const char* groups : {"2", "3", "5,0;1,4;2,3"})
      for (const char* role : {"inner", "outer"})
        for (const Kind kind : {Kind::reduce_scatter, Kind::all_gather}) {
          const ParameterSet parameters = {{role, std::string(strategy.name)},
                                           {"groups", groups},
                                           {"across", "rails"},
                                           {"chunks", "3"}};
          CAPTURE(strategy.name);
          CAPTURE(groups);
          CAPTURE(role);
          CAPTURE(to_string(kind));
          const std::string found = verdict(machine, parameters, kind);
          CHECK(proved_or_refused(found, role));
          proved += found == "proved";
        }
  CHECK(proved > 80);
}

TEST_CASE("on clusters it is proved by rails and by leaders") {
  for (const char* name : {"dgx_a100_x2", "dgx1v_x2", "ethernet_10g_x4"})
    for (const Kind kind : kKinds)
      for (const char* across : {"rails", "leader"}) {
        CAPTURE(name);
        CAPTURE(to_string(kind));
        CHECK(verdict(shelf_machine(name), {{"across", across}, {"chunks", "2"}}, kind) ==
              "proved");
      }
}

TEST_CASE("hierarchies may stand in hierarchies") {
  const Topology machine(testing::star(12));
  for (const Kind kind : kKinds)
    for (const ParameterSet& parameters :
         {ParameterSet{{"groups", "2x3"}}, ParameterSet{{"groups", "3x2"}, {"across", "leader"}},
          ParameterSet{{"groups", "4"},
                       {"inner", "hierarchical(groups=2, inner=halving_doubling)"},
                       {"outer", "hierarchical(groups=0,2;1, outer=ring(rings=1,0))"}}}) {
      CAPTURE(to_string(kind));
      CHECK(verdict(machine, parameters, kind) == "proved");
    }
}

TEST_CASE("groups are boxes, or what is near a cpu, or else all ranks in one") {
  CHECK(groups_on(shelf_machine("dgx_a100_x4")) == "groups: 4 of 8 ranks, across by rails");
  CHECK(groups_on(shelf_machine("dgx1v")) == "groups: 2 of 4 ranks, across by rails");
  const std::vector<std::string> notes = on(Topology(testing::star(3)), {}).notes;
  CHECK(notes == std::vector<std::string>{"inner rings: 0,1,2 (over routes)"});
}

TEST_CASE("by size the last group is smaller where the ranks do not divide") {
  const Topology star(testing::star(7));
  CHECK(groups_on(star, {{"groups", "3"}}) == "groups: 3 of 1 to 3 ranks, across by rails");
  CHECK(groups_on(star, {{"groups", "0-3;4,5,6"}, {"inner", "chain"}}) ==
        "groups: 2 of 3 to 4 ranks, across by leaders");
}

TEST_CASE("what crosses on rails goes between ranks of one number in their boxes") {
  const Schedule schedule =
      on(shelf_machine("dgx_a100_x2"), {{"chunks", "2"}}, Kind::allreduce, 64'000);
  int crossing = 0;
  for (const Op& op : schedule.ops) {
    if (op.source / 8 == op.destination / 8) continue;
    CHECK(op.source % 8 == op.destination % 8);
    ++crossing;
  }
  CHECK(crossing == 2 * 8 * 4);  // chunks, rails, and on each 2 x 2 steps
}

TEST_CASE("phases tell what is inside from what is across") {
  CHECK(on(Topology(testing::star(4)), {{"groups", "2"}, {"outer", "distributed"}}).phases ==
        std::vector<std::string>{"inner reduce-scatter", "outer reduce", "outer broadcast",
                                 "inner all-gather"});
  CHECK(
      on(Topology(testing::star(4)), {{"groups", "2"}, {"chunks", "2"}}, Kind::all_gather).phases ==
      std::vector<std::string>{"arrange", "outer all-gather", "inner all-gather", "bring back"});
}

TEST_CASE("with staged sums it is proved too, whatever adds up inside and across") {
  const Topology machine = shelf_machine("dgx1v");
  for (const auto& [inner, outer] : std::map<std::string, std::string>{
           {"ring", "one_shot"}, {"binomial_tree", "ring"}, {"distributed", "one_shot"}}) {
    CAPTURE(inner + " " + outer);
    const Schedule schedule =
        testing::staged(machine, {"hierarchical",
                                  collective_of(Kind::allreduce, 8, 16'000, 0),
                                  {{"inner", inner}, {"outer", outer}, {"chunks", "4"}}});
    CHECK(!check(schedule));
  }
}

TEST_CASE("many chunks of blocks need no pass each to be cut alike") {
  const Schedule schedule =
      on(Topology(testing::star(7)), {{"groups", "4"}, {"chunks", "64"}}, Kind::all_gather, 28'000);
  CHECK(!check(schedule));
}

TEST_CASE("a strategy inside is named like one outside, with its parameters in brackets") {
  CHECK(refusal({{"inner", "ring(directions=both, chunks=3)"}, {"groups", "2"}}) == "accepted");
  CHECK(refusal({{"inner", "ring( directions = both )"}, {"groups", "2"}}) == "accepted");
  const std::string write = "; write a strategy such as ring or ring(directions=both)";
  CHECK(refusal({{"inner", "rign"}}) ==
        "hierarchical parameter inner: unknown strategy \"rign\"; did you mean \"ring\"?");
  CHECK(refusal({{"inner", "auto"}}) ==
        "hierarchical parameter inner: \"auto\" does not run inside of another strategy; name a "
        "strategy of the list");
  CHECK(refusal({{"outer", "ring(chunk=3)"}, {"groups", "2"}}) ==
        "hierarchical parameter outer: unknown ring parameter \"chunk\"; did you mean \"chunks\"?");
  CHECK(refusal({{"inner", "ring(chunks=0)"}})
            .starts_with("hierarchical parameter inner: ring parameter chunks: "));
  CHECK(refusal({{"inner", "ring(chunks=2"}}) ==
        "hierarchical parameter inner: \"ring(chunks=2\" has no closing bracket" + write);
  CHECK(refusal({{"inner", "ring(chunks=2))"}}) ==
        "hierarchical parameter inner: \"ring(chunks=2))\" has brackets that do not match" + write);
  CHECK(refusal({{"inner", "ring(both)"}}) ==
        "hierarchical parameter inner: \"ring(both)\" has \"both\", which is no name=value" +
            write);
  CHECK(refusal({{"inner", "ring(chunks=2, chunks=3)"}}) ==
        "hierarchical parameter inner: \"ring(chunks=2, chunks=3)\" gives chunks twice" + write);
  const std::string deep = "hierarchical(inner=" + std::string(9, '(') + std::string(9, ')') + ")";
  CHECK(refusal({{"inner", deep}}) ==
        "hierarchical parameter inner: \"" + deep + "\" has brackets more than 8 deep" + write);
}

TEST_CASE("what the strategies inside and across do not do is said") {
  CHECK(refusal({{"inner", "bruck"}, {"groups", "2"}})
            .starts_with("hierarchical parameter inner: \"bruck\" does not do reduce, which is "
                         "needed here; choose one of binary_tree, "));
  CHECK(refusal({{"inner", "chain"}, {"groups", "2"}, {"across", "rails"}})
            .starts_with("hierarchical parameter inner: \"chain\" does not do reduce-scatter"));
  CHECK(refusal({{"outer", "swing"}, {"groups", "2"}}, Kind::reduce)
            .starts_with("hierarchical parameter outer: \"swing\" does not do reduce"));
  CHECK(refusal({{"groups", "2"}, {"across", "rails"}}, Kind::all_gather) ==
        "hierarchical parameter across: rails of all-gather need groups of one size, but there "
        "are 3 of 1 to 2 ranks; write across=leader, or other groups");
}

TEST_CASE("groups are sizes, or lists that name every rank once") {
  const std::string write = "; write auto, sizes such as 8 or 4x8, or ranks such as \"0-3;4-7\"";
  const auto refused = [&](const std::string& text) { return refusal({{"groups", text}}); };
  const auto wrong = [&](const std::string& text, const std::string& why) {
    return "hierarchical parameter groups: \"" + text + "\" " + why + write;
  };
  const std::string none = "is no size, and no list of up to 8 sizes with an x between";
  for (const std::string text : {"racks", "2x", "0", "2x2x2x2x2x2x2x2x2"})
    CHECK(refused(text) == wrong(text, none));
  CHECK(refused("6") == wrong("6", "has groups of 6, but there are 5 ranks"));
  CHECK(refused("5") == "accepted");
  CHECK(refused("4x2") == wrong("4x2", "has groups of 4, but there are 3 groups"));
  CHECK(refused("3x2") == "accepted");
  CHECK(refused("2x5") == wrong("2x5", "has groups of 2, but there is 1 group"));
  CHECK(refused("0-2;4") == wrong("0-2;4", "leaves out rank 3"));
  CHECK(refused("0-2;2-4") == wrong("0-2;2-4", "names rank 2 twice"));
  CHECK(refused("0-5") == wrong("0-5", "names rank 5 of 5"));
  CHECK(
      refused("0-3;") ==
      "hierarchical parameter groups: ranks \"\": a rank is missing or too large; write ranks and "
      "ranges such as \"0-3\" or \"0,2,5-7\"");
}

}  // namespace syncsim::hierarchical_test
