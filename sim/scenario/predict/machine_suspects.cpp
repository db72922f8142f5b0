// What may be wrong with the machine, as edits that can be said to the program again.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "sim/scenario/predict/suspects.h"
#include "sim/topology/boxes.h"
#include "sim/topology/id_pattern.h"
#include "sim/topology/routing.h"

namespace syncsim {
namespace {

constexpr std::size_t kMostPairs = 64;  // whose routes are looked at

Variant edited(const Scene& scene, std::string what, const std::vector<std::string>& texts) {
  Variant variant{.what = std::move(what), .terms = scene.terms};
  for (const std::string& text : texts) {
    variant.edits.push_back(parse_edit(text));
    variant.again += fmt::format("{}--edit \"{}\"", variant.again.empty() ? "" : " ", text);
  }
  return variant;
}

bool has_kind(const Scene& scene, LinkKind kind) {
  const auto& links = scene.machine.links();
  return std::any_of(links.begin(), links.end(), [&](const Link& l) { return l.kind == kind; });
}

bool has_nics(const Scene& scene) { return !scene.machine.nodes_of_kind(NodeKind::nic).empty(); }

// Of each kind a cable that ranks use between neighbours, the first; and the busiest.
std::vector<LinkId> links_in_use(const Scene& scene) {
  const Resources resources(scene.machine, Rates::usable);
  Router router(scene.machine, resources);
  std::map<LinkKind, LinkId> first;
  const std::size_t pairs = std::min(scene.ranks.size(), kMostPairs);
  for (std::size_t i = 0; i < pairs; ++i)
    for (const LinkId link :
         router.route(scene.ranks[i], scene.ranks[(i + 1) % scene.ranks.size()]).links)
      first.try_emplace(scene.machine.links()[link].kind, link);
  std::vector<LinkId> links;
  for (const auto& [kind, link] : first) links.push_back(link);
  for (LinkId link = 0; link < scene.machine.links().size(); ++link)
    if (scene.machine.links()[link].name == scene.busiest) links.push_back(link);
  return links;
}

struct Slowdown {
  double factor;
  std::string_view at;  // "at half its rate"
};

std::vector<Slowdown> slowdowns(LinkKind kind) {
  if (kind == LinkKind::pcie)
    return {{0.5, "at half its rate: x8, or a generation down"},
            {0.25, "at a quarter of its rate: x4, or two generations down"}};
  return {{0.5, "at half its rate"}, {0.25, "at a quarter of its rate"}};
}

// The names of nics within their boxes, in the order of the first box.
std::vector<std::string> nic_names(const Scene& scene) {
  std::vector<std::string> names;
  for (const NodeId nic : scene.machine.nodes_of_kind(NodeKind::nic)) {
    const std::string& id = scene.machine.nodes()[nic].id;
    const std::string name = id.substr(box_name(id).size());
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

// The edits that take nics of these names from every box.
std::vector<std::string> without(const Scene& scene, const std::vector<std::string>& names) {
  const NodeId first = scene.machine.nodes_of_kind(NodeKind::nic).front();
  const bool boxed = !box_name(scene.machine.nodes()[first].id).empty();
  std::vector<std::string> edits;
  for (const std::string& pattern : compressed({names.begin(), names.end()}))
    edits.push_back(fmt::format("remove node:{}{}", boxed ? "*/" : "", pattern));
  return edits;
}

}  // namespace

std::vector<Variant> slow_link(const Scene& scene) {
  std::vector<Variant> variants;
  for (const LinkId link : links_in_use(scene)) {
    const std::string name = scene.machine.cable_name(link);
    for (const Slowdown& slow : slowdowns(scene.machine.links()[link].kind))
      variants.push_back(edited(
          scene,
          fmt::format("{} link {} {}", to_string(scene.machine.links()[link].kind), name, slow.at),
          {fmt::format("scale link:{} bandwidth {:g}", name, slow.factor)}));
  }
  return variants;
}

std::vector<Variant> slow_links(const Scene& scene) {
  std::vector<Variant> variants;
  for (const LinkKind kind : {LinkKind::pcie, LinkKind::socket, LinkKind::network}) {
    if (!has_kind(scene, kind)) continue;
    for (const Slowdown& slow : slowdowns(kind))
      variants.push_back(
          edited(scene, fmt::format("every {} link {}", to_string(kind), slow.at),
                 {fmt::format("scale kind:{} bandwidth {:g}", to_string(kind), slow.factor)}));
  }
  return variants;
}

std::vector<Variant> nics_missing(const Scene& scene) {
  const std::vector<std::string> names = nic_names(scene);
  if (names.size() < 2) return {};
  const auto middle = names.begin() + static_cast<std::ptrdiff_t>((names.size() + 1) / 2);
  std::vector<Variant> variants = {
      edited(scene, "half the NICs missing", without(scene, {middle, names.end()}))};
  if (names.size() == 2) return variants;
  std::vector<std::string> others;
  for (std::size_t i = 1; i < names.size(); i += 2) others.push_back(names[i]);
  variants.push_back(edited(scene, "every other NIC missing", without(scene, others)));
  variants.push_back(
      edited(scene, "all NICs but one missing", without(scene, {names.begin() + 1, names.end()})));
  return variants;
}

std::vector<Variant> rail_lost(const Scene& scene) {
  const std::vector<std::string> names = nic_names(scene);
  if (names.size() < 2) return {};
  const NodeId first = scene.machine.nodes_of_kind(NodeKind::nic).front();
  const std::string& id = scene.machine.nodes()[first].id;
  return {edited(scene, "one rail lost", without(scene, {names.front()})),
          edited(scene, fmt::format("one NIC of one machine lost, such as {}", id),
                 {"remove node:" + id})};
}

std::vector<Variant> p2p_off(const Scene& scene) {
  std::vector<Variant> variants;
  if (has_kind(scene, LinkKind::pcie))
    variants.push_back(edited(scene, "P2P off", {"disable p2p"}));
  if (has_kind(scene, LinkKind::nvlink) || has_kind(scene, LinkKind::xgmi))
    variants.push_back(edited(scene, "P2P off, over NVLink or xGMI too", {"limit p2p LOC"}));
  return variants;
}

std::vector<Variant> acs_on(const Scene& scene) {
  if (!has_kind(scene, LinkKind::pcie)) return {};
  return {edited(scene, "ACS on", {"enable acs"})};
}

std::vector<Variant> gdr_off(const Scene& scene) {
  if (!has_nics(scene)) return {};
  return {edited(scene, "GPUDirect RDMA off", {"disable gdr"})};
}

std::vector<Variant> nvlink_off(const Scene& scene) {
  std::vector<Variant> variants;
  for (const auto& [kind, name] :
       {std::pair(LinkKind::nvlink, "NVLink"), std::pair(LinkKind::xgmi, "xGMI")}) {
    if (!has_kind(scene, kind)) continue;
    const std::string_view word = to_string(kind);
    variants.push_back(
        edited(scene, fmt::format("{} off", name), {fmt::format("remove kind:{}", word)}));
    variants.push_back(edited(scene, fmt::format("half of {}", name),
                              {fmt::format("scale kind:{} bandwidth 0.5", word)}));
  }
  return variants;
}

}  // namespace syncsim
