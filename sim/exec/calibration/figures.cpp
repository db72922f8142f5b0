#include "sim/exec/calibration/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "sim/base/bandwidth_range.h"
#include "sim/topology/delay.h"

namespace syncsim {
namespace {

double a_cable(Bandwidth together, const Link& link) {
  return together.bytes_per_second / link.count;
}

// What links that are alike have in common, and what tells the others apart for people.
struct Group {
  std::string of;
  std::string detail;
  std::vector<std::uint32_t> members;
};

// Groups in the order of their first members.
template <class Key>
class Grouped {
 public:
  Group& at(const Key& key) {
    const auto [place, is_new] = index_.emplace(key, groups_.size());
    if (is_new) groups_.emplace_back();
    return groups_[place->second];
  }

  // Groups of one name get their details, or else numbers.
  std::vector<Group> named() && {
    std::map<std::string, int> names;
    std::map<std::string, int> detailed;
    for (const Group& group : groups_) {
      ++names[group.of];
      ++detailed[group.of + group.detail];
    }
    std::map<std::string, int> seen;
    for (Group& group : groups_) {
      const int number = ++seen[group.of + group.detail];
      const bool is_numbered = detailed[group.of + group.detail] > 1;
      if (names[group.of] > 1) group.of += " of " + group.detail;
      if (is_numbered) group.of += fmt::format(", no. {}", number);
    }
    return std::move(groups_);
  }

 private:
  std::map<Key, std::size_t> index_;
  std::vector<Group> groups_;
};

std::vector<Group> link_groups(const Topology& machine, Grouping grouping) {
  Grouped<std::tuple<std::size_t, LinkKind, double, double, Time, Time, bool>> groups;
  for (LinkId id = 0; id < machine.links().size(); ++id) {
    const Link& link = machine.links()[id];
    const bool own = grouping == Grouping::link;
    Group& group =
        groups.at({own ? id / 2 + 1 : 0, link.kind, a_cable(link.bandwidth, link),
                   a_cable(link.usable, link), link.latency, link.overhead, link.half_duplex});
    group.members.push_back(id);
    group.detail = to_string(Bandwidth{a_cable(link.usable, link)});
    const bool both = group.members.size() > 1;
    group.of =
        own ? (both ? machine.cable_name(id) : link.name) : std::string(to_string(link.kind));
  }
  return std::move(groups).named();
}

std::string plural(NodeKind kind) {
  return std::string(to_string(kind)) + (kind == NodeKind::switch_ ? "es" : "s");
}

using NodeRate = std::optional<Bandwidth> Node::*;

std::vector<Group> node_groups(const Topology& machine, Grouping grouping, NodeRate rate) {
  Grouped<std::tuple<std::size_t, NodeKind, double>> groups;
  for (NodeId id = 0; id < machine.nodes().size(); ++id) {
    const Node& node = machine.nodes()[id];
    if (!(node.*rate)) continue;
    const bool own = grouping == Grouping::link;
    Group& group =
        groups.at({own ? std::size_t{id} + 1 : 0, node.kind, (node.*rate)->bytes_per_second});
    group.members.push_back(id);
    group.detail = to_string(*(node.*rate));
    group.of = group.members.size() > 1 ? plural(node.kind) : node.id;
  }
  return std::move(groups).named();
}

double most_rate(const Topology& machine, const Group& links, LineRates lines) {
  if (lines == LineRates::raised) return kMostBandwidth.bytes_per_second;
  const Link& link = machine.links()[links.members.front()];
  return a_cable(link.bandwidth, link);
}

}  // namespace

const NamedTable<FigureKindRow>& figure_kinds() {
  static const NamedTable<FigureKindRow> table(
      "figure", {{"bandwidth", "usable bandwidth of links, per direction", FigureKind::bandwidth},
                 {"latency", "of links", FigureKind::latency},
                 {"overhead", "fixed cost of a transfer over links", FigureKind::overhead},
                 {"reduce", "bandwidth at which nodes add up", FigureKind::reduce},
                 {"transit", "bandwidth of what passes through nodes", FigureKind::transit}});
  return table;
}

std::string_view to_string(FigureKind kind) {
  for (const FigureKindRow& row : figure_kinds().rows())
    if (row.kind == kind) return row.name;
  return "";
}

std::string Figure::name() const {
  const bool of_node = kind == FigureKind::reduce || kind == FigureKind::transit;
  return fmt::format("{}{} of {}", to_string(kind), of_node ? " bandwidth" : "", of);
}

std::string Figure::value_text() const {
  return is_rate() ? to_string(Bandwidth{value}) : to_string(Time{std::llround(value * 1e12)});
}

std::vector<Figure> figures_of(const Topology& machine, Grouping grouping, LineRates lines) {
  std::vector<Figure> figures;
  const std::vector<Group> links = link_groups(machine, grouping);
  const auto add_links = [&](FigureKind kind, const auto& value, const auto& most) {
    for (const Group& group : links)
      figures.push_back({kind, group.of, group.members,
                         value(machine.links()[group.members.front()]), most(group)});
  };
  const auto most_delay = [](const Group&) { return seconds(kMostDelay); };
  add_links(
      FigureKind::bandwidth, [](const Link& link) { return a_cable(link.usable, link); },
      [&](const Group& group) { return most_rate(machine, group, lines); });
  add_links(
      FigureKind::latency, [](const Link& link) { return seconds(link.latency); }, most_delay);
  add_links(
      FigureKind::overhead, [](const Link& link) { return seconds(link.overhead); }, most_delay);
  const auto add_nodes = [&](FigureKind kind, NodeRate rate) {
    for (const Group& group : node_groups(machine, grouping, rate))
      figures.push_back({kind, group.of, group.members,
                         (machine.nodes()[group.members.front()].*rate)->bytes_per_second,
                         kMostBandwidth.bytes_per_second});
  };
  add_nodes(FigureKind::reduce, &Node::reduce_bandwidth);
  add_nodes(FigureKind::transit, &Node::transit_bandwidth);
  return figures;
}

Topology with_figures(const Topology& machine, std::span<const Figure> figures) {
  Topology::Parts parts = machine.parts();
  for (const Figure& figure : figures)
    for (const std::uint32_t id : figure.members) {
      const Time delay = figure.is_rate() ? Time{} : Time{std::llround(figure.value * 1e12)};
      if (figure.kind == FigureKind::reduce) parts.nodes[id].reduce_bandwidth = {figure.value};
      if (figure.kind == FigureKind::transit) parts.nodes[id].transit_bandwidth = {figure.value};
      if (figure.kind == FigureKind::latency) parts.links[id].latency = delay;
      if (figure.kind == FigureKind::overhead) parts.links[id].overhead = delay;
      if (figure.kind != FigureKind::bandwidth) continue;
      Link& link = parts.links[id];
      link.usable.bytes_per_second = figure.value * link.count;
      if (link.usable <= link.bandwidth) continue;
      const bool may_raise = figure.most > a_cable(link.bandwidth, link);
      (may_raise ? link.bandwidth : link.usable) = may_raise ? link.usable : link.bandwidth;
    }
  return Topology(std::move(parts));
}

}  // namespace syncsim
