#include "strategies/packing/tree_growth.h"

#include "sim/base/error.h"
#include "strategies/packing/hop_choice.h"

namespace syncsim::strategy {
namespace {

class Growth {
 public:
  Growth(RootedTree& tree, int turn, const RankGraph& graph, Prices& prices)
      : tree_(tree),
        turn_(turn),
        graph_(graph),
        prices_(prices),
        reached_(static_cast<std::size_t>(graph.nodes())) {}

  void run() {
    tree_.branches.assign(reached_.size(), Branch{});
    join(tree_.root);
    for (int missing = graph_.ranks() - 1; missing > 0;) {
      const int next = nearest();
      if (next < graph_.ranks()) {
        lead_to(next);
        --missing;
      } else {
        look_on(next);
      }
    }
  }

 private:
  struct Reached {
    Branch branch;
    double distance = kInfinity;  // from what is joined
    int level = 0;
    bool joined = false;
    bool open = false;  // neighbours do not know the distance yet
  };
  Reached& at(int node) { return reached_[static_cast<std::size_t>(node)]; }

  int nearest() {
    int best = -1;
    for (int node = 0; node < graph_.nodes(); ++node)
      if (at(node).open && (best < 0 || at(node).distance < at(best).distance)) best = node;
    require(best >= 0, "ranks that no way joins");
    return best;
  }

  // With the relays on the way.
  void lead_to(int rank) {
    std::vector<int> way;
    for (int node = rank; !at(node).joined; node = graph_.arcs()[at(node).branch.arc].from)
      way.push_back(node);
    bool all_branch = true;
    for (auto node = way.rbegin(); node != way.rend(); ++node) {
      const Branch& branch = at(*node).branch;
      tree_.branches[static_cast<std::size_t>(*node)] = branch;
      at(*node).level = at(graph_.arcs()[branch.arc].from).level + 1;
      prices_.load(branch, turn_, 1);
      join(*node);
      all_branch = all_branch && graph_.branches(*node);
    }
    if (!all_branch) look_anew();
  }

  // Ways that were to lead over a node that now hands on to another are none.
  void look_anew() {
    for (Reached& node : reached_)
      if (!node.joined) node = Reached{};
    for (int node = 0; node < graph_.nodes(); ++node)
      if (at(node).joined && graph_.branches(node)) look_on(node);
  }

  void join(int node) {
    at(node).joined = true;
    at(node).distance = 0;
    at(node).open = false;
    if (graph_.branches(node)) look_on(node);
  }

  void look_on(int node) {
    const Reached& here = at(node);
    at(node).open = false;
    const RankGraph::ArcId first = graph_.first_arc(node);
    const std::size_t arcs = graph_.arcs_from(node).size();
    for (RankGraph::ArcId arc = first; arc < first + arcs; ++arc) {
      Reached& next = at(graph_.arcs()[arc].to);
      if (next.joined) continue;
      Branch branch;
      keep_better(branch, arc, turn_, here.level, Cheap{prices_});
      if (here.distance + branch.price >= next.distance) continue;
      next = {branch, here.distance + branch.price, here.level + 1, false, true};
    }
  }

  RootedTree& tree_;
  int turn_;
  const RankGraph& graph_;
  Prices& prices_;
  std::vector<Reached> reached_;  // by node
};

}  // namespace

void grow(RootedTree& tree, int turn, const RankGraph& graph, Prices& prices) {
  Growth(tree, turn, graph, prices).run();
}

}  // namespace syncsim::strategy
