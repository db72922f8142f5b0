#include "sim/topology/instances.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "sim/base/quote.h"
#include "sim/topology/id_range.h"
#include "sim/topology/link_names.h"
#include "sim/topology/node_json.h"

namespace syncsim {
namespace {

struct Instance {
  JsonReader entry;
  std::string prefix;  // a range, or empty
  std::int64_t copies;
  MachinePart machine;
};

Instance read_instance(const JsonReader& entry, MachineSource& source) {
  entry.allow({"prefix", "topology"});
  Instance instance{entry, "", 1, nullptr};
  if (const auto prefix = entry.optional("prefix")) {
    instance.prefix = prefix->string();
    instance.copies = prefix->located([&] { return range_size(instance.prefix); });
  }
  instance.machine = source.part(entry.required("topology", R"("dgx1v")"));
  return instance;
}

// The entry's prefix, if it has one.
JsonReader prefix_of(const JsonReader& entry) { return entry.optional("prefix").value_or(entry); }

void check_ids(const Instance& instance, const std::vector<std::string>& prefixes) {
  const std::string& longest_prefix = prefixes.back();  // numbers only grow
  for (const Node& node : instance.machine->nodes)
    if (longest_prefix.size() + node.id.size() > kLongestId)
      throw prefix_of(instance.entry)
          .error("node ids such as " + in_quotes(longest_prefix + node.id) + " are too long",
                 fmt::format("keep them to {} characters", kLongestId));
}

// Fabrics without ranks have no say in the policy.
bool has_ranks(const Instance& instance) { return !instance.machine->ranks.empty(); }

// One key of the policies. `values` gives what the key stands for.
template <class Values>
void require_agreement(const std::vector<Instance>& instances, std::string_view key,
                       const std::optional<JsonReader>& routing, const Values& values) {
  if (routing && routing->has(key)) return;
  const auto first = std::find_if(instances.begin(), instances.end(), has_ranks);
  for (const Instance& instance : instances) {
    if (!has_ranks(instance)) continue;
    if (values(first->machine->routing) == values(instance.machine->routing)) continue;
    throw instance.entry.error(
        fmt::format(R"({} and {} differ in their routing's "{}")", in_quotes(first->machine->name),
                    in_quotes(instance.machine->name), key),
        fmt::format(R"(say which it is under this file's "routing": {{"{}": ...}})", key));
  }
}

// Without choices of nics: those belong to copies.
RoutingPolicy common_policy(const std::vector<Instance>& instances,
                            const std::optional<JsonReader>& routing) {
  require_agreement(instances, "p2p", routing, [](const RoutingPolicy& of) { return of.p2p; });
  require_agreement(instances, "acs", routing, [](const RoutingPolicy& of) { return of.acs; });
  require_agreement(instances, "gdr", routing, [](const RoutingPolicy& of) { return of.gdr; });
  require_agreement(instances, "relays", routing,
                    [](const RoutingPolicy& of) { return std::pair(of.nvb, of.pxn); });
  RoutingPolicy policy;
  const auto first = std::find_if(instances.begin(), instances.end(), has_ranks);
  if (first != instances.end()) policy = first->machine->routing;
  policy.nics.clear();
  return policy;
}

// Growing by what is needed alone would copy everything for every entry.
template <class Item>
void make_room(std::vector<Item>& items, std::size_t more) {
  const std::size_t need = items.size() + more;
  if (need > items.capacity()) items.reserve(std::max(need, 2 * items.capacity()));
}

}  // namespace

void add_copies(Topology::Parts& whole, const Topology::Parts& machine,
                std::span<const std::string> prefixes) {
  make_room(whole.nodes, prefixes.size() * machine.nodes.size());
  make_room(whole.links, prefixes.size() * machine.links.size());
  for (const std::string& prefix : prefixes) {
    const auto first = static_cast<NodeId>(whole.nodes.size());
    for (const Node& node : machine.nodes) whole.nodes.emplace_back(node).id = prefix + node.id;
    for (const Link& link : machine.links) {
      Link& copy = whole.links.emplace_back(link);
      copy.from += first;
      copy.to += first;
      if (!copy.name.empty()) copy.name = link_name(whole, copy, name_form(link));
    }
    for (const NodeId rank : machine.ranks) whole.ranks.push_back(first + rank);
    for (const auto& [gpu, nic] : machine.routing.nics)
      whole.routing.nics.emplace_back(first + gpu, first + nic);
  }
}

void read_instances(const JsonReader& list, const std::optional<JsonReader>& routing,
                    MachineSource& source, Topology::Parts& whole, NodeIndex& index) {
  std::vector<Instance> instances;
  MachineSize size;
  for (const JsonReader& entry : list.elements()) {
    const Instance& instance = instances.emplace_back(read_instance(entry, source));
    const auto copies = static_cast<std::uint64_t>(instance.copies);
    size.nodes += copies * instance.machine->nodes.size();
    size.links += copies * instance.machine->links.size();
    source.require_room(prefix_of(entry), size);
  }
  whole.routing = common_policy(instances, routing);
  for (const Instance& instance : instances) {
    const std::vector<std::string> prefixes = expand_range(instance.prefix);
    check_ids(instance, prefixes);
    const std::size_t first = whole.nodes.size();
    add_copies(whole, *instance.machine, prefixes);
    check_node_alone(prefix_of(instance.entry), whole.nodes[first]);
    index.add_new(prefix_of(instance.entry), "give every instance a prefix of its own");
  }
}

}  // namespace syncsim
