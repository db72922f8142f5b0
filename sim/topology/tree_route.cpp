#include "sim/topology/tree_route.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "sim/base/error.h"
#include "sim/topology/best_paths.h"

namespace syncsim {
namespace {

// What one pass over a link, or through a node, uses of the resource.
double coefficient(const Route& way, const Resources& resources, ResourceId resource) {
  const auto is_it = [&](const ResourceUse& use) { return use.resource == resource; };
  const auto use = std::find_if(way.uses.begin(), way.uses.end(), is_it);
  const auto passes = std::count_if(way.links.begin(), way.links.end(), [&](LinkId link) {
    return resources.of_link(link) == resource;
  });
  return use->coefficient / static_cast<double>(std::max<std::ptrdiff_t>(passes, 1));
}

bool contains(const std::vector<NodeId>& nodes, NodeId node) {
  return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

class Tree {
 public:
  Tree(const Topology& topology, const Resources& resources, TreeKind kind, NodeId root)
      : topology_(topology), resources_(resources), kind_(kind), root_(root) {
    nodes_[root] = {root, 0, 0, {}};
  }

  void add(const Route& way) {
    if (way.links.empty()) return;
    route_.route_class = std::max(route_.route_class, way.route_class);
    route_.hops = std::max(route_.hops, way.hops);
    route_.staged_freely.insert(route_.staged_freely.end(), way.staged_freely.begin(),
                                way.staged_freely.end());
    const NodeId member = link(way.links.front()).from;
    if (nodes_.contains(member)) return join(member, member);
    const std::size_t first = branches_.size();
    const std::vector<NodeId> joined = follow(way, member);
    for (std::size_t i = branches_.size(); i-- > first;) take(branches_[i], member, way);
    for (const NodeId node : joined) join(node, member);
    route_.latency = std::max(route_.latency, nodes_.at(member).onward);
  }

  void add_root() {
    std::vector<Turn> turns;
    each_branch_into(root_, [&](const Branch& branch) {
      turns.push_back({branch, {}, link(branch.link).from});
    });
    for (std::size_t i = 0; i < turns.size(); ++i) climb(Turn(turns[i]), turns);
  }

  Route finish(bool root_takes_part) {
    for (const NodeId node : order_) {
      const State& state = nodes_.at(node);
      if (state.ways > 1) add_up(node, state.incoming);
    }
    if (!root_takes_part) add_up(root_, nodes_.at(root_).incoming);
    route_.bottleneck = bottleneck(resources_, route_.uses);
    return std::move(route_);
  }

 private:
  // A link towards the root.
  struct Branch {
    LinkId link = 0;
    double share = 0;
  };
  struct State {
    NodeId member = 0;    // the first whose way passes
    int ways = 1;         // that come together here, a member's own one of them
    double incoming = 0;  // of the flow, by all branches
    Time onward;          // to the root
  };
  // What the root has, on its way up `branch` to a node that can turn it.
  struct Turn {
    Branch branch;
    Time climbed;
    NodeId first;  // node above the root
  };

  const Link& link(LinkId id) const { return topology_.links()[id]; }
  // As the flow passes it: links 2c and 2c + 1 are the directions of one cable.
  LinkId passed(LinkId towards) const { return kind_ == TreeKind::reduce ? towards : towards ^ 1u; }

  template <class Act>
  void each_branch_into(NodeId node, Act&& act) const {
    for (const Branch& branch : branches_)
      if (link(branch.link).to == node) act(branch);
  }

  // Appends the way's links up to the tree; returns where it meets the tree.
  std::vector<NodeId> follow(const Route& way, NodeId member) {
    std::vector<NodeId> reached{member};
    std::vector<NodeId> joined;
    for (const LinkId id : way.links) {
      if (!contains(reached, link(id).from)) continue;
      branches_.push_back({id, coefficient(way, resources_, resources_.of_link(id))});
      std::vector<NodeId>& ends = nodes_.contains(link(id).to) ? joined : reached;
      if (!contains(ends, link(id).to)) ends.push_back(link(id).to);
    }
    return joined;
  }

  // What is nearer to the root has been taken before.
  void take(const Branch& branch, NodeId member, const Route& way) {
    const NodeId node = link(branch.link).from;
    State& next = nodes_.at(link(branch.link).to);
    next.incoming += branch.share;
    const Time onward = pass(branch) + next.onward;
    const auto [known, added] = nodes_.try_emplace(node, State{member, 1, 0, onward});
    known->second.onward = std::max(known->second.onward, onward);
    if (!added) return;
    order_.push_back(node);
    const auto transit = node == member ? std::nullopt : resources_.transit(node);
    if (transit) use(*transit, coefficient(way, resources_, *transit));
  }

  void join(NodeId node, NodeId member) {
    State& state = nodes_.at(node);
    if (++state.ways == 1) state.member = member;
    if (state.ways > 1 && !can(node)) throw unable(node, state.member, member);
  }

  void climb(const Turn& turn, std::vector<Turn>& turns) {
    const NodeId node = link(turn.branch.link).from;
    const Time climbed = turn.climbed + pass({turn.branch.link ^ 1u, turn.branch.share});
    State& state = nodes_.at(node);
    if (can(node)) {
      ++state.ways;
      state.incoming += turn.branch.share;
      route_.latency = std::max(route_.latency, climbed + state.onward);
      return;
    }
    if (const auto transit = resources_.transit(node)) use(*transit, turn.branch.share);
    if (contains(climbed_, node)) return;  // by another branch of a stripe
    climbed_.push_back(node);
    const std::size_t before = turns.size();
    each_branch_into(node, [&](const Branch& branch) {
      turns.push_back({branch, climbed, turn.first});
    });
    if (turns.size() == before) throw unable(turn.first, root_, nodes_.at(turn.first).member);
  }

  // Returns the link's latency.
  Time pass(const Branch& branch) {
    const Link& self = link(passed(branch.link));
    route_.links.push_back(passed(branch.link));
    route_.overhead = std::max(route_.overhead, self.overhead);
    use(resources_.of_link(passed(branch.link)), branch.share);
    return self.latency;
  }

  void use(ResourceId resource, double share) {
    const auto [known, added] = use_of_.try_emplace(resource, route_.uses.size());
    if (added) route_.uses.push_back({resource, 0});
    route_.uses[known->second].coefficient += share;
  }

  void add_up(NodeId node, double incoming) {
    const auto adder = resources_.reduce(node);
    if (adder && incoming > 0 && kind_ == TreeKind::reduce) use(*adder, incoming);
  }

  bool can(NodeId node) const { return has_ability(topology_.nodes()[node], kind_); }

  InputError unable(NodeId node, NodeId one, NodeId other) const {
    const auto id = [&](NodeId of) { return topology_.nodes()[of].id; };
    const bool sums = kind_ == TreeKind::reduce;
    const std::string ability = sums ? "reduce" : "multicast";
    const bool is_switch = topology_.nodes()[node].kind == NodeKind::switch_;
    const std::string what = sums ? fmt::format("what {} and {} send meets", id(one), id(other))
                                  : fmt::format("the ways to {} and {} part", id(one), id(other));
    return {fmt::format("{} {} does not {}, where {}", to_string(topology_.nodes()[node].kind),
                        id(node), ability, what),
            is_switch ? fmt::format("give it \"abilities\": [\"{}\"], or choose another strategy",
                                    ability)
                      : fmt::format("choose ranks that are joined by switches that {}, or another "
                                    "strategy",
                                    ability)};
  }

  const Topology& topology_;
  const Resources& resources_;
  TreeKind kind_;
  NodeId root_;
  std::vector<Branch> branches_;
  std::unordered_map<NodeId, State> nodes_;
  std::vector<NodeId> order_;    // of all but the root, as they were taken
  std::vector<NodeId> climbed_;  // by the root's own part
  Route route_;
  std::unordered_map<ResourceId, std::size_t> use_of_;  // place in the route's uses
};

}  // namespace

bool has_ability(const Node& node, TreeKind kind) {
  return kind == TreeKind::reduce ? node.abilities.reduce : node.abilities.multicast;
}

Route tree_route(const Topology& topology, const Resources& resources, TreeKind kind,
                 const TreeEnds& ends) {
  Tree tree(topology, resources, kind, ends.root);
  for (const Route& way : ends.ways) tree.add(way);
  if (ends.root_takes_part) tree.add_root();
  return tree.finish(ends.root_takes_part);
}

}  // namespace syncsim
