#include "sim/schedule/msccl/ops.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/schedule/msccl/op_list.h"

namespace syncsim::msccl {
namespace {

// The latest ops of a thread block that what follows comes after.
struct Block {
  Node local = kNone;
  Node received = kNone;
  std::vector<Node> waits;  // what the next step depends on
};

class Planner {
 public:
  Planner(const Algorithm& algorithm, const StepOrder& order, const Layout& layout,
          const std::vector<bool>& cut)
      : order_(order), layout_(layout), cut_(cut), has_dependents_(order.count()) {
    for (const Gpu& gpu : algorithm.gpus) {
      blocks_.emplace_back(gpu.blocks.size());
      accesses_.emplace_back(gpu.blocks.size());
      for (const ThreadBlock& block : gpu.blocks)
        first_local_channel_ = std::max<std::uint32_t>(first_local_channel_, block.channel + 1u);
      most_blocks_ = std::max(most_blocks_, gpu.blocks.size());
    }
    plan_.in_flight.resize(algorithm.gpus.size());
    arrivals_.assign(order.count(), kNone);
    departures_.assign(order.count(), kNone);
    garbage_.assign(order.count(), false);
    for (StepId id = 0; id < order.count(); ++id)
      if (order.dependency(id) != kNone) has_dependents_[order.dependency(id)] = true;
  }

  PlannedOps run() {
    for (std::size_t gpu = 0; gpu < blocks_.size(); ++gpu) set_up(static_cast<int>(gpu));
    for (const StepId id : order_.sequence()) {
      take(id);
      if (plan_.violation) break;
    }
    if (!plan_.violation) collect();
    plan_.channels = own_channel() + 1u;
    std::sort(plan_.edges.begin(), plan_.edges.end());
    plan_.edges.erase(std::unique(plan_.edges.begin(), plan_.edges.end()), plan_.edges.end());
    return std::move(plan_);
  }

 private:
  // Local ops have a channel a thread block, and one for what belongs to none.
  std::uint32_t local_channel(std::uint32_t block) const { return first_local_channel_ + block; }
  std::uint32_t own_channel() const {
    return local_channel(static_cast<std::uint32_t>(most_blocks_));
  }
  void after_block(const Block& block, Node node) {
    ops_.edge(block.local, node);
    ops_.edge(block.received, node);
  }

  void set_up(int gpu) {
    for (const CellMove& move : layout_.before(gpu)) {
      const Node node = ops_.add_local(OpKind::copy, gpu, own_channel(), move);
      std::vector<Node> none;
      for (std::uint32_t i = 0; i < move.count; ++i)
        accesses(gpu).write({move.to.buffer, move.to.chunk + i}, {node}, none);
    }
  }

  // What is beside the data goes there after all that happens at the GPU.
  void collect() {
    std::vector<std::vector<Node>> last = last_ops();
    for (int gpu = 0; gpu < static_cast<int>(blocks_.size()); ++gpu) {
      const std::vector<CellMove> moves = layout_.after(gpu);
      if (moves.empty()) continue;
      const Node end = ops_.add(OpKind::join, gpu, gpu, 0);
      ops_.edges(last[static_cast<std::size_t>(gpu)], end);
      for (const CellMove& move : moves)
        ops_.edge(end, ops_.add_local(OpKind::copy, gpu, own_channel(), move));
    }
  }

  // By GPU: its ops that nothing there comes after.
  std::vector<std::vector<Node>> last_ops() const {
    std::vector<bool> goes_on_at_source(ops_.size());
    std::vector<bool> goes_on_at_destination(ops_.size());
    const auto is_at = [&](Node node, ParticipantId gpu) {
      return ops_[node].source == gpu || ops_[node].destination == gpu;
    };
    for (const auto& [before, after] : plan_.edges) {
      if (is_at(after, ops_[before].source)) goes_on_at_source[before] = true;
      if (is_at(after, ops_[before].destination)) goes_on_at_destination[before] = true;
    }
    std::vector<std::vector<Node>> last(blocks_.size());
    for (Node node = 0; node < ops_.size(); ++node) {
      if (!goes_on_at_source[node]) last[ops_[node].source].push_back(node);
      if (!goes_on_at_destination[node]) last[ops_[node].destination].push_back(node);
    }
    return last;
  }

  void take(StepId id) {
    const StepPlace& at = order_.place(id);
    Block& block = blocks_[static_cast<std::size_t>(at.gpu)][at.block];
    if (const StepId other = order_.dependency(id); other != kNone) {
      const StepPlace& there = order_.place(other);
      accesses(at.gpu).wait(at.block, there.block, static_cast<std::int32_t>(there.position));
      block.waits.push_back(arrivals_[other] != kNone ? arrivals_[other] : departures_[other]);
    }
    if (order_.step(id).type == StepType::nop) {
      take_nop(id, block);
    } else {
      take_move(id, block);
      block.waits.clear();
    }
    accesses(at.gpu).done(at.block, static_cast<std::int32_t>(at.position), has_dependents_[id]);
  }

  // Only one that others wait for leaves a trace.
  void take_nop(StepId id, Block& block) {
    if (!has_dependents_[id]) return;
    const int gpu = order_.place(id).gpu;
    const Node node = arrivals_[id] = ops_.add(OpKind::join, gpu, gpu, 0);
    after_block(block, node);
    ops_.edges(block.waits, node);
    block.waits = {node};
    block.local = node;
  }

  void take_move(StepId id, Block& block) {
    const Step& step = order_.step(id);
    const StepRow& does = row(step.type);
    const int gpu = order_.place(id).gpu;
    const Cell source = does.reads_source ? cell(gpu, step.source) : Cell{};
    Cell target = does.stores ? cell(gpu, step.destination) : Cell{};
    if (step.type == StepType::rrs) target = new_in_flight(gpu, step.count);
    if (does.receives) {
      if (does.reduces && source != target) copy_summand(id, block, source, target);
      receive(id, block, target);
    } else if (does.stores) {
      const OpKind kind = does.reduces ? OpKind::reduce : OpKind::copy;
      arrivals_[id] = local(id, block, kind, {source, target, step.count});
    }
    if (does.sends) send(id, block, does.receives ? target : source);
  }

  void copy_summand(StepId id, Block& block, const Cell& source, const Cell& target) {
    block.waits.push_back(local(id, block, OpKind::copy, {source, target, order_.step(id).count}));
  }

  // A copy or sum within the GPU.
  Node local(StepId id, Block& block, OpKind kind, const CellMove& move) {
    const StepPlace& at = order_.place(id);
    const Node node = ops_.add_local(kind, at.gpu, local_channel(at.block), move);
    after_block(block, node);
    ops_.edges(block.waits, node);
    const bool adds = kind == OpKind::reduce;
    ops_.access_edges(read(id, node, move.from, move.count), node);
    ops_.access_edges(write(id, node, move.to, move.count, adds), node);
    for (std::uint32_t i = 0; i < move.count; ++i)
      fill(id, {move.to.buffer, move.to.chunk + i},
           holds(at.gpu, {move.from.buffer, move.from.chunk + i}), adds);
    block.local = node;
    return node;
  }

  void send(StepId id, Block& block, const Cell& source) {
    const StepPlace& at = order_.place(id);
    const StepId receiver = order_.peer(id);
    const int peer = order_.block(id).send;
    const std::uint32_t count = order_.step(id).count;
    const Node node = departures_[id] =
        ops_.add(OpKind::copy, at.gpu, peer, order_.block(id).channel, receiver);
    ops_.set_source(node, source, count);
    if (cut_[receiver]) ops_.set_destination(node, new_in_flight(peer, count));
    after_block(block, node);
    ops_.edges(block.waits, node);
    ops_.access_edges(read(id, node, source, count), node);
    for (std::uint32_t i = 0; i < count; ++i)
      if (!holds(at.gpu, {source.buffer, source.chunk + i})) garbage_[receiver] = true;
  }

  void receive(StepId id, Block& block, const Cell& target) {
    const Step& step = order_.step(id);
    const bool adds = row(step.type).reduces;
    const OpKind kind = adds ? OpKind::reduce : OpKind::copy;
    const StepPlace& at = order_.place(id);
    Node node = departures_[order_.sender(id)];
    if (cut_[id]) {
      const Op& sent = ops_[node];
      const Cell there{sent.destination_buffer, sent.destination_chunk};
      const Node arrived = node;
      node = ops_.add_local(kind, at.gpu, local_channel(at.block), {there, target, step.count});
      ops_.edge(arrived, node);
      after_block(block, node);
      block.local = node;
    } else {
      ops_[node].kind = kind;
      ops_.set_destination(node, target);
    }
    ops_.edges(block.waits, node);
    ops_.access_edges(write(id, node, target, step.count, adds), node);
    if (!cut_[id]) block.received = node;
    arrivals_[id] = node;
    for (std::uint32_t i = 0; i < step.count; ++i)
      fill(id, {target.buffer, target.chunk + i}, !garbage_[id], adds);
  }

  std::vector<Node> read(StepId id, Node node, const Cell& first, std::uint32_t count) {
    std::vector<Node> before;
    for (std::uint32_t i = 0; i < count; ++i)
      accesses(order_.place(id).gpu)
          .read({first.buffer, first.chunk + i}, access(id, node, false), before);
    return before;
  }

  std::vector<Node> write(StepId id, Node node, const Cell& first, std::uint32_t count, bool adds) {
    std::vector<Node> before;
    for (std::uint32_t i = 0; i < count; ++i) {
      const Cell at{first.buffer, first.chunk + i};
      if (!accesses(order_.place(id).gpu).write(at, access(id, node, adds), before))
        fail(id, at, Violation::Kind::race, "adds while another thread block does");
    }
    return before;
  }

  void fill(StepId id, const Cell& at, bool with_something, bool adds) {
    const int gpu = order_.place(id).gpu;
    if (adds && (!with_something || !holds(gpu, at)))
      fail(id, at, Violation::Kind::missing, "adds where nothing was written before");
    accesses(gpu).set_holds(at, with_something);
  }

  void fail(StepId id, const Cell& at, Violation::Kind kind, const char* what) {
    if (plan_.violation) return;
    const int gpu = order_.place(id).gpu;
    const std::uint32_t chunk = layout_.data_chunk(gpu, at);
    plan_.violation = {kind, fmt::format("{} {}: chunk {}", order_.describe(id), what, chunk),
                       static_cast<ParticipantId>(gpu), chunk};
  }

  bool holds(int gpu, const Cell& at) { return accesses(gpu).holds(at, layout_.is_given(gpu, at)); }
  Access access(StepId id, Node node, bool adds) const {
    const StepPlace& at = order_.place(id);
    return {node, at.block, static_cast<std::int32_t>(at.position), adds};
  }
  Cell cell(int gpu, const Place& place) const {
    return layout_.at(gpu, place.space, static_cast<std::uint32_t>(place.chunk));
  }
  Cell new_in_flight(int gpu, std::uint32_t count) {
    std::uint32_t& chunks = plan_.in_flight[static_cast<std::size_t>(gpu)];
    chunks += count;
    return {Layout::kInFlight, chunks - count};
  }
  Accesses& accesses(int gpu) { return accesses_[static_cast<std::size_t>(gpu)]; }

  const StepOrder& order_;
  const Layout& layout_;
  const std::vector<bool>& cut_;
  std::vector<bool> has_dependents_;
  std::uint32_t first_local_channel_ = 0;
  std::size_t most_blocks_ = 0;
  std::vector<std::vector<Block>> blocks_;  // by GPU
  std::vector<Accesses> accesses_;          // by GPU
  std::vector<Node> arrivals_;              // by step
  std::vector<Node> departures_;            // by step
  std::vector<bool> garbage_;               // by receiving step: what comes holds nothing
  PlannedOps plan_;
  OpList ops_{plan_};
};

}  // namespace

PlannedOps planned_ops(const Algorithm& algorithm, const StepOrder& order, const Layout& layout,
                       const std::vector<bool>& cut) {
  return Planner(algorithm, order, layout, cut).run();
}

}  // namespace syncsim::msccl
