#include "sim/scenario/fault_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/scenario/fault_limits.h"
#include "sim/scenario/store_servers.h"

namespace syncsim {
namespace {

NodeId server_lost(const Fault& fault, const Point& point, const Setting& setting) {
  return at_field(point, "fault", [&] {
    require_servers(*point.training);
    const NodeId node = setting.machine.node(fault.server);
    const auto rank = std::find(setting.ranks.begin(), setting.ranks.end(), node);
    if (rank != setting.ranks.end()) {
      const auto number = rank - setting.ranks.begin();
      throw InputError(fmt::format("{} is rank {}'s", fault.server, number),
                       fmt::format("write \"rank:{}\"", number));
    }
    const auto servers = server_names(*point.training, setting.machine, setting.ranks);
    if (std::find(servers.begin(), servers.end(), fault.server) == servers.end())
      throw unknown_name("server of the store", fault.server, servers);
    return node;
  });
}

NodeId node_lost(const Fault& fault, const Point& point, const Setting& setting) {
  if (fault.kind == Fault::Kind::rank) {
    if (std::cmp_greater_equal(fault.rank, setting.ranks.size()))
      throw InputError(fmt::format("rank {} is not in the run", fault.rank),
                       fmt::format("name ranks of the run, 0 to {}", setting.ranks.size() - 1),
                       point.place("fault"));
    return setting.ranks[static_cast<std::size_t>(fault.rank)];
  }
  return server_lost(fault, point, setting);
}

// The fault's links are gone, or as it leaves them, from the start on.
Edit edit_of(const Fault& fault, bool dead, const Point& point) {
  const char* const target = fault.links.target.kind == EditTarget::Kind::kind ? "kind" : "link";
  Edit edit = at_field(point, "fault", [&] {
    return parse_edit(dead ? fmt::format("remove {}:{}", target, fault.links.target.pattern)
                           : fault.links.text);
  });
  edit.place = point.place("fault");
  return edit;
}

bool leaves_nothing(const Fault& fault, const Topology& machine) {
  const auto links = edited_links(fault.links, machine);
  return std::all_of(links.begin(), links.end(), [](const auto& edited) {
    return !(edited.second.bandwidth.bytes_per_second > 0);
  });
}

std::vector<int> ranks_left(const Point& point, std::size_t count, int lost, int first) {
  std::vector<int> own(count);  // of the run
  std::iota(own.begin(), own.end(), 0);
  own.erase(own.begin() + first);
  own.resize(count - static_cast<std::size_t>(lost));
  if (point.ranks.empty()) return own;
  for (int& rank : own) rank = point.ranks[static_cast<std::size_t>(rank)];
  return own;
}

// Ranks behind the lost one move up.
std::map<int, double> speeds_left(const std::map<int, double>& speeds, int first, int left) {
  std::map<int, double> result;
  for (const auto& [rank, speed] : speeds) {
    const int moved = rank > first ? rank - 1 : rank;
    if (rank != first && moved < left) result.emplace(moved, speed);
  }
  return result;
}

std::optional<Point> without_ranks(Point point, const Setting& setting, int lost) {
  const auto count = static_cast<int>(setting.ranks.size());
  if (lost >= count) return std::nullopt;
  const auto& fault = point.training->faults.fault;
  const int first = fault ? fault->rank : count - 1;
  point.ranks = ranks_left(point, setting.ranks.size(), lost, first);
  point.training->speeds = speeds_left(point.training->speeds, first, count - lost);
  return point;
}

std::optional<Point> without_servers(Point point, const Setting& setting, int lost) {
  FaultField& faults = point.training->faults;
  std::vector<std::string> servers = server_names(*point.training, setting.machine, setting.ranks);
  std::string next = faults.fault ? faults.fault->server : servers.back();
  for (int i = 0; i < lost; ++i) {
    servers = without_server(servers, next, faults.recovery);
    if (servers.empty()) return std::nullopt;
    next = servers.back();
  }
  faults.servers_left = std::move(servers);
  return point;
}

void require_slower(const Link& link, const LinkChange& change) {
  if (change.bandwidth <= link.bandwidth) return;
  throw InputError(fmt::format("the fault makes {} faster, {} in place of {}", link.name,
                               to_string(change.bandwidth), to_string(link.bandwidth)),
                   "write less than it has", change.place);
}

}  // namespace

std::vector<LinkChange> changes_by(const Fault& fault, Time at, const Point& point,
                                   const Setting& setting) {
  const Topology& machine = setting.machine;
  if (fault.kind == Fault::Kind::link) {
    const LinkEvent event{at, fault.links, fault.text, point.place("fault")};
    const auto changes = with_events(machine, std::span(&event, 1)).changes;
    for (const LinkChange& change : changes) require_slower(machine.links()[change.link], change);
    return changes;
  }
  const NodeId node = node_lost(fault, point, setting);
  std::vector<LinkChange> changes;
  for (LinkId link = 0; link < machine.links().size(); ++link)
    if (machine.links()[link].from == node || machine.links()[link].to == node)
      changes.push_back({at, link, {}, {}, point.place("fault")});
  return changes;
}

std::optional<Point> after_loss(const Point& asked, const Setting& setting, int lost) {
  Point point = asked;
  FaultField& faults = point.training->faults;
  const std::optional<Fault> fault = faults.fault;
  std::optional<Point> after = point;
  if (faults.recovery == Recovery::reroute)
    after->edits.push_back(edit_of(*fault, leaves_nothing(*fault, setting.machine), asked));
  else if (faults.recovery != Recovery::restore)
    after = kind_lost(faults) == Fault::Kind::server ? without_servers(point, setting, lost)
                                                     : without_ranks(point, setting, lost);
  if (after) after->training->faults.forget();
  return after;
}

}  // namespace syncsim
