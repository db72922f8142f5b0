#include "bench/scale_works.h"

#include <bit>
#include <string>
#include <utility>

#include "sim/schedule/builder.h"

namespace syncsim::bench {
namespace {

constexpr int kMachines = 2048;
constexpr int kGpus = 8;  // a machine
constexpr int kTreeChunks = 16;
constexpr int kStarTreeChunks = 8;

using Ranks = std::vector<ParticipantId>;

// --- Double binary tree (Sanders, Speck, Traff, "Two-tree algorithms for full bandwidth broadcast,
// reduction and scan", Parallel Computing 35, 2009): two in-order binary trees, the second one
// mirrored, so that a rank which is inside one is a leaf of the other. Each takes half of the data,
// in chunks that follow each other up to the root and down again. Ranks are a power of two.

// Of a place that is not 0, the root.
std::uint32_t parent(std::uint32_t place, std::uint32_t places) {
  const std::uint32_t step = std::uint32_t{1} << std::countr_zero(place);
  const std::uint32_t up = (place ^ step) | (2 * step);
  return up < places ? up : place ^ step;
}

class Tree {
 public:
  Tree(ScheduleBuilder& builder, Ranks ranks) : builder_(builder), ranks_(std::move(ranks)) {}

  void reduce(const Slice& chunk) const {
    builder_.phase("reduce");
    for (std::uint32_t step = 1; step < size(); step *= 2)
      each_child(step, [&](ParticipantId child, ParticipantId above) {
        builder_.reduce(child, above, chunk);
      });
  }
  void broadcast(const Slice& chunk) const {
    builder_.phase("broadcast");
    for (std::uint32_t step = size() / 2; step > 0; step /= 2)
      each_child(step, [&](ParticipantId child, ParticipantId above) {
        builder_.copy(above, child, chunk);
      });
  }

 private:
  std::uint32_t size() const { return static_cast<std::uint32_t>(ranks_.size()); }
  // Of the places whose lowest bit is `step`: one level of the tree.
  template <class Visit>
  void each_child(std::uint32_t step, Visit&& visit) const {
    for (std::uint32_t place = step; place < size(); place += 2 * step)
      visit(ranks_[place], ranks_[parent(place, size())]);
  }

  ScheduleBuilder& builder_;
  Ranks ranks_;  // by place
};

struct TreeChunks {
  std::vector<Slice> first;
  std::vector<Slice> second;
};

TreeChunks tree_chunks(ScheduleBuilder& builder, const Slice& slice, int chunks) {
  const std::vector<Slice> halves = builder.split(slice, 2);
  return {builder.split(halves[0], chunks), builder.split(halves[1], chunks)};
}

void double_tree(ScheduleBuilder& builder, const Ranks& ranks, const TreeChunks& chunks) {
  const auto run = [&](const Tree& tree, const std::vector<Slice>& slices) {
    for (const Slice& chunk : slices) {
      tree.reduce(chunk);
      tree.broadcast(chunk);
    }
  };
  run(Tree(builder, ranks), chunks.first);
  run(Tree(builder, Ranks(ranks.rbegin(), ranks.rend())), chunks.second);
}

Schedule double_tree_on(const Topology& machine) {
  const int ranks = static_cast<int>(machine.ranks().size());
  return build_schedule(allreduce_of(ranks), rank_nodes(machine), [&](ScheduleBuilder& builder) {
    Ranks all;
    for (int rank = 0; rank < ranks; ++rank) all.push_back(static_cast<ParticipantId>(rank));
    double_tree(builder, all, tree_chunks(builder, builder.data(), kStarTreeChunks));
  });
}

// --- Hierarchical

NodeId add_node(Topology::Parts& parts, const std::string& id, NodeKind kind) {
  parts.nodes.push_back({id, kind, kind != NodeKind::gpu, {}, {}, 1, {}, {}});
  return static_cast<NodeId>(parts.nodes.size() - 1);
}

Topology rail_optimized() {
  Topology::Parts parts;
  parts.name = "rail-optimized, 2048 x 8";
  std::vector<NodeId> rails;
  for (int rail = 0; rail < kGpus; ++rail)
    rails.push_back(add_node(parts, "rail" + std::to_string(rail), NodeKind::switch_));
  for (int machine = 0; machine < kMachines; ++machine) {
    const std::string prefix = "m" + std::to_string(machine) + "/";
    const NodeId nvswitch = add_node(parts, prefix + "nvswitch", NodeKind::switch_);
    for (int i = 0; i < kGpus; ++i) {
      const NodeId gpu = add_node(parts, prefix + "gpu" + std::to_string(i), NodeKind::gpu);
      const NodeId nic = add_node(parts, prefix + "nic" + std::to_string(i), NodeKind::nic);
      parts.ranks.push_back(gpu);
      add_cable(parts, gpu, nvswitch, LinkKind::nvlink, 300e9, {500'000});
      add_cable(parts, gpu, nic, LinkKind::pcie, 64e9, {});
      add_cable(parts, nic, rails[static_cast<std::size_t>(i)], LinkKind::network, 25e9,
                {1'000'000});
    }
  }
  return Topology(std::move(parts));
}

ParticipantId rank_of(int machine, int gpu) {
  return static_cast<ParticipantId>(machine * kGpus + gpu);
}

Ranks rail(int gpu) {
  Ranks result;
  for (int machine = 0; machine < kMachines; ++machine) result.push_back(rank_of(machine, gpu));
  return result;
}

// Calls visit(from, to, gpu of from, gpu of to) for all pairs of GPUs of a machine.
template <class Visit>
void each_pair_inside(Visit&& visit) {
  for (int machine = 0; machine < kMachines; ++machine)
    for (int step = 1; step < kGpus; ++step)
      for (int gpu = 0; gpu < kGpus; ++gpu) {
        const int other = (gpu + step) % kGpus;
        visit(rank_of(machine, gpu), rank_of(machine, other), static_cast<std::size_t>(gpu),
              static_cast<std::size_t>(other));
      }
}

void emit_hierarchical(ScheduleBuilder& builder) {
  const std::vector<Slice> parts = builder.split(builder.data(), kGpus);
  std::vector<TreeChunks> chunks;  // first of all: a later split would cost a second pass
  for (const Slice& part : parts) chunks.push_back(tree_chunks(builder, part, kTreeChunks));
  builder.phase("inside reduce-scatter");
  each_pair_inside([&](ParticipantId from, ParticipantId to, std::size_t, std::size_t owner) {
    builder.reduce(from, to, parts[owner]);
  });
  for (int gpu = 0; gpu < kGpus; ++gpu)
    double_tree(builder, rail(gpu), chunks[static_cast<std::size_t>(gpu)]);
  builder.phase("inside all-gather");
  each_pair_inside([&](ParticipantId from, ParticipantId to, std::size_t owner, std::size_t) {
    builder.copy(from, to, parts[owner]);
  });
}

Schedule hierarchical(const Topology& machine) {
  return build_schedule(allreduce_of(kMachines * kGpus), rank_nodes(machine), emit_hierarchical);
}

}  // namespace

std::vector<ScheduleCase> scale_cases() {
  std::vector<ScheduleCase> cases;
  for (const int ranks : {256, 512, 1024, 2048, 4096}) cases.push_back(star_case("ring", ranks));
  cases.push_back({"hierarchical/2048x8", rail_optimized, hierarchical});
  cases.push_back({"double_tree/65536", [] { return star(65'536); }, double_tree_on});
  return cases;
}

}  // namespace syncsim::bench
