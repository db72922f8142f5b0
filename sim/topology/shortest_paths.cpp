#include "sim/topology/shortest_paths.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <span>
#include <utility>

#include "sim/topology/fabric.h"
#include "sim/topology/islands.h"
#include "sim/topology/routing.h"
#include "sim/topology/search_side.h"

namespace syncsim {
namespace {

constexpr int kClasses = 4;
constexpr int kNetwork = 3;  // the last class
constexpr std::uint8_t kLeftOut = 255;
constexpr NodeId kNobody = std::numeric_limits<NodeId>::max();

// By (from, link); first by counting, as a fabric has thousands of hops and few from each node.
void sort(ShortestPaths& paths) {
  std::vector<std::uint32_t> next(paths.nodes.size() + 1);
  for (const Hop& hop : paths.hops) ++next[hop.from + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<Hop> sorted(paths.hops.size());
  for (const Hop& hop : paths.hops) sorted[next[hop.from]++] = hop;
  const auto by_link = [](const Hop& a, const Hop& b) { return a.link < b.link; };
  for (auto begin = sorted.begin(); begin != sorted.end();) {
    const auto end = sorted.begin() + next[begin->from];  // moved on to the end of these
    if (!std::is_sorted(begin, end, by_link)) std::sort(begin, end, by_link);
    begin = end;
  }
  paths.hops = std::move(sorted);
}

}  // namespace

class PathFinder::Implementation {
 public:
  Implementation(const Topology& topology, Plane plane)
      : links_(topology),
        fabric_(topology, links_),
        forward_(topology.nodes().size()),
        backward_(topology.nodes().size()),
        on_path_(topology.nodes().size()),
        position_(topology.nodes().size()) {
    for (const Node& node : topology.nodes()) forwards_.push_back(node.forwards);
    for (const Link& link : topology.links()) {
      const int its_class = route_class(link.kind);
      const bool left_out = plane == Plane::host && its_class == 0;
      class_of_.push_back(left_out ? kLeftOut : static_cast<std::uint8_t>(its_class));
      target_.push_back(link.to);
    }
    find_islands(topology);
    find_leaves(topology);
  }

  std::optional<ShortestPaths> find(NodeId from, NodeId to, NetworkEnds ends) {
    if (ends.from) closed_[0] = from;
    if (ends.to) closed_[1] = to;
    std::optional<ShortestPaths> paths = find(from, to);
    closed_ = {kNobody, kNobody};
    return paths;
  }

  std::optional<LeafPath> between_leaves(NodeId from, NodeId to) const {
    const Leaf& one = leaves_[from];
    const Leaf& other = leaves_[to];
    if (one.cables != 1 || other.cables != 1 || one.hub != other.hub || !forwards_[one.hub])
      return std::nullopt;
    return LeafPath{one.out, other.out ^ 1};
  }

 private:
  std::optional<ShortestPaths> find(NodeId from, NodeId to) {
    for (int each_class = 0; each_class < kClasses; ++each_class) {
      const std::vector<NodeId>& island = islands_[static_cast<std::size_t>(each_class)];
      if (island.empty() || island[from] != island[to]) continue;
      if (each_class == kNetwork) return over_network(from, to);
      if (auto paths = search(from, to, each_class, Scope::everything)) return paths;
    }
    return std::nullopt;
  }

  struct Leaf {
    std::uint32_t cables = 0;
    LinkId out = 0;  // the last one
    NodeId hub = 0;  // where it leads
  };

  void find_leaves(const Topology& topology) {
    leaves_.resize(topology.nodes().size());
    for (LinkId link = 0; link < topology.links().size(); ++link) {
      if (class_of_[link] == kLeftOut) continue;
      Leaf& leaf = leaves_[topology.links()[link].from];
      ++leaf.cables;
      leaf.out = link;
      leaf.hub = topology.links()[link].to;
    }
  }

  // Nodes that the links of a class or better join at all, whether or not what is between them
  // forwards: a quick no for most pairs. Empty for a class that the machine does not have.
  void find_islands(const Topology& topology) {
    islands_.resize(kClasses);
    std::array<bool, kClasses> present = {};
    for (const std::uint8_t each_class : class_of_)
      if (each_class != kLeftOut) present[each_class] = true;
    for (std::size_t most_class = 0; most_class < kClasses; ++most_class)
      if (present[most_class])
        islands_[most_class] = islands_of(topology, [&](const Link& link) {
          return class_of_[static_cast<std::size_t>(&link - topology.links().data())] <= most_class;
        });
  }

  // Where a search looks: at all nodes, or not into boxes other than those of its ends.
  enum class Scope : std::uint8_t { everything, fabric };

  std::optional<ShortestPaths> over_network(NodeId from, NodeId to) {
    auto paths = search(from, to, kNetwork, Scope::fabric);
    const std::optional<int> detour = fabric_.least_detour(from, to);
    if (!detour || (paths && paths->length < *detour)) return paths;
    return search(from, to, kNetwork, Scope::everything);
  }

  std::optional<ShortestPaths> search(NodeId from, NodeId to, int most_class, Scope scope) {
    scope_ = scope;
    forward_.start(from);
    backward_.start(to);
    std::optional<ShortestPaths> paths;
    if (meet(from, to, most_class)) {
      paths = collect();
      paths->route_class = most_class;
      paths->length = forward_.layers + backward_.layers;
    }
    forward_.clear();
    backward_.clear();
    return paths;
  }

  // Adds layers until the last ones have nodes in common; false: one side has no further layer.
  bool meet(NodeId from, NodeId to, int most_class) {
    for (;;) {
      const bool ahead = links_around(forward_) <= links_around(backward_);
      if (ahead)
        add_layer(forward_, most_class, from, to, 0);
      else
        add_layer(backward_, most_class, to, from, 1);
      const SearchSide& grown = ahead ? forward_ : backward_;
      const SearchSide& other = ahead ? backward_ : forward_;
      if (grown.layer().empty()) return false;
      for (const NodeId node : grown.layer())
        if (other.depth[node] != SearchSide::kUnseen) return true;
    }
  }

  std::size_t links_around(const SearchSide& side) const {
    std::size_t links = 0;
    for (const NodeId node : side.layer())
      links += scope_ == Scope::fabric ? fabric_.links_around(node) : links_.of(node).size();
    return links;
  }

  template <class Look>
  void look_around(NodeId node, NodeId start, NodeId end, const Look& look) const {
    if (scope_ == Scope::fabric)
      fabric_.look_around(node, start, end, look);
    else
      for (const LinkId link : links_.of(node)) look(link);
  }

  // Only nodes that forward are entered, and the other end. `back` is 1 where the paths lead
  // against the search, over the ways back of the links that it looks at.
  void add_layer(SearchSide& side, int most_class, NodeId start, NodeId end, LinkId back) {
    const std::size_t next_begin = side.found.size();
    ++side.layers;
    for (std::size_t i = side.layer_begin; i < next_begin; ++i) {
      const NodeId near = side.found[i];
      look_around(near, start, end, [&](LinkId link) {
        const NodeId far = target_[link];
        if (!forwards_[far] && far != end) return;
        if (is_closed(near, far) && class_of_[link] != kNetwork) return;
        if (class_of_[link] <= most_class) side.reach({near, far, link ^ back}, side.layers);
      });
    }
    side.layer_begin = next_begin;
  }

  bool is_closed(NodeId near, NodeId far) const {
    return near == closed_[0] || near == closed_[1] || far == closed_[0] || far == closed_[1];
  }

  // What both sides have found, cut down to the paths that meet.
  ShortestPaths collect() {
    for (const NodeId node : forward_.layer())
      if (backward_.depth[node] != SearchSide::kUnseen) on_path_[node] = true;
    const std::vector<SearchSide::Step> ahead = steps_to_path(forward_);
    const std::vector<SearchSide::Step> back = steps_to_path(backward_);
    ShortestPaths paths;
    number_nodes(paths);
    paths.hops.reserve(ahead.size() + back.size());
    for (const SearchSide::Step& step : ahead)
      paths.hops.push_back({position_[step.near], position_[step.far], step.link});
    for (const SearchSide::Step& step : back)
      paths.hops.push_back({position_[step.far], position_[step.near], step.link});
    sort(paths);
    for (const NodeId node : paths.nodes) on_path_[node] = false;
    return paths;
  }

  // Steps are stored by layers: read backwards, the steps out of a node come before those into it.
  std::vector<SearchSide::Step> steps_to_path(const SearchSide& side) {
    std::vector<SearchSide::Step> steps;
    for (auto step = side.steps.rbegin(); step != side.steps.rend(); ++step) {
      if (!on_path_[step->far]) continue;
      on_path_[step->near] = true;
      steps.push_back(*step);
    }
    return steps;
  }

  void number_nodes(ShortestPaths& paths) {
    const auto add = [&](NodeId node) {
      position_[node] = static_cast<std::uint32_t>(paths.nodes.size());
      paths.nodes.push_back(node);
    };
    for (const NodeId node : forward_.found)
      if (on_path_[node]) add(node);
    for (auto node = backward_.found.rbegin(); node != backward_.found.rend(); ++node)
      if (on_path_[*node] && forward_.depth[*node] == SearchSide::kUnseen) add(*node);
  }

  LinksOut links_;
  Fabric fabric_;
  Scope scope_ = Scope::everything;
  std::array<NodeId, 2> closed_ = {kNobody, kNobody};  // but to the network
  std::vector<NodeId> target_;                         // by link
  std::vector<char> forwards_;
  std::vector<std::uint8_t> class_of_;
  std::vector<std::vector<NodeId>> islands_;  // by class
  std::vector<Leaf> leaves_;                  // of every node; a leaf when it has one cable
  SearchSide forward_;
  SearchSide backward_;
  std::vector<bool> on_path_;  // all false between searches
  std::vector<std::uint32_t> position_;
};

PathFinder::PathFinder(const Topology& topology, Plane plane)
    : implementation_(std::make_unique<Implementation>(topology, plane)) {}
PathFinder::~PathFinder() = default;

std::optional<ShortestPaths> PathFinder::find(NodeId from, NodeId to, NetworkEnds ends) {
  return implementation_->find(from, to, ends);
}

std::optional<LeafPath> PathFinder::between_leaves(NodeId from, NodeId to) const {
  return implementation_->between_leaves(from, to);
}

}  // namespace syncsim
