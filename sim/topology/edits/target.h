#pragma once
// What an edit is of: "link:a-b", "node:nic0" or "kind:nvlink". A link target names a cable ("a-b"
// or "b-a", both directions) or one direction ("a>b"). Names may be patterns (edits/pattern.h). A
// target that matches nothing is an error with did-you-mean.

#include <string>
#include <string_view>
#include <vector>

#include "sim/topology/edits.h"
#include "sim/topology/edits/phrase.h"

namespace syncsim {

EditTarget parse_target(std::string_view text);  // throws InputError
// Of links, by name or kind: figures are of these.
EditTarget parse_link_target(std::string_view text);
// "link:a-b" -> "a-b"; refuses directions.
std::string parse_cable(std::string_view text);
// "nic0" or "node:nic0" -> "nic0"; may be a pattern.
std::string parse_node_name(std::string_view text);
bool is_direction(const EditTarget& target);

// At least one, in order; both directions of a cable unless the target names one.
std::vector<LinkId> selected_links(const EditTarget& target, const Topology& topology);
// At least one cable, each in the direction in which it is written: "b-a" is the link b>a.
std::vector<LinkId> selected_cables(std::string_view name, const Topology& topology);
// The one cable of that name.
LinkId selected_cable(std::string_view name, const Topology& topology);

InputError nothing_matches(const EditTarget& target, const Topology& topology);

// Of each node the one cable by which it hangs on the rest of the machine: that of kind pcie, or
// its only one. The link leads away from the node. Throws InputError that lists them when there are
// several.
std::vector<LinkId> moorings(const std::vector<NodeId>& nodes, const Topology& topology);

// Refuses the end of a PCIe cable of a gpu or nic in another: it leads to a switch or a cpu.
void require_plug(const Link& cable, NodeId to, const Topology& topology);

// "gpu0-switch0", from the end that is named first.
std::string cable_from(LinkId link, const Topology& topology);

// Refuses a second cable of a kind between two nodes.
void require_unjoined(const Topology::Parts& parts, NodeId a, NodeId b, LinkKind kind);
InputError joined_already(const std::string& a, const std::string& b, LinkKind kind);

}  // namespace syncsim
