#include "sim/topology/topology_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>
#include <utility>

#include "sim/base/named_table.h"
#include "sim/topology/connected.h"
#include "sim/topology/kinds.h"
#include "sim/topology/link_type.h"
#include "sim/topology/machine_size.h"
#include "sim/topology/node_json.h"

namespace syncsim {
namespace {

constexpr std::int64_t kMostCables = kMostNodes / 2;

std::string text_or(const JsonReader& json, std::string_view key, std::string otherwise) {
  const auto text = json.optional(key);
  return text ? text->string() : std::move(otherwise);
}

// Text that stands for one or more node ids.
struct Ids {
  explicit Ids(const JsonReader& json)
      : at(json), text(json.string()), size(json.located([&] { return range_size(text); })) {}

  JsonReader at;
  std::string text;
  std::int64_t size;
};

// The constructor's rules on a node, told at the node's entry.
void check_alone(const JsonReader& entry, const Node& node) {
  Topology::Parts alone;
  alone.nodes = {node};
  alone.ranks = {0};
  entry.located([&] { return Topology(std::move(alone)); });
}

// `count` parallel cables as one link.
Link bundle(const JsonReader& entry, Link cable) {
  const auto count = entry.optional("count");
  if (!count) return cable;
  cable.count = static_cast<int>(count->integer(1, std::numeric_limits<int>::max()));
  cable.bandwidth.bytes_per_second *= cable.count;
  cable.usable.bytes_per_second *= cable.count;
  return cable;
}

// A machine written out as nodes and links.
class MachineReader {
 public:
  MachineReader(const JsonReader& json, const MemoryLimit& memory) : memory_(memory) {
    json.allow(
        {"name", "description", "source", "link_types", "nodes", "links", "ranks", "routing"});
    parts_.name = json.required("name", R"("my_server")").string();
    if (const auto types = json.optional("link_types")) read_types(*types);
    for (const JsonReader& entry :
         json.required("nodes", R"([{"id": "gpu[0-3]", "kind": "gpu"}])").elements())
      read_node(entry);
    if (const auto links = json.optional("links"))
      for (const JsonReader& entry : links->elements()) read_link(entry);
    const auto ranks = json.optional("ranks");
    if (ranks)
      read_ranks(*ranks);
    else
      rank_gpus();
    if (const auto routing = json.optional("routing"))
      parts_.routing =
          read_routing_policy(*routing, [&](const std::string& id) { return find(id); });
  }

  Topology::Parts take() { return std::move(parts_); }

 private:
  void read_types(const JsonReader& json) {
    for (const std::string& name : json.keys())
      types_.emplace(name, read_link_type(json.required(name)));
  }

  void read_node(const JsonReader& entry) {
    const Ids ids(entry.required("id", R"("gpu0")"));
    if (static_cast<std::int64_t>(parts_.nodes.size()) + ids.size > kMostNodes)
      throw ids.at.error(fmt::format("the machine would have more than {} nodes", kMostNodes),
                         "write a smaller range");
    require_room_for(ids.at, ids.size, 0);
    Node node = read_node_figures(entry);
    for (std::string& id : expand_range(ids.text)) {
      node.id = std::move(id);
      if (!index_.emplace(node.id, static_cast<NodeId>(parts_.nodes.size())).second)
        throw ids.at.error(fmt::format(R"(node id "{}" appears twice)", node.id),
                           "give every node its own id");
      parts_.nodes.push_back(node);
    }
    check_alone(entry, parts_.nodes.back());
  }

  void read_link(const JsonReader& entry) {
    ++entries_;
    entry.allow({"between", "all_pairs", "type", "count"});
    const Link link = bundle(entry, link_type(entry.required("type", R"("x16")")));
    const auto between = entry.optional("between");
    const auto all_pairs = entry.optional("all_pairs");
    if (between.has_value() == all_pairs.has_value())
      throw entry.error(R"(a link entry has "between" or "all_pairs", one of them)",
                        R"(write "between": ["gpu[0-3]", "switch0"] or "all_pairs": "gpu[0-3]")");
    if (between)
      join_ends(*between, link);
    else
      join_all(Ids(*all_pairs), link);
  }

  const Link& link_type(const JsonReader& json) const {
    const std::string name = json.string();
    const auto found = types_.find(name);
    if (found != types_.end()) return found->second;
    std::vector<std::string> names;
    for (const auto& [known, type] : types_) names.push_back(known);
    throw unknown_name("link type", name, names).at(json.place());
  }

  // A star when one end is one node, otherwise pairs.
  void join_ends(const JsonReader& between, const Link& link) {
    const std::vector<JsonReader> ends = between.elements();
    if (ends.size() != 2)
      throw between.error(fmt::format("{} ends make no link", ends.size()),
                          R"(write two, as in ["gpu[0-3]", "switch0"])");
    const Ids left(ends[0]);
    const Ids right(ends[1]);
    if (left.size != right.size && left.size != 1 && right.size != 1)
      throw between.error(
          fmt::format(R"("{}" is {} nodes and "{}" is {})", left.text, left.size, right.text,
                      right.size),
          "write ranges of equal length, which pair up, or one node, which is a star's middle");
    check_room(between, std::max(left.size, right.size));
    const std::vector<NodeId> from = find(left);
    const std::vector<NodeId> to = find(right);
    for (std::size_t i = 0; i < std::max(from.size(), to.size()); ++i)
      join(between, from.size() == 1 ? from[0] : from[i], to.size() == 1 ? to[0] : to[i], link);
  }

  void join_all(const Ids& ids, const Link& link) {
    if (ids.size == 1)
      throw ids.at.error(fmt::format(R"("{}" is one node and has no pairs)", ids.text),
                         R"(write a range, as in "gpu[0-7]")");
    check_room(ids.at, ids.size * (ids.size - 1) / 2);
    const std::vector<NodeId> nodes = find(ids);
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (std::size_t j = i + 1; j < nodes.size(); ++j) join(ids.at, nodes[i], nodes[j], link);
  }

  void check_room(const JsonReader& at, std::int64_t cables) const {
    if (static_cast<std::int64_t>(parts_.links.size() / 2) + cables > kMostCables)
      throw at.error(fmt::format("the machine would have more than {} cables", kMostCables),
                     "write smaller ranges, or join the nodes through switches");
    require_room_for(at, 0, cables);
  }

  // In memory, for so many more.
  void require_room_for(const JsonReader& at, std::int64_t nodes, std::int64_t cables) const {
    const MachineSize size{parts_.nodes.size() + static_cast<std::uint64_t>(nodes),
                           parts_.links.size() + 2 * static_cast<std::uint64_t>(cables)};
    at.located([&] { require_room_to_build(memory_, size); });
  }

  std::vector<NodeId> find(const Ids& ids) const {
    std::vector<NodeId> nodes;
    nodes.reserve(static_cast<std::size_t>(ids.size));
    for (const std::string& id : expand_range(ids.text))
      nodes.push_back(ids.at.located([&] { return find(id); }));
    return nodes;
  }

  NodeId find(const std::string& id) const {
    const auto found = index_.find(id);
    if (found == index_.end()) throw unknown_node(id);
    return found->second;
  }

  InputError unknown_node(const std::string& id) const {
    std::vector<std::string> ids;
    for (const Node& node : parts_.nodes) ids.push_back(node.id);
    return unknown_name("node", id, ids);
  }

  void join(const JsonReader& at, NodeId from, NodeId to, const Link& link) {
    const std::string& from_id = parts_.nodes[from].id;
    const std::string& to_id = parts_.nodes[to].id;
    if (from == to)
      throw at.error(fmt::format(R"(node "{}" is joined to itself)", from_id),
                     "join two different nodes");
    const auto [cable, is_new] = joined_.emplace(cable_key(from, to, link.kind), entries_);
    if (!is_new)
      throw at.error(fmt::format("{} and {} are joined by {} twice, first by /links/{}", from_id,
                                 to_id, to_string(link.kind), cable->second - 1),
                     R"(merge them with "count")");
    add_cable(parts_, from, to, link);
  }

  // Below 2^50, as there are at most kMostNodes nodes and eight kinds.
  static std::uint64_t cable_key(NodeId from, NodeId to, LinkKind kind) {
    const auto [low, high] = std::minmax(from, to);
    return (low * static_cast<std::uint64_t>(kMostNodes) + high) * 8 +
           static_cast<std::uint64_t>(kind);
  }

  void read_ranks(const JsonReader& json) {
    std::vector<bool> seen(parts_.nodes.size());
    for (const JsonReader& entry : json.elements())
      for (const NodeId node : find(Ids(entry))) {
        if (parts_.nodes[node].kind == NodeKind::switch_)
          throw entry.error(fmt::format(R"(node "{}" is a switch)", parts_.nodes[node].id),
                            "a rank holds data: list gpus or cpus");
        if (seen[node])
          throw entry.error(fmt::format(R"(node "{}" is a rank twice)", parts_.nodes[node].id),
                            "list every rank once");
        seen[node] = true;
        parts_.ranks.push_back(node);
      }
  }

  void rank_gpus() {
    for (NodeId node = 0; node < parts_.nodes.size(); ++node)
      if (parts_.nodes[node].kind == NodeKind::gpu) parts_.ranks.push_back(node);
  }

  const MemoryLimit& memory_;
  Topology::Parts parts_;
  std::map<std::string, Link> types_;
  std::unordered_map<std::string, NodeId> index_;
  std::uint32_t entries_ = 0;                                // of links, read so far
  std::unordered_map<std::uint64_t, std::uint32_t> joined_;  // entries_ at each cable
};

Topology::Parts generate(const JsonReader& json, const MemoryLimit& memory) {
  const JsonReader kind = json.required("kind");
  const TopologyKind row = kind.located([&] { return topology_kinds().at(kind.string()); });
  Topology::Parts parts = row.generate(json, memory);
  parts.name = text_or(json, "name", std::move(parts.name));
  return parts;
}

}  // namespace

Topology read_topology(const JsonReader& json, const MemoryLimit& memory) {
  Topology::Parts parts =
      json.has("kind") ? generate(json, memory) : MachineReader(json, memory).take();
  parts.description = text_or(json, "description", std::move(parts.description));
  parts.source = text_or(json, "source", std::move(parts.source));
  Topology topology = json.located([&] { return Topology(std::move(parts)); });
  if (const auto pair = first_cut_off_pair(topology))
    throw json.error(
        fmt::format("no route from {} to {}", topology.nodes()[pair->first].id,
                    topology.nodes()[pair->second].id),
        "join them by links through nodes that forward (a gpu forwards only when it says so)");
  return topology;
}

}  // namespace syncsim
