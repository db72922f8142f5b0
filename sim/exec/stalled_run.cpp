#include "sim/exec/stalled_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

namespace syncsim {
namespace {

constexpr std::size_t kNamedOps = 3;  // on one link

struct StalledLink {
  ResourceId resource = 0;
  std::vector<std::uint32_t> ops;
};

// In the order in which the deadlock names them.
std::vector<StalledLink> by_link(const std::vector<engine::Stall>& stalls) {
  std::vector<StalledLink> links;
  for (const engine::Stall& stall : stalls) {
    const auto same = [&](const StalledLink& link) { return link.resource == stall.resource; };
    auto link = std::find_if(links.begin(), links.end(), same);
    if (link == links.end()) link = links.insert(link, {stall.resource, {}});
    link->ops.push_back(stall.op);
  }
  return links;
}

std::size_t named(const std::vector<engine::Stall>& stalls) {
  std::set<std::uint32_t> ops;
  for (const engine::Stall& stall : stalls) ops.insert(stall.op);
  return ops.size();
}

// The last one, which set it to 0.
const LinkChange& change_of(ResourceId resource, const Resources& resources,
                            std::span<const LinkChange> changes) {
  const auto last = std::find_if(changes.rbegin(), changes.rend(), [&](const LinkChange& change) {
    return resources.of_link(change.link) == resource;
  });
  require(last != changes.rend(), "a link stalls that no event changes");
  return *last;
}

}  // namespace

InputError stalled_run(const engine::Deadlock& deadlock, const Resources& resources,
                       std::span<const LinkChange> changes, std::string_view thing,
                       const std::function<std::string(std::uint32_t op)>& name) {
  const std::vector<StalledLink> links = by_link(deadlock.stalls);
  const bool one = deadlock.stalled == 1;
  std::string told = fmt::format("the run never ends: {} {}{} for links at 0 B/s", deadlock.stalled,
                                 thing, one ? " waits" : "s wait");
  if (const std::uint64_t behind = deadlock.unfinished - deadlock.stalled; behind > 0)
    told += fmt::format(", {} more behind {}", behind, one ? "it" : "them");
  for (const StalledLink& link : links) {
    told += fmt::format(", {} (from {} on) stalls", resources.all()[link.resource].name,
                        to_exact_string(change_of(link.resource, resources, changes).at));
    for (std::size_t i = 0; i < link.ops.size() && i < kNamedOps; ++i)
      told += fmt::format(" [{}]", name(link.ops[i]));
    if (link.ops.size() > kNamedOps) told += " ...";
  }
  if (named(deadlock.stalls) < deadlock.stalled) told += ", ...";
  return {told, "give them a bandwidth again by a later event",
          change_of(links.front().resource, resources, changes).place};
}

}  // namespace syncsim
