#include <doctest/doctest.h>

#include "sim/schedule/strategy.h"
#include "tests/schedule/schedule_text.h"

namespace syncsim::parameters_test {
namespace {

const ParameterRow kRows[] = {{"chunks", "8", "pieces of each part"},
                              {"order", "ring", "order of the sends"},
                              {"label", "", "any text"}};

using Given = std::map<std::string, std::string>;

Parameters parameters(const Given& given) { return {"star", kRows, given}; }

// Two gpus on a switch; the ranks are listed backward.
Topology two_gpus() {
  Topology::Parts parts;
  parts.name = "pair";
  parts.nodes.resize(3);
  parts.nodes[0].id = "left";
  parts.nodes[1].id = "right";
  parts.nodes[2].id = "hub";
  parts.nodes[2].kind = NodeKind::switch_;
  const auto cable = [&](NodeId a, NodeId b) {
    Link link;
    link.from = a;
    link.to = b;
    link.bandwidth = link.usable = {1e9};
    parts.links.push_back(link);
    std::swap(link.from, link.to);
    parts.links.push_back(link);
  };
  cable(0, 2);
  cable(1, 2);
  parts.ranks = {1, 0};
  return Topology(parts);
}

// Every rank's data to rank 0 and back, in `chunks` pieces.
Strategy star() {
  return {"star",
          "everything to rank 0 and back",
          {std::begin(kRows), std::end(kRows)},
          {CollectiveKind::allreduce, CollectiveKind::reduce},
          [](const StrategyInput& input, ScheduleBuilder& builder) {
            const auto chunks = static_cast<int>(input.parameters.integer("chunks", 1, 64));
            for (const Slice& piece : builder.split(builder.data(), chunks))
              for (ParticipantId rank = 1; rank < input.ranks.size(); ++rank) {
                builder.reduce(rank, 0, piece);
                builder.copy(0, rank, piece);
              }
          }};
}

Schedule emitted(const Collective& collective, const Given& given) {
  const Topology topology = two_gpus();
  return emit(star(), topology, topology.ranks(), collective, parameters(given));
}

}  // namespace

TEST_CASE("every declared parameter is present, given or by default") {
  const Parameters given = parameters({{"order", "tree"}});
  CHECK(given.all() == Given{{"chunks", "8"}, {"label", ""}, {"order", "tree"}});
  CHECK(given.text("order") == "tree");
  CHECK(given.text("chunks") == "8");
  CHECK(given.integer("chunks", 1, 64) == 8);
}

TEST_CASE("changed parameters are those that differ from the default, not those given") {
  CHECK(parameters({{"order", "tree"}, {"chunks", "8"}}).changed() == Given{{"order", "tree"}});
  CHECK(parameters({}).changed().empty());
}

TEST_CASE("a parameter that the strategy does not declare is refused with the closest one") {
  const auto refusal = [](const Given& given) { return failure([&] { parameters(given); }); };
  CHECK(refusal({{"chunk", "8"}}) == R"(unknown star parameter "chunk"; did you mean "chunks"?)");
  CHECK(refusal({{"overlap", "8"}}) ==
        R"(unknown star parameter "overlap"; choose one of chunks, label, order)");
  CHECK(failure([] {
          Parameters("flat", {}, {{"chunks", "8"}});
        }) == R"(unknown flat parameter "chunks"; there are none)");
}

TEST_CASE("an integer is a whole number in its range, both ends included") {
  const auto read = [](const std::string& text) {
    return parameters({{"chunks", text}}).integer("chunks", -1, 64);
  };
  CHECK(read("-1") == -1);
  CHECK(read("64") == 64);
  const auto refusal = [&](const std::string& text) { return failure([&] { read(text); }); };
  CHECK(refusal("65") == R"(star parameter chunks: "65" is out of range; write one from -1 to 64)");
  CHECK(refusal("-2") == R"(star parameter chunks: "-2" is out of range; write one from -1 to 64)");
  for (const char* text : {"many", "8.5", "8 ", " 8", "+8", "0x8", ""})
    CHECK(refusal(text) == "star parameter chunks: \"" + std::string(text) +
                               "\" is no whole number; write one from -1 to 64");
  CHECK(refusal("9223372036854775808") ==
        "star parameter chunks: \"9223372036854775808\" is out "
        "of range; write one from -1 to 64");
}

TEST_CASE("a choice is one of the choices, exactly") {
  const auto read = [](const std::string& text) {
    return std::string(parameters({{"order", text}}).choice("order", {"ring", "tree"}));
  };
  CHECK(read("ring") == "ring");
  CHECK(read("tree") == "tree");
  CHECK(failure([&] { read("trees"); }) ==
        R"(star parameter order: unknown choice "trees"; did you mean "tree"?)");
  CHECK(failure([&] { read(""); }) ==
        R"(star parameter order: unknown choice ""; choose one of ring, tree)");
}

TEST_CASE("reading a parameter that the row does not declare is an internal error") {
  CHECK_THROWS_WITH_AS(parameters({}).text("speed"),
                       "strategy star reads parameter \"speed\", which its row does not declare",
                       InternalError);
}

TEST_CASE("emit names ranks by their nodes and passes parameters on") {
  const Schedule schedule = emitted(allreduce(2, 8), {{"chunks", "2"}});
  CHECK(schedule.participants == std::vector<std::string>{"right", "left"});
  CHECK(lines(schedule) == Lines{"reduce 1>0 data 0 -> 1", "copy 0>1 data 0",
                                 "reduce 1>0 data 1 -> 3", "copy 0>1 data 1"});
}

TEST_CASE("emit refuses a collective that the strategy does not do and one that is not sound") {
  Collective collective{CollectiveKind::broadcast, 2, {8}, "float32", 0};
  CHECK_THROWS_WITH_AS(emitted(collective, {}),
                       "strategy \"star\" does not do broadcast; choose one of allreduce, reduce",
                       InputError);
  collective.kind = CollectiveKind::reduce;
  collective.bytes = {6};
  CHECK_THROWS_WITH_AS(emitted(collective, {}),
                       "6 B is no multiple of float32's 4 bytes; write 4 B or 8 B", InputError);
  CHECK_THROWS_WITH_AS(emitted(allreduce(3, 9), {}),
                       "a schedule needs one node for every rank of its collective", InternalError);
}

}  // namespace syncsim::parameters_test
