#include "sim/analysis/ports_bound.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "sim/analysis/port_capacity.h"

namespace syncsim {
namespace {

struct Ports {
  std::vector<PortCapacity> out;  // a rank each
  std::vector<PortCapacity> in;
};

Ports ports_of(const BoundQuery& query) {
  const Topology& topology = query.topology;
  std::vector<PortCapacity> out(topology.nodes().size());
  std::vector<PortCapacity> in(topology.nodes().size());
  std::vector<double> present;  // of each link
  for (const Link& link : topology.links()) {
    present.push_back(link.rate(query.rates).bytes_per_second);
    out[link.from].add(present.back());
    in[link.to].add(present.back());
  }
  for (const LinkChange& change : query.changes) {
    const Link& link = topology.links()[change.link];
    const double rate = change.rate(query.rates).bytes_per_second;
    const double difference = rate - std::exchange(present[change.link], rate);
    out[link.from].change(seconds(change.at), difference);
    in[link.to].change(seconds(change.at), difference);
  }
  Ports ports;
  for (const NodeId rank : query.ranks) {
    ports.out.push_back(out[rank]);
    ports.in.push_back(in[rank]);
  }
  return ports;
}

// Bytes that must leave and enter each rank's ports, whatever the schedule.
struct Traffic {
  double out = 0;
  double in = 0;
};

// `parts` are the collective's part boundaries.
Traffic least_traffic(const Collective& collective, const std::vector<std::int64_t>& parts,
                      int rank) {
  const auto size = static_cast<double>(collective.bytes.count);
  const auto index = static_cast<std::size_t>(rank);
  const auto part = static_cast<double>(parts[index + 1] - parts[index]);
  const bool root = rank == collective.root;
  switch (collective.kind) {
    case CollectiveKind::allreduce:
      return {size, size};
    case CollectiveKind::reduce:
      return root ? Traffic{0, size} : Traffic{size, 0};
    case CollectiveKind::broadcast:
      return root ? Traffic{size, 0} : Traffic{0, size};
    case CollectiveKind::reduce_scatter:
      return {size - part, part};
    case CollectiveKind::all_gather:
      return {part, size - part};
  }
  return {};
}

}  // namespace

LowerBound ports_bound(const BoundQuery& query) {
  const Collective& collective = query.collective;
  LowerBound best{0, "ports", "nothing has to move"};
  if (query.ranks.size() < 2) return best;
  const auto consider = [&best](double bytes, const PortCapacity& capacity, auto&& binds) {
    const double least = bytes > 0 ? capacity.time_of(bytes) : 0;
    if (least <= best.seconds) return;
    best.seconds = least;
    best.binds = binds();
  };
  const Ports ports = ports_of(query);
  if (collective.kind == CollectiveKind::allreduce && query.helpers.empty()) {
    const double bytes = 2 * static_cast<double>(query.ranks.size() - 1) *
                         static_cast<double>(collective.bytes.count);
    consider(bytes, PortCapacity::sum(ports.out), [] { return "the ports out of all ranks"; });
    consider(bytes, PortCapacity::sum(ports.in), [] { return "the ports into all ranks"; });
  }
  const std::vector<std::int64_t> parts = collective.part_boundaries();
  for (std::size_t rank = 0; rank < query.ranks.size(); ++rank) {
    const Traffic traffic = least_traffic(collective, parts, static_cast<int>(rank));
    const auto of_rank = [&](std::string_view way) {
      return fmt::format("the ports {} rank {} ({})", way, rank,
                         query.topology.nodes()[query.ranks[rank]].id);
    };
    consider(traffic.out, ports.out[rank], [&] { return of_rank("out of"); });
    consider(traffic.in, ports.in[rank], [&] { return of_rank("into"); });
  }
  return best;
}

}  // namespace syncsim
