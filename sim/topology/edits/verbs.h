#pragma once
// The verbs of edits: one row each, and how its words are understood. A verb's function checks all
// that can be checked without a machine, and returns what changes one.

#include <string_view>
#include <vector>

#include "sim/topology/edits/phrase.h"

namespace syncsim {

inline constexpr std::string_view kSetVerb = "set";  // not written: "link:a-b bandwidth=8 GB/s"
inline constexpr std::string_view kRanksVerb = "ranks";

const std::vector<EditVerb>& edit_verbs();
const EditVerb* find_edit_verb(std::string_view name);  // nullptr: there is none

using MachineChange = std::function<Topology::Parts(const Topology&)>;

// Figures of links (link_edits.cpp). Of what an event sets, 0 too.
enum class Zero : bool { refused, allowed };
LinkEdit understand_figures(const EditPhrase& phrase, Zero zero);  // set, scale
MachineChange understand_figures(const EditPhrase& phrase);
MachineChange understand_oversubscription(const EditPhrase& phrase);

// Nodes and cables (remove.cpp, add.cpp, add_node.cpp, move.cpp).
MachineChange understand_removal(const EditPhrase& phrase);
MachineChange understand_addition(const EditPhrase& phrase);
MachineChange understand_move(const EditPhrase& phrase);

// The routing policy (policy_edits.cpp).
MachineChange understand_enabling(const EditPhrase& phrase);
MachineChange understand_disabling(const EditPhrase& phrase);
MachineChange understand_limit(const EditPhrase& phrase);
MachineChange understand_use(const EditPhrase& phrase);

// Which nodes are ranks, in which order (rank_edit.cpp).
MachineChange understand_ranks(const EditPhrase& phrase);

}  // namespace syncsim
