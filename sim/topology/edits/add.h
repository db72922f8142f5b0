#pragma once
// What "add" adds: cables here and in add.cpp, nodes in add_node.cpp.

#include <string>

#include "sim/topology/edits/verbs.h"

namespace syncsim {

// Both directions of a cable from `a` to `b`, with the figures of `link` and of its way back.
// Throws InputError when they have one of the kind.
void plug(Topology::Parts& parts, NodeId a, NodeId b, Link there, Link back);
// Where they are known to have none.
void append_cable(Topology::Parts& parts, NodeId a, NodeId b, Link there, Link back);

// Throws InputError at the first argument that is not among `keys`; `why` is the rule.
void allow_arguments(const EditPhrase& phrase, const std::vector<std::string_view>& keys,
                     const std::string& why, const std::string& right);

MachineChange understand_new_node(const EditPhrase& phrase, const std::string& id);

}  // namespace syncsim
