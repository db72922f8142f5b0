#include "bench/works.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sim/schedule/builder.h"
#include "sim/schedule/strategy.h"

namespace syncsim::bench {
namespace {

constexpr double kBandwidth = 16e9;
constexpr std::int64_t kLatency = 1'000'000;  // ps, a link
constexpr std::int64_t kBytes = 160'000'000;

// splitmix64 (Steele, Lea, Flood, OOPSLA 2014): the same numbers on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }  // [0, 1)
  std::uint32_t below(std::uint32_t bound) {
    return static_cast<std::uint32_t>(uniform() * bound);
  }

 private:
  std::uint64_t state_;
};

Collective allreduce_of(int ranks) {
  return {CollectiveKind::allreduce, ranks, {kBytes}, "int8", 0};
}

// Up-link of rank r is resource 2r, its down-link 2r + 1.
engine::Network star_network(std::uint32_t ranks) {
  return engine::Network(std::vector<double>(2 * std::size_t{ranks}, kBandwidth));
}

}  // namespace

Topology star(int gpus) {
  Topology::Parts parts;
  parts.name = "star of " + std::to_string(gpus);
  for (int i = 0; i < gpus; ++i) {
    parts.nodes.push_back({"gpu" + std::to_string(i), NodeKind::gpu, false, {}, {}});
    parts.ranks.push_back(static_cast<NodeId>(i));
  }
  parts.nodes.push_back({"switch0", NodeKind::switch_, true, {}, {}});
  for (NodeId gpu = 0; gpu < static_cast<NodeId>(gpus); ++gpu) {
    Link link;
    link.kind = LinkKind::network;
    link.bandwidth = link.usable = {kBandwidth};
    link.latency = {kLatency};
    link.from = gpu;
    link.to = static_cast<NodeId>(gpus);
    parts.links.push_back(link);
    std::swap(link.from, link.to);
    parts.links.push_back(link);
  }
  return Topology(std::move(parts));
}

Schedule allreduce(const std::string& name, const Topology& machine) {
  const Strategy& strategy = strategies().at(name);
  const Parameters parameters(strategy.name, strategy.parameters, {});
  return emit(strategy, machine, machine.ranks(),
              allreduce_of(static_cast<int>(machine.ranks().size())), parameters);
}

Schedule skewed_ring(int ranks) {
  std::vector<std::string> nodes;
  for (int r = 0; r < ranks; ++r) nodes.push_back("gpu" + std::to_string(r));
  return build_schedule(allreduce_of(ranks), nodes, [ranks](ScheduleBuilder& builder) {
    Random random(1);
    std::vector<OpId> starts;
    const std::vector<Slice> chunks = builder.split(builder.data(), ranks);
    builder.phase("work");
    for (int r = 0; r < ranks; ++r)
      starts.push_back(builder.compute(static_cast<ParticipantId>(r),
                                       {static_cast<std::int64_t>(random.uniform() * 2e9)}));
    for (int hop = 0; hop < 2 * (ranks - 1); ++hop) {
      if (hop == 0) builder.phase("reduce-scatter");
      if (hop == ranks - 1) builder.phase("all-gather");
      for (int r = 0; r < ranks; ++r) {
        const auto from = static_cast<ParticipantId>(r);
        const auto to = static_cast<ParticipantId>((r + 1) % ranks);
        const Slice& chunk = chunks[static_cast<std::size_t>(((r - hop) % ranks + ranks) % ranks)];
        const OpId op = hop < ranks - 1 ? builder.reduce(from, to, chunk)
                                        : builder.copy(from, to, chunk);
        if (hop == 0) builder.edge(starts[static_cast<std::size_t>(r)], op);
      }
    }
  });
}

FlatWork all_to_all(int count, double jitter) {
  const auto ranks = static_cast<std::uint32_t>(count);
  Random random(1);
  engine::Network network = star_network(ranks);
  const engine::Lane lane{{2 * kLatency}, {}, 1, 0};
  std::vector<engine::RouteIndex> routes(std::size_t{ranks} * ranks);
  for (std::uint32_t from = 0; from < ranks; ++from)
    for (std::uint32_t to = 0; to < ranks; ++to)
      if (from != to) {
        const engine::Use uses[] = {{2 * from, 1}, {2 * to + 1, 1}};
        routes[from * ranks + to] = network.add_route(uses);
      }
  FlatWork work(std::move(network));
  const auto send = [&](std::uint32_t from, std::uint32_t to, std::uint32_t on) {
    const double size = static_cast<double>(kBytes) / ranks;
    const double factor = 1 + jitter * (2 * random.uniform() - 1);
    return work.transfer(on, routes[from * ranks + to], std::llround(size * factor));
  };
  std::vector<std::uint32_t> lanes(std::size_t{ranks} * ranks);
  std::vector<std::uint32_t> joins;
  std::vector<std::uint32_t> gathered;
  for (std::uint32_t from = 0; from < ranks; ++from)
    for (std::uint32_t to = 0; to < ranks; ++to)
      if (from != to) {
        lanes[from * ranks + to] = work.add_lane(lane);
        gathered.push_back(send(from, to, lanes[from * ranks + to]));
      }
  for (std::uint32_t r = 0; r < ranks; ++r) joins.push_back(work.join());
  std::size_t next = 0;
  for (std::uint32_t from = 0; from < ranks; ++from)
    for (std::uint32_t to = 0; to < ranks; ++to)
      if (from != to) work.edge(gathered[next++], joins[to]);
  for (std::uint32_t from = 0; from < ranks; ++from)
    for (std::uint32_t to = 0; to < ranks; ++to)
      if (from != to) work.edge(joins[from], send(from, to, lanes[from * ranks + to]));
  work.finish();
  return work;
}

FlatWork random_traffic(const RandomTraffic& traffic) {
  constexpr std::uint32_t kLeaves = 16;
  constexpr std::uint32_t kSpines = 8;
  constexpr std::uint32_t kHosts = 128;
  constexpr double kLeast = 1e4;
  constexpr double kMost = 1e8;
  // Resources: up and down of every host, then of every leaf to every spine.
  const auto host = [](std::uint32_t h, std::uint32_t down) { return 2 * h + down; };
  const auto trunk = [&](std::uint32_t leaf, std::uint32_t spine, std::uint32_t down) {
    return 2 * kHosts + 2 * (leaf * kSpines + spine) + down;
  };
  engine::Network network(
      std::vector<double>(2 * kHosts + 2 * std::size_t{kLeaves} * kSpines, kBandwidth));
  std::vector<engine::RouteIndex> routes(std::size_t{kHosts} * kHosts);
  for (std::uint32_t from = 0; from < kHosts; ++from)
    for (std::uint32_t to = 0; to < kHosts; ++to) {
      if (from == to) continue;
      std::vector<engine::Use> uses = {{host(from, 0), 1}};
      if (from / 8 != to / 8) {
        uses.push_back({trunk(from / 8, to % kSpines, 0), 1});
        uses.push_back({trunk(to / 8, to % kSpines, 1), 1});
      }
      uses.push_back({host(to, 1), 1});
      routes[from * kHosts + to] = network.add_route(uses);
    }
  FlatWork work(std::move(network));
  Random random(1);
  const double mean = (kMost - kLeast) / std::log(kMost / kLeast);
  const double span = traffic.burst_ps > 0
                          ? static_cast<double>(traffic.burst_ps)
                          : traffic.flows * mean / (kHosts * kBandwidth * traffic.load) * 1e12;
  for (std::uint32_t flow = 0; flow < traffic.flows; ++flow) {
    const std::uint32_t from = random.below(kHosts);
    const std::uint32_t other = random.below(kHosts - 1);
    const std::uint32_t to = other < from ? other : other + 1;
    const std::int64_t bytes = std::llround(kLeast * std::pow(kMost / kLeast, random.uniform()));
    const engine::Lane lane{{(from / 8 == to / 8 ? 2 : 4) * kLatency}, {}, 1, 0};
    work.transfer(work.add_lane(lane), routes[from * kHosts + to], bytes,
                  static_cast<std::int64_t>(random.uniform() * span));
  }
  work.finish();
  return work;
}

}  // namespace syncsim::bench
