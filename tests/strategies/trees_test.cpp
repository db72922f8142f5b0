// Trees, chains and direct sends: who sends to whom, in how many pieces.

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/refusal.h"
#include "tests/support/runs.h"
#include "tests/support/schedules.h"

namespace syncsim::trees_test {
namespace {

using testing::collective_of;
using testing::emitted;
using testing::shelf_machine;
using testing::Task;

using Kind = CollectiveKind;
using ParameterSet = std::map<std::string, std::string>;
using Hop = std::pair<ParticipantId, ParticipantId>;
using Hops = std::set<Hop>;

Schedule on_star(int ranks, const std::string& strategy, Kind kind, ParameterSet parameters = {},
                 int root = 0, std::int64_t bytes = 64'000) {
  return emitted(Topology(testing::star(ranks)),
                 {strategy, collective_of(kind, ranks, bytes, root), std::move(parameters)});
}

Hops hops(const Schedule& schedule, const std::string& phase, int channel = 0) {
  Hops result;
  for (const Op& op : schedule.ops)
    if (schedule.moves_data(op) && schedule.phases[op.phase] == phase && op.channel == channel)
      result.insert({op.source, op.destination});
  return result;
}

Hops reversed(const Hops& hops) {
  Hops result;
  for (const auto& [from, to] : hops) result.insert({to, from});
  return result;
}

// "0>2 4", with the bytes, in order of emission.
std::vector<std::string> messages(const Schedule& schedule) {
  std::vector<std::string> result;
  for (const Op& op : schedule.ops)
    if (schedule.moves_data(op))
      result.push_back(std::to_string(op.source) + ">" + std::to_string(op.destination) + " " +
                       std::to_string(schedule.bytes(op).count));
  return result;
}

std::map<ParticipantId, int> children(const Hops& down) {
  std::map<ParticipantId, int> result;
  for (const auto& [from, to] : down) ++result[from];
  return result;
}

std::size_t transfers(const Schedule& schedule) { return messages(schedule).size(); }

std::string refusal(const std::string& strategy, const ParameterSet& parameters) {
  return testing::refusal_of([&] { on_star(4, strategy, Kind::allreduce, parameters); });
}

// The hops down both trees of a double binary tree.
std::vector<Hops> both_trees(int ranks, Kind kind, int root = 0) {
  const Schedule schedule = on_star(ranks, "double_binary_tree", kind, {}, root);
  return {hops(schedule, "broadcast", 0), hops(schedule, "broadcast", 1)};
}

}  // namespace

TEST_CASE("a binomial tree halves the distance with every step, counted from the root") {
  CHECK(hops(on_star(8, "binomial_tree", Kind::broadcast), "broadcast") ==
        Hops{{0, 4}, {0, 2}, {0, 1}, {4, 6}, {4, 5}, {2, 3}, {6, 7}});
  CHECK(hops(on_star(5, "binomial_tree", Kind::reduce, {}, 3), "reduce") ==
        Hops{{4, 3}, {0, 3}, {1, 0}, {2, 3}});
}

TEST_CASE("a binomial tree moves the blocks of a subtree together") {
  CHECK(messages(on_star(4, "binomial_tree", Kind::gather, {}, 0, 8)) ==
        std::vector<std::string>{"3>2 2", "1>0 2", "2>0 4"});
  CHECK(messages(on_star(4, "binomial_tree", Kind::scatter, {}, 0, 8)) ==
        std::vector<std::string>{"0>2 4", "0>1 2", "2>3 2"});
  // From root 1 ranks 3 and 0 are one subtree, whose blocks lie apart.
  CHECK(messages(on_star(4, "binomial_tree", Kind::scatter, {}, 1, 8)) ==
        std::vector<std::string>{"1>3 2", "1>3 2", "1>2 2", "3>0 2"});
}

TEST_CASE("a binary tree is a heap of the ranks, counted from the root") {
  CHECK(hops(on_star(6, "binary_tree", Kind::broadcast), "broadcast") ==
        Hops{{0, 1}, {0, 2}, {1, 3}, {1, 4}, {2, 5}});
  CHECK(hops(on_star(4, "binary_tree", Kind::reduce, {}, 2), "reduce") ==
        Hops{{3, 2}, {0, 2}, {1, 3}});
}

TEST_CASE("an allreduce goes up and down the same tree") {
  for (const char* strategy : {"binary_tree", "binomial_tree", "chain", "double_binary_tree"}) {
    CAPTURE(strategy);
    const Schedule schedule = on_star(7, strategy, Kind::allreduce);
    CHECK(schedule.phases == std::vector<std::string>{"reduce", "broadcast"});
    for (const int channel : {0, 1})
      CHECK(hops(schedule, "broadcast", channel) == reversed(hops(schedule, "reduce", channel)));
  }
}

TEST_CASE("eight ranks form the double binary tree of NCCL") {
  const std::vector<Hops> trees = both_trees(8, Kind::allreduce);
  CHECK(trees[0] == Hops{{0, 4}, {4, 2}, {4, 6}, {2, 1}, {2, 3}, {6, 5}, {6, 7}});
  CHECK(trees[1] == Hops{{7, 3}, {3, 5}, {3, 1}, {5, 6}, {5, 4}, {1, 2}, {1, 0}});
}

TEST_CASE("five ranks form the double binary tree of NCCL, shifted by one") {
  const std::vector<Hops> trees = both_trees(5, Kind::allreduce);
  CHECK(trees[0] == Hops{{0, 4}, {4, 2}, {2, 1}, {2, 3}});
  CHECK(trees[1] == Hops{{1, 0}, {0, 3}, {3, 2}, {3, 4}});
}

TEST_CASE("every rank is a leaf of one tree and inner in the other - one of an odd number is not") {
  for (int ranks = 2; ranks <= 40; ++ranks) {
    const std::vector<Hops> trees = both_trees(ranks, Kind::allreduce);
    auto first = children(trees[0]);
    auto second = children(trees[1]);
    int exceptions = 0;
    for (ParticipantId rank = 0; rank < static_cast<ParticipantId>(ranks); ++rank) {
      CAPTURE(ranks);
      CAPTURE(rank);
      CHECK(first[rank] + second[rank] <= 2);
      exceptions += (first[rank] == 0) == (second[rank] == 0);
    }
    CHECK(exceptions == ranks % 2);
  }
}

TEST_CASE("both trees of a reduce or a broadcast have its root, and the others two children") {
  for (int ranks = 2; ranks <= 40; ++ranks)
    for (const int root : {0, ranks / 2, ranks - 1}) {
      CAPTURE(ranks);
      CAPTURE(root);
      const std::vector<Hops> trees = both_trees(ranks, Kind::broadcast, root);
      std::map<ParticipantId, int> served;
      for (const Hops& tree : trees) {
        CHECK(children(tree)[static_cast<ParticipantId>(root)] == 1);
        for (const auto& [rank, count] : children(tree)) served[rank] += count;
      }
      for (const auto& [rank, count] : served) CHECK(count <= 2);
    }
}

TEST_CASE("each of two trees carries half of the data") {
  const Schedule schedule = on_star(6, "double_binary_tree", Kind::broadcast, {}, 0, 1'000);
  std::map<int, std::int64_t> bytes;
  for (const Op& op : schedule.ops) bytes[op.channel] += schedule.bytes(op).count;
  CHECK(bytes == std::map<int, std::int64_t>{{0, 5 * 500}, {1, 5 * 500}});
}

TEST_CASE("trees over nodes: a chain in each, and two binary trees of their heads, for each ring") {
  const Topology machine = shelf_machine("dgx_a100_x4");
  const Schedule schedule = emitted(
      machine, {"node_trees", collective_of(Kind::allreduce, 32, 1 << 20), {{"chunks", "2"}}});
  std::set<ParticipantId> heads;  // of node 0
  for (int channel = 0; channel < 16; ++channel) {
    CAPTURE(channel);
    const Hops up = hops(schedule, "reduce", channel);  // two trees a nic
    CHECK(up.size() == 31);
    CHECK(hops(schedule, "broadcast", channel) == reversed(up));
    int across = 0;
    for (const auto& [from, to] : up) {
      if (from / 8 == to / 8) continue;
      ++across;
      for (const ParticipantId end : {from, to})
        if (end / 8 == 0) heads.insert(end);
      CHECK(from % 8 == to % 8);  // by the same nic of both
    }
    CHECK(across == 3);
  }
  CHECK(hops(schedule, "reduce", 16).empty());
  CHECK(heads.size() == 8);  // so that every nic has work
}

TEST_CASE("trees over two nodes use every nic both ways at once") {
  const Task task{"node_trees", collective_of(Kind::allreduce, 16, 1 << 30), {{"chunks", "64"}}};
  const Topology machine = shelf_machine("dgx_a100_x2");
  const double time = seconds(execute_simulated(emitted(machine, task), machine, {}).finish);
  CHECK(time == doctest::Approx((1 << 30) / 200e9).epsilon(0.15));
  CHECK(time > (1 << 30) / 200e9);
}

TEST_CASE("in one node the trees are the chains of its rings") {
  const Schedule schedule =
      emitted(shelf_machine("dgx1v"), {"node_trees", collective_of(Kind::allreduce, 8, 1 << 20)});
  const std::map<ParticipantId, int> below = children(reversed(hops(schedule, "reduce")));
  for (const auto& [rank, count] : below) CHECK(count == 1);
  CHECK(below.size() == 7);
}

TEST_CASE("a chain follows the direct links of the machine, beginning at the root") {
  const Topology machine = shelf_machine("dgx1v");
  const Collective broadcast = collective_of(Kind::broadcast, 8, 64, 5);
  CHECK(hops(emitted(machine, {"chain", broadcast}), "broadcast") ==
        Hops{{5, 6}, {6, 7}, {7, 4}, {4, 0}, {0, 3}, {3, 2}, {2, 1}});
}

TEST_CASE("a given path is taken as it is, in two arms where the root lies inside") {
  CHECK(hops(on_star(5, "chain", Kind::broadcast, {{"path", "4,2,0,1,3"}}), "broadcast") ==
        Hops{{0, 2}, {2, 4}, {0, 1}, {1, 3}});
}

TEST_CASE("a chain scatters the farthest block first, and gathers the nearest one first") {
  CHECK(messages(on_star(3, "chain", Kind::scatter, {}, 0, 6)) ==
        std::vector<std::string>{"0>1 2", "1>2 2", "0>1 2"});
  CHECK(messages(on_star(3, "chain", Kind::gather, {}, 0, 6)) ==
        std::vector<std::string>{"1>0 2", "2>1 2", "1>0 2"});
}

TEST_CASE("the naive ring hands the whole buffer from rank to rank, twice around") {
  CHECK(messages(on_star(3, "naive_ring", Kind::allreduce, {}, 0, 6)) ==
        std::vector<std::string>{"1>2 6", "2>0 6", "0>1 6", "1>2 6"});
  CHECK(messages(on_star(3, "naive_ring", Kind::reduce, {{"ring", "0,2,1"}}, 1, 6)) ==
        std::vector<std::string>{"0>2 6", "2>1 6"});
}

TEST_CASE("one_shot sends all to all, and every rank adds up by itself") {
  const Schedule schedule = on_star(3, "one_shot", Kind::allreduce, {}, 0, 6);
  CHECK(hops(schedule, "exchange") ==
        Hops{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}});
  CHECK(hops(on_star(3, "one_shot", Kind::reduce, {}, 1), "reduce") == Hops{{0, 1}, {2, 1}});
  CHECK(hops(on_star(3, "one_shot", Kind::scatter, {}, 1), "scatter") == Hops{{1, 0}, {1, 2}});
  CHECK(hops(on_star(3, "one_shot", Kind::send_recv), "send-recv") == Hops{{0, 1}, {1, 2}, {2, 0}});
}

TEST_CASE("the automatic number of chunks is sqrt(hops x size / 64 KiB), from 1 to 256") {
  const auto chunks = [](const char* strategy, Kind kind, std::int64_t bytes) {
    return transfers(on_star(5, strategy, kind, {}, 0, bytes)) /
           (kind == Kind::allreduce ? 8u : 4u);
  };
  CHECK(chunks("chain", Kind::broadcast, 3) == 1);
  CHECK(chunks("chain", Kind::broadcast, 65'536) == 2);
  CHECK(chunks("chain", Kind::broadcast, 64 << 20) == 64);
  CHECK(chunks("binary_tree", Kind::broadcast, 2 << 20) == 8);
  CHECK(chunks("binary_tree", Kind::allreduce, 1 << 20) == 8);
  CHECK(chunks("chain", Kind::broadcast, std::int64_t{1} << 40) == 256);
  CHECK(chunks("binomial_tree", Kind::broadcast, 1 << 30) == 1);
}

TEST_CASE("trees, chains and direct sends refuse parameter values that they cannot follow") {
  CHECK(refusal("binary_tree", {{"chunks", "0"}}) ==
        "binary_tree parameter chunks: \"0\" is out of range; write one from 1 to 1000000");
  CHECK(refusal("one_shot", {{"order", "seq"}}) ==
        "one_shot parameter order: unknown choice \"seq\"; choose one of together, sequential");
  CHECK(refusal("chain", {{"path", "0,1,2"}}) ==
        "chain parameter path: ring \"0,1,2\" leaves out rank 3; name each of the ranks 0 to 3 "
        "once, separated by commas, such as \"0,1,2\" or \"0,1,2 x2\"");
  for (const char* several : {"0,1,2,3; 0,2,1,3", "0,1,2,3 x2", "nic0>0,1,2,3"})
    CHECK(refusal("naive_ring", {{"ring", several}}) ==
          "naive_ring parameter ring: gives more than the order of the ranks; write one order "
          "alone, such as \"0,1,2\"");
}

TEST_CASE("a tree refuses what goes to each rank in parts") {
  CHECK(testing::refusal_of([] { on_star(4, "binary_tree", Kind::all_gather); }) ==
        "strategy \"binary_tree\" does not do all-gather; choose one of allreduce, reduce, "
        "broadcast, barrier");
}

}  // namespace syncsim::trees_test
