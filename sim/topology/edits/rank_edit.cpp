// Which nodes are ranks, in which order: ids, ranges of ids, and patterns of gpus.

#include <fmt/format.h>

#include "sim/base/named_table.h"
#include "sim/base/quote.h"
#include "sim/topology/edits/pattern.h"
#include "sim/topology/edits/verbs.h"
#include "sim/topology/id_range.h"

namespace syncsim {
namespace {

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> items;
  while (true) {
    const std::size_t comma = text.find(',');
    items.emplace_back(text.substr(0, comma));
    if (items.back().empty())
      throw InputError("a comma stands before no node", R"(write nodes, as in "gpu[0-3],gpu7")");
    range_size(items.back());
    if (comma == std::string_view::npos) return items;
    text.remove_prefix(comma + 1);
  }
}

void append_gpus(const std::string& pattern, const Topology& topology, std::vector<NodeId>& ranks) {
  const std::size_t before = ranks.size();
  for (const NodeId gpu : topology.nodes_of_kind(NodeKind::gpu))
    if (matches(pattern, topology.nodes()[gpu].id)) ranks.push_back(gpu);
  if (ranks.size() == before)
    throw InputError("no gpu is called " + in_quotes(pattern),
                     R"(write nodes, as in "gpu[0-3],gpu7")");
}

void append_range(const std::string& range, const Topology& topology, std::vector<NodeId>& ranks) {
  if (range_size(range) > static_cast<std::int64_t>(topology.nodes().size()))
    throw InputError(fmt::format("{} stands for more nodes than the {} there are", in_quotes(range),
                                 topology.nodes().size()),
                     "write a smaller range");
  for (const std::string& id : expand_range(range)) {
    ranks.push_back(topology.node(id));
    const NodeKind kind = topology.nodes()[ranks.back()].kind;
    if (kind == NodeKind::switch_ || kind == NodeKind::nic)
      throw InputError(fmt::format(R"(node "{}" is a {})", id, to_string(kind)),
                       "a rank holds data: list gpus or cpus");
  }
}

}  // namespace

MachineChange understand_ranks(const EditPhrase& phrase) {
  return [items = phrase.subject.read(split_list)](const Topology& topology) {
    Topology::Parts parts = topology.parts();
    parts.ranks.clear();
    for (const std::string& item : items) {
      if (parts.ranks.size() > parts.nodes.size()) break;  // one of them twice: refused anyway
      if (item.find('*') != std::string::npos)
        append_gpus(item, topology, parts.ranks);
      else
        append_range(item, topology, parts.ranks);
    }
    return parts;
  };
}

}  // namespace syncsim
