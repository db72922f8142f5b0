#pragma once
// What-if edits: each returns a changed copy of a machine. As text (--edit) or JSON (scenarios):
//   "link:gpu0-switch0 bandwidth=8 GB/s"      {"link": "gpu0-switch0", "bandwidth": "8 GB/s"}
//   "link:gpu0-switch0 latency=2 us"          {"link": "gpu0-switch0", "latency": "2 us"}
//   "scale kind:nvlink bandwidth 0.5"         {"scale": "kind:nvlink", "bandwidth": 0.5}
//   "remove link:gpu0-gpu1"                   {"remove": "link:gpu0-gpu1"}
//   "remove node:nic0", "remove kind:pcie"    {"remove": "node:nic0"}
// A link target names a cable ("a-b" or "b-a", both directions) or one direction ("a>b"); '*'
// matches any run of characters, in node ids and kinds too. Links are set and scaled by name or by
// kind. Setting a bandwidth sets the figure of the whole cable bundle, line and usable (usable
// keeps its fraction of line). Removing a node removes its links and its rank. A target that
// matches nothing is an error.

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/base/json_reader.h"
#include "sim/topology/topology.h"

namespace syncsim {

struct Edit {
  enum class Action { set_bandwidth, set_latency, scale_bandwidth, scale_latency, remove };
  enum class Target { link, node, kind };
  Action action = Action::remove;
  Target target = Target::link;
  std::string pattern;  // link name, node id or link kind
  Bandwidth bandwidth;  // set_bandwidth
  Time latency;         // set_latency
  double factor = 1;    // scale_*
  std::string text;     // as written, or the JSON form written as text; shown in reports
  std::string place;    // where it was written, for errors; may be empty
};

Edit parse_edit(std::string_view text);               // throws InputError without a place
std::vector<Edit> read_edit(const JsonReader& json);  // one object may set several figures
// For events (link_events.h): edits that set or scale bandwidths, by name or by kind, to 0 too. The
// object may hold other keys.
Edit parse_bandwidth_edit(std::string_view text);
Edit read_bandwidth_edit(const JsonReader& json);
// The links whose figures the edit changes, in order, as it leaves them; figures are not checked.
// Throws InputError without a place when it matches none.
std::vector<std::pair<LinkId, Link>> edited_links(const Edit& edit, const Topology& topology);

// Applied in order. Throws InputError for a target that matches nothing, for a removal that leaves
// no ranks, and for one that cuts ranks off from each other (it names the first such pair).
Topology apply_edits(const Topology& topology, std::span<const Edit> edits);

}  // namespace syncsim
