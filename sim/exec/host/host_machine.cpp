#include "sim/exec/host/host_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "sim/base/text.h"

namespace syncsim {
namespace {

constexpr std::int64_t kMostTogether = 512 << 20;
constexpr std::uint32_t kSmallOps = 2'000;
constexpr int kIterations = 9;
constexpr std::uint32_t kRounds = 4;  // so that threads that begin late count for less

struct Figures {
  int threads = 1;
  std::int64_t bytes = 0;  // of a copy
  Bandwidth copy;          // by one thread
  Bandwidth together;      // copies by all threads
  Bandwidth reduce;        // by one thread
  Time overhead;
};

// `count` ops between as many pairs of participants, or all between one pair, one after the other.
Schedule transfers(OpKind kind, std::uint32_t count, std::uint32_t pairs, std::int64_t bytes) {
  Schedule schedule;
  schedule.ranks = 2 * pairs;
  schedule.participants.resize(schedule.ranks);
  schedule.buffers.push_back({"data", {0, bytes}});
  schedule.channels.emplace_back();
  schedule.phases.emplace_back("copy");
  for (std::uint32_t i = 0; i < count; ++i) {
    Op op;
    op.kind = kind;
    op.source = 2 * (i % pairs);
    op.destination = op.source + 1;
    op.chunk_count = 1;
    schedule.ops.push_back(op);
  }
  return schedule;
}

double seconds_of(const Schedule& schedule, int threads, const RealOptions& options) {
  Topology::Parts none;  // plays no part, but for its having a rank
  none.nodes.emplace_back().id = "host";
  none.ranks.push_back(0);
  RealOptions own = options;
  own.threads = threads;
  own.iterations = kIterations;
  own.warmup = 3;
  return seconds(measure_on_host(schedule, Topology(std::move(none)), own).median());
}

std::int64_t whole_elements(std::int64_t bytes) { return bytes / 4 * 4; }  // of float32

Figures measure(const RealOptions& options, Bytes copies) {
  Figures figures;
  figures.threads = host_threads(options);
  figures.bytes = whole_elements(std::min(copies.count, kMostTogether / (2 * figures.threads)));
  const auto pairs = static_cast<std::uint32_t>(figures.threads);
  const auto bytes = static_cast<double>(figures.bytes);
  const auto rate = [&](OpKind kind, std::uint32_t threads) {
    const std::uint32_t count = kRounds * threads;
    const Schedule schedule = transfers(kind, count, threads, figures.bytes);
    return Bandwidth{count * bytes / seconds_of(schedule, static_cast<int>(threads), options)};
  };
  figures.copy = rate(OpKind::copy, 1);
  figures.together = rate(OpKind::copy, pairs);
  figures.reduce = rate(OpKind::reduce, 1);
  const Schedule small = transfers(OpKind::copy, kSmallOps, 1, sizeof(float));
  figures.overhead = {static_cast<std::int64_t>(seconds_of(small, 1, options) / kSmallOps * 1e12)};
  return figures;
}

std::string source_of(const Figures& figures) {
  return fmt::format(
      "Measured on this host by the host executor with {}, medians of {} runs, {} a copy: one "
      "thread copies {}, all together {}, one adds up {}; an op costs {}",
      counted(static_cast<std::uint64_t>(figures.threads), "thread"), kIterations,
      to_string(Bytes{figures.bytes}), to_string(figures.copy), to_string(figures.together),
      to_string(figures.reduce), to_string(figures.overhead));
}

void add_node(Topology::Parts& parts, std::string id, NodeKind kind, const Figures& figures) {
  const auto own = static_cast<NodeId>(parts.nodes.size());
  Node node;
  node.id = std::move(id);
  node.kind = kind;
  node.forwards = false;
  node.reduce_bandwidth = figures.reduce;
  parts.nodes.push_back(std::move(node));
  Link link;
  link.from = own;
  link.to = 0;
  link.kind = LinkKind::host;
  link.bandwidth = link.usable = figures.together;
  link.overhead = figures.overhead;
  parts.links.push_back(link);
  std::swap(link.from, link.to);
  link.bandwidth = link.usable = figures.copy;
  parts.links.push_back(link);
}

}  // namespace

Topology::Parts measured_host(int ranks, const RealOptions& options, Bytes copies) {
  const Figures figures = measure(options, copies);
  Topology::Parts parts;
  parts.description = counted(static_cast<std::uint64_t>(ranks), "rank") + " in one host's memory";
  parts.source = source_of(figures);
  Node memory;
  memory.id = "memory";
  memory.kind = NodeKind::switch_;
  memory.transit_bandwidth = figures.together;
  parts.nodes.push_back(std::move(memory));
  for (int rank = 0; rank < ranks; ++rank) {
    parts.ranks.push_back(static_cast<NodeId>(parts.nodes.size()));
    add_node(parts, fmt::format("gpu{}", rank), NodeKind::gpu, figures);
  }
  add_node(parts, "cpu0", NodeKind::cpu, figures);
  return parts;
}

}  // namespace syncsim
