#include "sim/topology/drawing/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "sim/topology/boxes.h"

namespace syncsim::drawing {
namespace {

// Of every node; switches by what they join.
std::vector<Role> roles_of(const Topology& topology) {
  std::vector<bool> fabric(topology.nodes().size());
  std::vector<bool> tree(topology.nodes().size());
  for (const Link& link : topology.links()) {
    if (link.kind <= LinkKind::c2c) fabric[link.from] = true;
    if (link.kind == LinkKind::pcie || link.kind == LinkKind::host) tree[link.from] = true;
  }
  std::vector<Role> roles;
  for (std::size_t node = 0; node < topology.nodes().size(); ++node) {
    const NodeKind kind = topology.nodes()[node].kind;
    if (kind == NodeKind::gpu) roles.push_back(Role::gpu);
    if (kind == NodeKind::cpu) roles.push_back(Role::cpu);
    if (kind == NodeKind::nic) roles.push_back(Role::nic);
    if (kind == NodeKind::switch_)
      roles.push_back(fabric[node] ? Role::nvswitch
                      : tree[node] ? Role::pcie_switch
                                   : Role::network_switch);
  }
  return roles;
}

std::vector<Bundle> cables_of(const Topology& topology, const DrawingOptions& options) {
  std::vector<Bundle> bundles;
  bundles.reserve(topology.links().size() / 2);
  for (LinkId link = 0; link < topology.links().size(); link += 2) {
    const Link& there = topology.links()[link];
    const double rate = there.rate(options.rates).bytes_per_second;
    const double back = topology.links()[link + 1].rate(options.rates).bytes_per_second;
    Bundle bundle{there.from, there.to, there.kind, static_cast<std::size_t>(there.count)};
    bundle.there = rate;
    bundle.back = back;
    bundle.least = std::min(rate, back) / there.count;
    bundle.most = std::max(rate, back) / there.count;
    bundle.half_duplex = there.half_duplex;
    bundle.example = link;
    if (options.heat) bundle.hottest_there = options.heat->links[link];
    if (options.heat) bundle.hottest_back = options.heat->links[link + 1];
    bundle.carried_there = bundle.hottest_there * rate;
    bundle.carried_back = bundle.hottest_back * back;
    bundles.push_back(bundle);
  }
  return bundles;
}

void turn(Bundle& bundle) {
  std::swap(bundle.a, bundle.b);
  std::swap(bundle.there, bundle.back);
  std::swap(bundle.hottest_there, bundle.hottest_back);
  std::swap(bundle.carried_there, bundle.carried_back);
}

void add(Bundle& sum, const Bundle& more) {
  sum.cables += more.cables;
  sum.there += more.there;
  sum.back += more.back;
  sum.least = std::min(sum.least, more.least);
  sum.most = std::max(sum.most, more.most);
  sum.hottest_there = std::max(sum.hottest_there, more.hottest_there);
  sum.hottest_back = std::max(sum.hottest_back, more.hottest_back);
  sum.carried_there += more.carried_there;
  sum.carried_back += more.carried_back;
  sum.half_duplex = sum.half_duplex && more.half_duplex;
}

double transit_heat(const DrawingOptions& options, NodeId node) {
  return options.heat ? options.heat->transit[node] : 0;
}

// Numbers the units in order of their first nodes.
Units gathered(const Topology& topology, const DrawingOptions& options, bool whole_boxes) {
  const std::vector<Role> roles = roles_of(topology);
  Units units;
  std::vector<std::size_t> unit_of;
  std::map<std::string, std::size_t, std::less<>> boxes;
  for (NodeId node = 0; node < topology.nodes().size(); ++node) {
    std::string box(box_name(topology.nodes()[node].id));
    if (!box.empty()) box.pop_back();  // the slash
    const bool inside = whole_boxes && !box.empty();
    std::size_t unit = units.all.size();
    if (inside) unit = boxes.emplace(box, unit).first->second;
    if (unit == units.all.size())
      units.all.push_back({inside ? Role::box : roles[node], {}, box, "", {}, 0});
    unit_of.push_back(unit);
    units.all[unit].nodes.push_back(node);
    ++units.all[unit].counts[static_cast<std::size_t>(roles[node])];
    units.all[unit].heat = std::max(units.all[unit].heat, transit_heat(options, node));
  }
  Merged merged = merge(cables_of(topology, options), unit_of);
  units.bundles = std::move(merged.outer);
  for (const Bundle& inner : merged.inner)
    units.all[inner.a].heat =
        std::max({units.all[inner.a].heat, inner.hottest_there, inner.hottest_back});
  return units;
}

std::string_view inside(const Topology& topology, NodeId node, const std::string& box) {
  return std::string_view(topology.nodes()[node].id).substr(box.size() + 1);
}

void sign_boxes(const Topology& topology, Units& units) {
  std::vector<std::size_t> unit_of(topology.nodes().size());
  for (std::size_t unit = 0; unit < units.all.size(); ++unit)
    for (const NodeId node : units.all[unit].nodes) {
      unit_of[node] = unit;
      if (Unit& whole = units.all[unit]; whole.role == Role::box)
        whole.contents += fmt::format("{} {}\n", inside(topology, node, whole.box),
                                      to_string(topology.nodes()[node].kind));
    }
  for (const Link& link : topology.links()) {
    Unit& unit = units.all[unit_of[link.from]];
    if (unit_of[link.to] != unit_of[link.from]) continue;
    unit.contents += fmt::format("{}>{} {} {} {} {} {}\n", inside(topology, link.from, unit.box),
                                 inside(topology, link.to, unit.box), to_string(link.kind),
                                 link.bandwidth.bytes_per_second, link.usable.bytes_per_second,
                                 link.latency.ps, link.count);
  }
}

}  // namespace

Units node_units(const Topology& topology, const DrawingOptions& options) {
  return gathered(topology, options, false);
}

Units box_units(const Topology& topology, const DrawingOptions& options) {
  Units units = gathered(topology, options, true);
  sign_boxes(topology, units);
  return units;
}

Merged merge(std::span<const Bundle> bundles, std::span<const std::size_t> target) {
  std::map<std::tuple<std::size_t, std::size_t, LinkKind>, Bundle> sums;
  for (Bundle bundle : bundles) {
    bundle.a = target[bundle.a];
    bundle.b = target[bundle.b];
    if (bundle.a > bundle.b) turn(bundle);
    const auto [place, first] = sums.try_emplace({bundle.a, bundle.b, bundle.kind}, bundle);
    if (!first) add(place->second, bundle);
  }
  Merged merged;
  for (auto& [ends, sum] : sums)
    (sum.a == sum.b ? merged.inner : merged.outer).push_back(std::move(sum));
  return merged;
}

}  // namespace syncsim::drawing
