#include "sim/analysis/bounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace syncsim {
namespace {

struct Ports {
  std::vector<double> out;  // bytes per second, a rank each
  std::vector<double> in;
};

Ports ports_of(const Topology& topology, std::span<const NodeId> ranks, Rates rates) {
  std::vector<double> out(topology.nodes().size());
  std::vector<double> in(topology.nodes().size());
  for (const Link& link : topology.links()) {
    out[link.from] += link.rate(rates).bytes_per_second;
    in[link.to] += link.rate(rates).bytes_per_second;
  }
  Ports ports;
  for (const NodeId rank : ranks) {
    ports.out.push_back(out[rank]);
    ports.in.push_back(in[rank]);
  }
  return ports;
}

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

// Bytes that must leave and enter each rank's ports, whatever the schedule.
struct Traffic {
  double out = 0;
  double in = 0;
};

Traffic least_traffic(const Collective& collective, int rank) {
  const auto size = static_cast<double>(collective.bytes.count);
  const auto parts = collective.part_boundaries();
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

LowerBound lower_bound(const Topology& topology, std::span<const NodeId> ranks,
                       const Collective& collective, Rates rates) {
  LowerBound best{0, "ports", "nothing has to move"};
  if (ranks.size() < 2) return best;
  const auto consider = [&best](double bytes, double capacity, auto&& binds) {
    if (bytes <= best.seconds * capacity) return;
    best.seconds = bytes / capacity;
    best.binds = binds();
  };
  const Ports ports = ports_of(topology, ranks, rates);
  if (collective.kind == CollectiveKind::allreduce) {
    const double bytes =
        2 * static_cast<double>(ranks.size() - 1) * static_cast<double>(collective.bytes.count);
    consider(bytes, sum(ports.out), [] { return "the ports out of all ranks"; });
    consider(bytes, sum(ports.in), [] { return "the ports into all ranks"; });
  }
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    const Traffic traffic = least_traffic(collective, static_cast<int>(rank));
    const auto of_rank = [&](std::string_view way) {
      return fmt::format("the ports {} rank {} ({})", way, rank, topology.nodes()[ranks[rank]].id);
    };
    consider(traffic.out, ports.out[rank], [&] { return of_rank("out of"); });
    consider(traffic.in, ports.in[rank], [&] { return of_rank("into"); });
  }
  return best;
}

}  // namespace syncsim
