#include "bench/works.h"

#include <utility>

#include "bench/traffic.h"
#include "sim/base/error.h"
#include "sim/schedule/builder.h"
#include "sim/schedule/strategy.h"

namespace syncsim::bench {
namespace {

Schedule by_strategy(const std::string& name, const Topology& machine) {
  const Strategy& strategy = strategies().at(name);
  const Parameters parameters(strategy.name, strategy.parameters, {});
  return emit(strategy, machine, machine.ranks(),
              allreduce_of(static_cast<int>(machine.ranks().size())), parameters);
}

// A rank sends a chunk only after the one before has arrived, so that the edges alone order the
// ring.
class SkewedRing {
 public:
  explicit SkewedRing(ScheduleBuilder& builder)
      : builder_(builder),
        ranks_(builder.ranks()),
        chunks_(builder.split(builder.data(), ranks_)) {}

  void emit() {
    start();
    builder_.phase("reduce-scatter");
    for (int hop = 0; hop < ranks_ - 1; ++hop) step(hop, OpKind::reduce);
    builder_.phase("all-gather");
    for (int hop = ranks_ - 1; hop < 2 * (ranks_ - 1); ++hop) step(hop, OpKind::copy);
  }

 private:
  void start() {
    Random random(1);
    builder_.phase("work");
    for (int rank = 0; rank < ranks_; ++rank)
      previous_.push_back(builder_.compute(static_cast<ParticipantId>(rank),
                                           {static_cast<std::int64_t>(random.uniform() * 2e9)}));
  }
  void step(int hop, OpKind kind) {
    for (int rank = 0; rank < ranks_; ++rank) {
      const auto from = static_cast<ParticipantId>(rank);
      const auto to = static_cast<ParticipantId>((rank + 1) % ranks_);
      const Slice& chunk = chunks_[static_cast<std::size_t>((rank - hop + 2 * ranks_) % ranks_)];
      const OpId op = kind == OpKind::reduce ? builder_.reduce(from, to, chunk)
                                             : builder_.copy(from, to, chunk);
      builder_.edge(std::exchange(previous_[static_cast<std::size_t>(rank)], op), op);
    }
  }

  ScheduleBuilder& builder_;
  int ranks_;
  std::vector<Slice> chunks_;
  std::vector<OpId> previous_;  // of each rank: what it did last
};

Schedule skewed_ring(const Topology& machine) {
  return build_schedule(allreduce_of(static_cast<int>(machine.ranks().size())), rank_nodes(machine),
                        [](ScheduleBuilder& builder) { SkewedRing(builder).emit(); });
}

}  // namespace

Collective allreduce_of(int ranks) {
  return {CollectiveKind::allreduce, ranks, {kAllreduceBytes}, "int8", 0};
}

std::vector<std::string> rank_nodes(const Topology& machine) {
  std::vector<std::string> result;
  for (const NodeId rank : machine.ranks()) result.push_back(machine.nodes()[rank].id);
  return result;
}

void add_cable(Topology::Parts& parts, NodeId a, NodeId b, LinkKind kind, double bandwidth,
               Time latency) {
  Link link;
  link.kind = kind;
  link.bandwidth = link.usable = {bandwidth};
  link.latency = latency;
  link.from = a;
  link.to = b;
  parts.links.push_back(link);
  std::swap(link.from, link.to);
  parts.links.push_back(link);
}

Topology star(int gpus) {
  Topology::Parts parts;
  parts.name = "star of " + std::to_string(gpus);
  parts.nodes.push_back({"switch0", NodeKind::switch_, true, {}, {}, 1, {}, {}});
  for (int i = 0; i < gpus; ++i) {
    const auto gpu = static_cast<NodeId>(parts.nodes.size());
    parts.nodes.push_back({"gpu" + std::to_string(i), NodeKind::gpu, false, {}, {}, 1, {}, {}});
    parts.ranks.push_back(gpu);
    add_cable(parts, gpu, 0, LinkKind::network, kBandwidth, {kHostLatency});
  }
  return Topology(std::move(parts));
}

ScheduleCase star_case(const std::string& strategy, int ranks) {
  return {strategy + "/" + std::to_string(ranks), [=] { return star(ranks); },
          [=](const Topology& machine) { return by_strategy(strategy, machine); }};
}

ScheduleCase skewed_ring_case(int ranks) {
  return {"ring_skewed/" + std::to_string(ranks), [=] { return star(ranks); }, skewed_ring};
}

std::vector<ScheduleCase> schedule_cases() {
  return {star_case("ring", 1024), skewed_ring_case(1024), star_case("distributed", 1024)};
}

std::vector<FlowCase> flow_cases() {
  return {{"all_to_all_jittered/64", [] { return jittered_all_to_all(64, 0.05); }},
          {"fat_tree/10k_load_0.5",
           [] {
             return random_traffic({10'000, 0.5, 0});
           }},
          {"fat_tree/100k_load_0.5",
           [] {
             return random_traffic({100'000, 0.5, 0});
           }},
          {"fat_tree/10k_load_0.9",
           [] {
             return random_traffic({10'000, 0.9, 0});
           }},
          {"fat_tree/10k_in_1ms", [] {
             return random_traffic({10'000, 0, 1'000'000'000});
           }}};
}

FlowGraph flows_of_case(const std::string& name) {
  for (const ScheduleCase& work : schedule_cases())
    if (work.name == name) return FlowGraph(work.schedule(work.machine()));
  for (const FlowCase& work : flow_cases())
    if (work.name == name) return work.flows();
  throw InputError("no work \"" + name + "\"", "engine_bench --benchmark_list_tests names them");
}

}  // namespace syncsim::bench
