#pragma once
// What an entry of "links" says of its cables besides their ends:
//   "type": "x16"          a link type (link_type.h): the figures of one cable
//   "count": 2             so many parallel cables, which act as one wide link
//   "bundle": 2            the same, but the type's figures are those of all of them together
//   "back": "x8"           the type of the way back, where the two directions differ
//   "kind_in_name": true   named "a-b@pcie" though no other kind joins the two; false: the contrary

#include <map>
#include <optional>
#include <string>

#include "sim/base/json_reader.h"
#include "sim/topology/link_names.h"
#include "sim/topology/topology.h"

namespace syncsim {

using LinkTypes = std::map<std::string, Link>;

// Both directions, without ends.
struct Cable {
  Link there;
  Link back;
  std::optional<NameForm> form;
};

// Other keys are left to the caller.
Cable read_cable(const JsonReader& entry, const LinkTypes& types);

void add_cable(Topology::Parts& parts, NodeId from, NodeId to, const Cable& cable);

}  // namespace syncsim
