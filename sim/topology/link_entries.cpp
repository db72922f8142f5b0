#include "sim/topology/link_entries.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "sim/topology/link_type.h"

namespace syncsim {
namespace {

// Below 2^50, as there are at most kMostNodes nodes and eight kinds.
std::uint64_t cable_key(NodeId from, NodeId to, LinkKind kind) {
  const auto [low, high] = std::minmax(from, to);
  return (low * static_cast<std::uint64_t>(kMostNodes) + high) * 8 +
         static_cast<std::uint64_t>(kind);
}

}  // namespace

void LinkEntries::read_types(const JsonReader& json) {
  for (const auto& [name, type] : json.members()) types_.emplace(name, read_link_type(type));
}

void LinkEntries::read(const JsonReader& entry) {
  ++entries_;
  entry.allow({"between", "all_pairs", "type", "count", "bundle", "back", "kind_in_name"});
  const Cable cable = read_cable(entry, types_);
  const auto between = entry.optional("between");
  const auto all_pairs = entry.optional("all_pairs");
  if (between.has_value() == all_pairs.has_value())
    throw entry.error(R"(a link entry has "between" or "all_pairs", one of them)",
                      R"(write "between": ["gpu[0-3]", "switch0"] or "all_pairs": "gpu[0-3]")");
  if (between)
    join_ends(*between, cable);
  else
    join_all(Ids(*all_pairs), cable);
}

// A star when one end is one node, otherwise pairs.
void LinkEntries::join_ends(const JsonReader& between, const Cable& cable) {
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
  const std::vector<NodeId> from = nodes_.find(left);
  const std::vector<NodeId> to = nodes_.find(right);
  for (std::size_t i = 0; i < std::max(from.size(), to.size()); ++i)
    join(between, from.size() == 1 ? from[0] : from[i], to.size() == 1 ? to[0] : to[i], cable);
}

void LinkEntries::join_all(const Ids& ids, const Cable& cable) {
  if (ids.size == 1)
    throw ids.at.error(fmt::format(R"("{}" is one node and has no pairs)", ids.text),
                       R"(write a range, as in "gpu[0-7]")");
  check_room(ids.at, ids.size * (ids.size - 1) / 2);
  const std::vector<NodeId> nodes = nodes_.find(ids);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (std::size_t j = i + 1; j < nodes.size(); ++j) join(ids.at, nodes[i], nodes[j], cable);
}

void LinkEntries::check_room(const JsonReader& at, std::int64_t cables) const {
  if (static_cast<std::int64_t>(parts_.links.size() / 2) + cables > kMostCables)
    throw at.error(fmt::format("the machine would have more than {} cables", kMostCables),
                   "write smaller ranges, or join the nodes through switches");
  source_.require_room(
      at, {parts_.nodes.size(), parts_.links.size() + 2 * static_cast<std::uint64_t>(cables)});
}

void LinkEntries::join(const JsonReader& at, NodeId from, NodeId to, const Cable& cable) {
  const std::string& from_id = parts_.nodes[from].id;
  const std::string& to_id = parts_.nodes[to].id;
  if (from == to)
    throw at.error(fmt::format(R"(node "{}" is joined to itself)", from_id),
                   "join two different nodes");
  const LinkKind kind = cable.there.kind;
  const auto [first, is_new] = joined_.emplace(cable_key(from, to, kind), entries_);
  if (!is_new)
    throw at.error(fmt::format("{} and {} are joined by {} twice, first by /links/{}", from_id,
                               to_id, to_string(kind), first->second - 1),
                   R"(merge them with "count")");
  add_cable(parts_, from, to, cable);
}

}  // namespace syncsim
