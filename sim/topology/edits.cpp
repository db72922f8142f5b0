#include "sim/topology/edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "sim/base/named_table.h"
#include "sim/topology/connected.h"

namespace syncsim {
namespace {

using Action = Edit::Action;
using Target = Edit::Target;

// '*' stands for any run of characters. On a mismatch the last star takes one character more.
bool matches(std::string_view pattern, std::string_view text) {
  std::size_t at = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      resume = i;
    } else if (at < pattern.size() && pattern[at] == text[i]) {
      ++at;
      ++i;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      i = ++resume;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

std::string with_dash(std::string name) {
  name[name.find('>')] = '-';
  return name;
}

bool is_direction(const Edit& edit) { return edit.pattern.find('>') != std::string::npos; }

bool selects(const Edit& edit, const Topology& topology, LinkId link) {
  const std::vector<Link>& links = topology.links();
  if (edit.target == Target::kind) return matches(edit.pattern, to_string(links[link].kind));
  if (is_direction(edit)) return matches(edit.pattern, links[link].name);
  return matches(edit.pattern, with_dash(links[link].name)) ||
         matches(edit.pattern, with_dash(links[link ^ 1].name));
}

std::vector<std::string> link_names(const Edit& edit, const Topology& topology) {
  std::vector<std::string> names;
  for (LinkId link = 0; link < topology.links().size(); ++link)
    if (is_direction(edit))
      names.push_back(topology.links()[link].name);
    else if (link % 2 == 0)
      names.push_back(topology.cable_name(link));
  return names;
}

std::vector<std::string> kind_names(const Topology& topology) {
  std::set<std::string> names;
  for (const Link& link : topology.links()) names.emplace(to_string(link.kind));
  return {names.begin(), names.end()};
}

std::vector<std::string> node_ids(const Topology& topology) {
  std::vector<std::string> ids;
  for (const Node& node : topology.nodes()) ids.push_back(node.id);
  return ids;
}

// Two nodes joined by several kinds of cable: their names say which, and the pattern does not.
std::string with_kind(const std::string& pattern, const std::vector<std::string>& names) {
  for (const std::string& name : names)
    if (name.starts_with(pattern + "@")) return fmt::format(R"(did you mean "{}"?)", name);
  return "";
}

InputError nothing_matches(const Edit& edit, const Topology& topology) {
  const std::string& pattern = edit.pattern;
  if (edit.target == Target::node)
    return {fmt::format(R"(no node is called "{}")", pattern),
            unknown_name("node", pattern, node_ids(topology)).right()};
  if (edit.target == Target::kind)
    return {fmt::format(R"(no link is of kind "{}")", pattern),
            unknown_name("kind", pattern, kind_names(topology)).right()};
  const std::vector<std::string> names = link_names(edit, topology);
  const std::string guess = with_kind(pattern, names);
  return {fmt::format(R"(no link is called "{}")", pattern),
          guess.empty() ? unknown_name("link", pattern, names).right() : guess};
}

std::vector<LinkId> selected_links(const Edit& edit, const Topology& topology) {
  std::vector<LinkId> result;
  for (LinkId link = 0; link < topology.links().size(); ++link)
    if (selects(edit, topology, link)) result.push_back(link);
  if (result.empty()) throw nothing_matches(edit, topology);
  return result;
}

// A ratio of at most 1 keeps `usable` at or below the line rate, whatever is rounded.
void set_bandwidth(Link& link, double bytes_per_second) {
  const double usable_share = link.usable.bytes_per_second / link.bandwidth.bytes_per_second;
  link.bandwidth.bytes_per_second = bytes_per_second;
  link.usable.bytes_per_second = bytes_per_second * usable_share;
}

Time scaled(Time time, double factor) {
  const double ps = static_cast<double>(time.ps) * factor;
  if (ps >= static_cast<double>(std::numeric_limits<std::int64_t>::max()))
    throw InputError(fmt::format("the latency {} cannot be scaled by {}", to_string(time), factor),
                     "write a smaller factor");
  return {std::llround(ps)};
}

void change(const Edit& edit, Link& link) {
  switch (edit.action) {
    case Action::set_bandwidth:
      return set_bandwidth(link, edit.bandwidth.bytes_per_second);
    case Action::scale_bandwidth:
      return set_bandwidth(link, link.bandwidth.bytes_per_second * edit.factor);
    case Action::set_latency:
      link.latency = edit.latency;
      return;
    case Action::scale_latency:
      link.latency = scaled(link.latency, edit.factor);
      return;
    case Action::remove:
      break;
  }
  throw InternalError("a removal changes no link");
}

Topology::Parts change_links(const Edit& edit, const Topology& topology) {
  Topology::Parts parts = topology.parts();
  for (auto& [link, changed] : edited_links(edit, topology)) parts.links[link] = changed;
  return parts;
}

Topology::Parts remove_links(const Edit& edit, const Topology& topology) {
  std::vector<bool> removed(topology.links().size());
  for (const LinkId link : selected_links(edit, topology)) removed[link] = true;
  Topology::Parts parts = topology.parts();
  parts.links.clear();
  for (LinkId link = 0; link < topology.links().size(); ++link)
    if (!removed[link]) parts.links.push_back(topology.links()[link]);
  return parts;
}

// The nodes that stay, in order, with their new numbers.
class Survivors {
 public:
  Survivors(const Edit& edit, const Topology& topology) {
    for (const Node& node : topology.nodes()) {
      const bool stays = !matches(edit.pattern, node.id);
      numbers_.push_back(stays ? std::optional(static_cast<NodeId>(nodes_.size())) : std::nullopt);
      if (stays) nodes_.push_back(node);
    }
    if (nodes_.size() == topology.nodes().size()) throw nothing_matches(edit, topology);
  }

  const std::vector<Node>& nodes() const { return nodes_; }
  std::optional<NodeId> number(NodeId before) const { return numbers_[before]; }

 private:
  std::vector<Node> nodes_;
  std::vector<std::optional<NodeId>> numbers_;
};

Topology::Parts remove_nodes(const Edit& edit, const Topology& topology) {
  const Survivors survivors(edit, topology);
  Topology::Parts parts{topology.name(),
                        topology.description(),
                        topology.source(),
                        survivors.nodes(),
                        {},
                        {},
                        topology.routing()};
  for (Link link : topology.links()) {
    const auto from = survivors.number(link.from);
    const auto to = survivors.number(link.to);
    if (!from || !to) continue;
    link.from = *from;
    link.to = *to;
    parts.links.push_back(std::move(link));
  }
  for (const NodeId rank : topology.ranks())
    if (const auto number = survivors.number(rank)) parts.ranks.push_back(*number);
  if (parts.ranks.empty()) throw InputError("no ranks are left", "keep at least one rank");
  parts.routing.nics.clear();
  for (const auto& [gpu, nic] : topology.routing().nics)
    if (survivors.number(gpu) && survivors.number(nic))
      parts.routing.nics.emplace_back(*survivors.number(gpu), *survivors.number(nic));
  return parts;
}

Topology remove(const Edit& edit, const Topology& topology) {
  Topology rest(edit.target == Target::node ? remove_nodes(edit, topology)
                                            : remove_links(edit, topology));
  if (const auto pair = first_cut_off_pair(rest))
    throw InputError(fmt::format("no route from {} to {} is left", rest.nodes()[pair->first].id,
                                 rest.nodes()[pair->second].id),
                     "keep a path between them, or remove the node of one of them");
  return rest;
}

Topology apply_edit(const Topology& topology, const Edit& edit) {
  try {
    return edit.action == Action::remove ? remove(edit, topology)
                                         : Topology(change_links(edit, topology));
  } catch (const InputError& failure) {
    throw InputError(fmt::format(R"(edit "{}": {})", edit.text, failure.wrong()), failure.right(),
                     edit.place);
  }
}

}  // namespace

std::vector<std::pair<LinkId, Link>> edited_links(const Edit& edit, const Topology& topology) {
  std::vector<std::pair<LinkId, Link>> result;
  for (const LinkId link : selected_links(edit, topology)) {
    result.emplace_back(link, topology.links()[link]);
    change(edit, result.back().second);
  }
  return result;
}

Topology apply_edits(const Topology& topology, std::span<const Edit> edits) {
  if (edits.empty()) return topology;
  Topology result = apply_edit(topology, edits.front());
  for (const Edit& edit : edits.subspan(1)) result = apply_edit(result, edit);
  return result;
}

}  // namespace syncsim
