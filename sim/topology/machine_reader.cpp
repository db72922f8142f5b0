#include "sim/topology/machine_reader.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "sim/topology/id_range.h"
#include "sim/topology/instances.h"
#include "sim/topology/link_entries.h"
#include "sim/topology/node_index.h"
#include "sim/topology/node_json.h"

namespace syncsim {
namespace {

class MachineReader {
 public:
  explicit MachineReader(MachineSource& source) : source_(source), index_(parts_.nodes) {}

  Topology::Parts read(const JsonReader& json) {
    json.allow({"name", "description", "source", "link_types", "instances", "nodes", "links",
                "ranks", "routing"});
    parts_.name = json.required("name", R"("my_server")").string();
    if (const auto instances = json.optional("instances")) {
      read_instances(*instances, json.optional("routing"), source_, parts_, index_);
      instanced_ = parts_.nodes.size();
    }
    if (!json.has("instances") || json.has("nodes"))
      for (const JsonReader& entry :
           json.required("nodes", R"([{"id": "gpu[0-3]", "kind": "gpu"}])").elements())
        read_node(entry);
    read_links(json);
    const auto ranks = json.optional("ranks");
    if (ranks)
      read_ranks(*ranks);
    else
      rank_gpus();
    if (const auto routing = json.optional("routing"))
      parts_.routing = read_routing_policy(*routing, index_, std::move(parts_.routing));
    return std::move(parts_);
  }

 private:
  void read_node(const JsonReader& entry) {
    const Ids ids(entry.required("id", R"("gpu0")"));
    if (static_cast<std::int64_t>(parts_.nodes.size()) + ids.size > kMostNodes)
      throw ids.at.error(fmt::format("the machine would have more than {} nodes", kMostNodes),
                         "write a smaller range");
    source_.require_room(
        ids.at, {parts_.nodes.size() + static_cast<std::uint64_t>(ids.size), parts_.links.size()});
    Node node = read_node_figures(entry);
    for (std::string& id : expand_range(ids.text)) {
      node.id = std::move(id);
      parts_.nodes.push_back(node);
    }
    index_.add_new(ids.at, "give every node its own id");
    check_node_alone(entry, parts_.nodes.back());
  }

  void read_links(const JsonReader& json) {
    LinkEntries entries(source_, index_, parts_);
    if (const auto types = json.optional("link_types")) entries.read_types(*types);
    if (const auto links = json.optional("links"))
      for (const JsonReader& entry : links->elements()) entries.read(entry);
  }

  void read_ranks(const JsonReader& json) {
    parts_.ranks.clear();
    std::vector<bool> seen(parts_.nodes.size());
    for (const JsonReader& entry : json.elements())
      for (const NodeId node : index_.find(Ids(entry))) {
        const NodeKind kind = parts_.nodes[node].kind;
        if (kind == NodeKind::switch_ || kind == NodeKind::nic)
          throw entry.error(
              fmt::format(R"(node "{}" is a {})", parts_.nodes[node].id, to_string(kind)),
              "a rank holds data: list gpus or cpus");
        if (seen[node])
          throw entry.error(fmt::format(R"(node "{}" is a rank twice)", parts_.nodes[node].id),
                            "list every rank once");
        seen[node] = true;
        parts_.ranks.push_back(node);
      }
  }

  // Own gpus follow the ranks of the instances.
  void rank_gpus() {
    for (std::size_t node = instanced_; node < parts_.nodes.size(); ++node)
      if (parts_.nodes[node].kind == NodeKind::gpu)
        parts_.ranks.push_back(static_cast<NodeId>(node));
  }

  MachineSource& source_;
  Topology::Parts parts_;
  NodeIndex index_;
  std::size_t instanced_ = 0;  // nodes of instances
};

}  // namespace

Topology::Parts read_machine(const JsonReader& json, MachineSource& source) {
  return MachineReader(source).read(json);
}

}  // namespace syncsim
