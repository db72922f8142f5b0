#pragma once
// A machine's cables as the entries of "links" (cable_json.h), in order and as few as stars, pairs
// and full meshes allow, with the link types that these name.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/topology/id_pattern.h"
#include "sim/topology/link_names.h"
#include "sim/topology/topology.h"

namespace syncsim {

// What an entry says besides its ends. Types are numbers of link types.
struct CableTerms {
  std::uint32_t type = 0;
  std::uint32_t back = 0;
  int count = 1;
  bool is_bundle = false;  // types hold the figures of all cables together
  std::optional<NameForm> form;
  friend bool operator==(const CableTerms&, const CableTerms&) = default;
};

struct CableEntry {
  IdPattern left;
  IdPattern right;  // not used by a full mesh
  CableTerms terms;
  bool is_mesh = false;  // of all pairs in `left`
};

struct CableEntries {
  struct Type {
    std::string name;
    Link figures;  // without ends
  };
  std::vector<Type> types;  // in the order in which entries need them
  std::vector<CableEntry> entries;
};

// Refers to the machine's ids.
CableEntries cable_entries(const Topology& topology);

}  // namespace syncsim
