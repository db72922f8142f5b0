#pragma once
// What-if edits: each makes a changed copy of a machine. As text (--edit) or JSON (scenarios):
//   "link:gpu0-switch0 bandwidth=8 GB/s"     {"link": "gpu0-switch0", "bandwidth": "8 GB/s"}
//   "kind:pcie latency=2 us gen=3 width=x8"  {"kind": "pcie", "latency": "2 us", "gen": 3, ...}
//   "scale kind:nvlink bandwidth 0.5"        {"scale": "kind:nvlink", "bandwidth": 0.5}
//   "oversubscribe link:leaf*-spine* 2"      {"oversubscribe": "link:leaf*-spine*", "ratio": 2}
//   "remove link:gpu0-gpu1"                  {"remove": "link:gpu0-gpu1"}
//   "add link:gpu0-gpu1 like link:gpu2-gpu3" {"add": "link:gpu0-gpu1", "like": "link:gpu2-gpu3"}
//   "add node:nic8 kind=nic"                 {"add": "node:nic8", "kind": "nic"}
//   "move nic0 plx1"                         {"move": "nic0", "to": "plx1"}
//   "move node*/nic0 node*/plx1"             {"move": "node*/nic0", "to": "node*/plx1"}
//   "disable p2p", "enable acs"              {"disable": "p2p"}, {"enable": "acs"}
//   "limit p2p PXB", "use nic1 for gpu0"     {"limit": "p2p", "to": "PXB"}, {"use": "nic1", ...}
//   "node:cpu* transit_bandwidth=40 GB/s"    {"node": "cpu*", "transit_bandwidth": "40 GB/s"}
//   "ranks gpu[0-3],gpu7"                    {"ranks": ["gpu[0-3]", "gpu7"]}
// The verbs are a table (edits/verbs.h), each with its rules; targets see edits/target.h.

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/json_reader.h"
#include "sim/topology/topology.h"

namespace syncsim {

struct Edit {
  // Throws InputError without a place.
  std::function<Topology::Parts(const Topology&)> change;
  std::string text;   // as written, or the JSON form written as text; shown in reports
  std::string place;  // where it was written, for errors; may be empty
};

// Throws InputError without a place, which quotes the text.
Edit parse_edit(std::string_view text);
Edit read_edit(const JsonReader& json);  // of an object; the edit does not know its place

// What kinds of link, or which links or nodes by name, an edit is of; edits/pattern.h.
struct EditTarget {
  enum class Kind { link, node, kind };
  Kind kind = Kind::link;
  std::string pattern;  // link name, node id or link kind
};

// An edit of figures of links.
struct LinkEdit {
  EditTarget target;  // links, by name or kind
  std::vector<std::function<void(Link&)>> changes;
  std::string text;
};

// For events (link_events.h): set or scale bandwidths, to 0 too. The object may hold "at".
LinkEdit parse_bandwidth_edit(std::string_view text);
LinkEdit read_bandwidth_edit(const JsonReader& json);
// The links whose figures the edit changes, in order, as it leaves them; figures are not checked.
// Throws InputError without a place when it matches none.
std::vector<std::pair<LinkId, Link>> edited_links(const LinkEdit& edit, const Topology& topology);

// Applied in order, each to what the one before left. Ranks may be cut off between edits (a node
// is added before its links); at the end they reach each other, or the edit that cut them off is
// told which they are. `ranks`: of the machine, which alone have to; empty: all. Throws InputError at
// an edit's place.
Topology apply_edits(const Topology& topology, std::span<const Edit> edits,
                     std::span<const int> ranks = {});

}  // namespace syncsim
