#include "sim/topology/edits/node_figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "sim/topology/edits/figures.h"
#include "sim/topology/edits/nodes.h"
#include "sim/topology/edits/target.h"

namespace syncsim {
namespace {

using NodeChange = std::function<void(Node&)>;

struct NodeFigure {
  std::string_view key;
  NodeChange (*set)(std::string_view value);
};

constexpr std::array<NodeFigure, 4> kNodeFigures = {{
    {"transit_bandwidth",
     [](std::string_view value) -> NodeChange {
       return [rate = parse_bandwidth(value)](Node& node) { node.transit_bandwidth = rate; };
     }},
    {"reduce_bandwidth",
     [](std::string_view value) -> NodeChange {
       return [rate = parse_bandwidth(value)](Node& node) { node.reduce_bandwidth = rate; };
     }},
    {"peer_cost",
     [](std::string_view value) -> NodeChange {
       return [cost = parse_peer_cost(value)](Node& node) { node.peer_cost = cost; };
     }},
    {"architecture",
     [](std::string_view value) -> NodeChange {
       return [name = parse_architecture(value)](Node& node) { node.architecture = name; };
     }},
}};

const NodeFigure* find_node_figure(std::string_view key) {
  for (const NodeFigure& figure : kNodeFigures)
    if (figure.key == key) return &figure;
  return nullptr;
}

NodeChange setting(const EditArgument& argument) {
  if (const NodeFigure* figure = find_node_figure(argument.key)) return argument.read(figure->set);
  throw InputError(fmt::format("a node has no {}", argument.key),
                   "leave it out, or change links in an edit of their own", argument.place);
}

}  // namespace

bool is_node_figure(std::string_view key) { return find_node_figure(key) != nullptr; }

bool is_of_node_figures(const EditPhrase& phrase) {
  const bool sets_one =
      std::any_of(phrase.arguments.begin(), phrase.arguments.end(),
                  [](const EditArgument& argument) { return is_node_figure(argument.key); });
  return sets_one && phrase.subject.value.starts_with("node:");
}

MachineChange understand_node_figures(const EditPhrase& phrase) {
  const EditTarget target = phrase.subject.read(parse_target);
  std::vector<NodeChange> changes;
  for (const EditArgument& argument : phrase.arguments) changes.push_back(setting(argument));
  return [nodes = target.pattern, changes](const Topology& topology) {
    Topology::Parts parts = topology.parts();
    for (const NodeId node : selected_nodes(nodes, topology))
      for (const NodeChange& change : changes) change(parts.nodes[node]);
    return parts;
  };
}

}  // namespace syncsim
