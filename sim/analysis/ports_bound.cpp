#include "sim/analysis/ports_bound.h"

#include <fmt/format.h>

#include <numeric>
#include <utility>
#include <vector>

#include "sim/analysis/bound_words.h"
#include "sim/analysis/demand.h"
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

}  // namespace

LowerBound ports_bound(const BoundQuery& query) {
  const Collective& collective = query.collective;
  LowerBound best{0, "ports", "nothing has to move"};
  if (query.ranks.size() < 2) return best;
  const auto consider = [&best](double bytes, const PortCapacity& capacity, Time from,
                                auto&& binds) {
    const double least = bytes > 0 ? capacity.time_of(bytes, seconds(from)) : 0;
    if (least <= best.seconds) return;
    best.seconds = least;
    best.binds = binds();
  };
  const Ports ports = ports_of(query);
  if (sums_everywhere(collective.kind) && query.helpers.empty()) {
    const double bytes = 2 * static_cast<double>(query.ranks.size() - 1) *
                         static_cast<double>(collective.bytes.count);
    const Time first = query.first_start();
    consider(bytes, PortCapacity::sum(ports.out), first,
             [] { return "the ports out of all ranks"; });
    consider(bytes, PortCapacity::sum(ports.in), first, [] { return "the ports into all ranks"; });
  }
  std::vector<std::uint32_t> alone(query.ranks.size());
  std::iota(alone.begin(), alone.end(), 0u);
  const std::vector<Demand> traffic = demands(collective, alone, alone.size());
  for (std::size_t rank = 0; rank < query.ranks.size(); ++rank) {
    const Time start = query.start_of(rank);
    const auto of_rank = [&](std::string_view way) {
      return fmt::format("the ports {} {}", way, rank_words(query, rank));
    };
    consider(traffic[rank].out, ports.out[rank], start, [&] { return of_rank("out of"); });
    consider(traffic[rank].in, ports.in[rank], start, [&] { return of_rank("into"); });
  }
  return best;
}

}  // namespace syncsim
