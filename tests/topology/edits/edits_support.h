#pragma once
// Machines and small words for tests of edits.

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "sim/base/quote.h"
#include "sim/topology/edits.h"
#include "tests/support/machines.h"
#include "tests/topology/json_support.h"

namespace syncsim::testing {

inline Link pcie3() {
  Link link = link_of(LinkKind::pcie, gigabytes(16));
  link.usable = gigabytes(12);
  link.latency = {2'000'000};
  link.lanes = 16;
  link.generation = 3;
  return link;
}

// Two sockets, each with a PCIe switch that holds two gpus and a nic (gen 3 x16); nics meet on
// net0; gpu0-gpu1 has two NVLinks, gpu2-gpu3 one.
inline Topology two_socket_server() {
  Topology::Parts parts;
  parts.name = "server";
  add_gpus(parts, 4);
  for (const std::string id : {"plx0", "plx1"}) add_node(parts, id, NodeKind::switch_);
  for (const std::string id : {"cpu0", "cpu1"}) add_node(parts, id, NodeKind::cpu);
  for (const std::string id : {"nic0", "nic1"}) add_node(parts, id, NodeKind::nic);
  const NodeId net = add_node(parts, "net0", NodeKind::switch_);
  for (const NodeId half : {0U, 1U}) {
    const NodeId plx = 4 + half;
    for (const NodeId end : {2 * half, 2 * half + 1, 6 + half, 8 + half})
      add_cable(parts, end, plx, pcie3());
    add_cable(parts, 8 + half, net, link_of(LinkKind::network, gigabytes(12.5)));
  }
  add_cable(parts, 6, 7, link_of(LinkKind::socket, gigabytes(19.2)));
  add_cable(parts, 0, 1, link_of(LinkKind::nvlink, gigabytes(50), 2));
  add_cable(parts, 2, 3, link_of(LinkKind::nvlink, gigabytes(25)));
  return Topology(parts);
}

inline Topology edited(const Topology& topology, const std::vector<std::string>& texts) {
  std::vector<Edit> edits;
  for (const std::string& text : texts) edits.push_back(parse_edit(text));
  return apply_edits(topology, edits);
}

inline Edit read_edit_of(std::string_view json) {
  return read_edit(JsonFile::parse(json, "s.json").root());
}

inline std::string edit_refusal(const Topology& topology, const std::string& text) {
  return refusal_of([&] { edited(topology, {text}); });
}

// How the edit's text is refused, after `edit "...": `, which must be there unless the rest quotes
// it.
inline std::string parse_refusal(std::string_view text) {
  const std::string all = refusal_of([&] { parse_edit(text); });
  const std::string prefix = fmt::format("edit {}: ", in_quotes(text));
  if (all.starts_with(prefix)) return all.substr(prefix.size());
  CHECK((text.find_first_not_of(' ') == text.npos || all.starts_with(in_quotes(text))));
  return all;
}

inline std::string json_edit_refusal(std::string_view json) {
  return refusal_of([&] { read_edit_of(json); });
}

inline const Link* find_link(const Topology& topology, std::string_view name) {
  for (const Link& candidate : topology.links())
    if (candidate.name == name) return &candidate;
  return nullptr;
}

inline const Link& link_named(const Topology& topology, std::string_view name) {
  const Link* link = find_link(topology, name);
  if (link == nullptr) FAIL("no link " << std::string(name));
  return *link;
}

// All of a machine, a thing a line.
inline std::string written(const Topology& topology) {
  std::string text;
  for (const Node& node : topology.nodes())
    text +=
        fmt::format("{} {} {} {} {} {}\n", node.id, to_string(node.kind), node.forwards,
                    node.transit_bandwidth.value_or(Bandwidth{}).bytes_per_second,
                    node.reduce_bandwidth.value_or(Bandwidth{}).bytes_per_second, node.peer_cost);
  for (const Link& link : topology.links())
    text +=
        fmt::format("{} {}>{} {} {} {} {} {} {} {} {} {} {}\n", link.name, link.from, link.to,
                    to_string(link.kind), link.bandwidth.bytes_per_second,
                    link.usable.bytes_per_second, link.latency.ps, link.overhead.ps, link.count,
                    static_cast<int>(link.spread), link.half_duplex, link.lanes, link.generation);
  for (const std::string& rank : rank_names(topology)) text += rank + " ";
  const RoutingPolicy& policy = topology.routing();
  text += fmt::format("\n{} {} {} {} {}", to_string(policy.p2p), policy.acs, policy.gdr, policy.nvb,
                      policy.pxn);
  for (const auto& [gpu, nic] : policy.nics) text += fmt::format(" {}:{}", gpu, nic);
  return text;
}

}  // namespace syncsim::testing
