#pragma once
// Planned graphs run in host memory, node by node in some order that their edges allow: what a GPU
// would do, without one.

#include <algorithm>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "sim/exec/cuda/graph_runner.h"

namespace syncsim::testing {

// So many devices, which all reach each other or none another.
inline CudaFacts made_up_devices(int count, bool peers = true) {
  CudaFacts facts;
  for (int own = 0; own < count; ++own) {
    CudaDevice device;
    device.name = "GPU";
    device.memory = device.free = 1'000'000'000;
    for (int other = 0; other < count; ++other) device.reaches.push_back(peers || own == other);
    facts.devices.push_back(std::move(device));
  }
  return facts;
}

class HostGraphRunner : public GraphRunner {
 public:
  explicit HostGraphRunner(const GraphTask& task, unsigned seed = 1) : task_(task), random_(seed) {
    for (const std::uint64_t bytes : task.plan.bytes) memory_.emplace_back(bytes, std::byte{0x5a});
  }

  void set(const GraphPlace& at, const std::byte* from, std::uint64_t bytes) override {
    std::copy_n(from, bytes, memory(at, bytes));
  }
  void get(const GraphPlace& at, std::byte* to, std::uint64_t bytes) override {
    std::copy_n(memory(at, bytes), bytes, to);
  }
  Time run() override {
    run(task_.plan);
    return {static_cast<std::int64_t>(task_.plan.nodes.size()) * 1'000};
  }
  std::vector<Time> run_stamped() override {
    stamps_.assign(2 * task_.stamped.ops.size(), Time{-1});
    run(task_.stamped);
    return stamps_;
  }

 private:
  std::byte* memory(const GraphPlace& at, std::uint64_t bytes) {
    if (at.offset + bytes > memory_.at(at.place).size()) throw_internal("beyond a place's memory");
    return memory_[at.place].data() + at.offset;
  }

  void run(const GraphPlan& plan) {
    std::vector<std::size_t> left;
    std::vector<std::vector<GraphNodeId>> after(plan.nodes.size());
    std::vector<GraphNodeId> ready;
    for (GraphNodeId node = 0; node < plan.nodes.size(); ++node) {
      left.push_back(plan.waits_of(node).size());
      for (const GraphNodeId before : plan.waits_of(node)) after[before].push_back(node);
      if (left.back() == 0) ready.push_back(node);
    }
    std::size_t done = 0;
    for (; !ready.empty(); ++done) {
      std::swap(ready[random_() % ready.size()], ready.back());
      const GraphNodeId node = ready.back();
      ready.pop_back();
      clock_ = clock_ + Time{1'000};
      perform(plan.nodes[node]);
      for (const GraphNodeId next : after[node])
        if (--left[next] == 0) ready.push_back(next);
    }
    if (done != plan.nodes.size()) throw_internal("nodes wait for each other");
  }

  void perform(const GraphNode& node) {
    if (node.action == NodeAction::stamp) stamps_[node.stamp] = clock_;
    if (node.bytes == 0) return;
    std::byte* const to = memory(node.to, node.bytes);
    const std::byte* const from = memory(node.from, node.bytes);
    if (node.action == NodeAction::add || node.action == NodeAction::host_add)
      task_.type.add(to, from, node.bytes);
    else
      std::memcpy(to, from, node.bytes);
  }

  const GraphTask task_;
  std::mt19937 random_;
  std::vector<std::vector<std::byte>> memory_;
  std::vector<Time> stamps_;
  Time clock_{0};
};

inline Measurement planned(const Schedule& schedule, const CudaFacts& facts,
                           const RealOptions& options = {.iterations = 1, .warmup = 0},
                           unsigned seed = 1) {
  return measure_planned(schedule, options, facts, [&](const GraphTask& task) {
    return std::make_unique<HostGraphRunner>(task, seed);
  });
}

struct Planned {
  Planned(const Schedule& schedule, const CudaFacts& facts, const std::vector<int>& devices = {})
      : data(schedule),
        map(map_devices(schedule, devices, facts)),
        extents(schedule, data, map.place_of),
        plan(plan_graph(schedule, extents, map, facts)) {}
  RunData data;
  DeviceMap map;
  BufferExtents extents;
  GraphPlan plan;
};

// "3 add 1:64 to 2:0 of 16 B on 2 after 1 2", a line a node.
inline std::string text_of(const GraphPlan& plan) {
  std::string text;
  const auto place = [](const GraphPlace& at) {
    return std::to_string(at.place) + ":" + std::to_string(at.offset);
  };
  for (GraphNodeId id = 0; id < plan.nodes.size(); ++id) {
    const GraphNode& node = plan.nodes[id];
    text += std::to_string(id) + " " + std::string(to_string(node.action));
    if (node.bytes > 0) text += " " + place(node.from) + " to " + place(node.to);
    if (node.bytes > 0) text += " of " + std::to_string(node.bytes) + " B";
    if (node.action == NodeAction::stamp) text += " " + std::to_string(node.stamp);
    text += " on " + std::to_string(node.runs_at);
    const auto waits = plan.waits_of(id);
    for (std::size_t i = 0; i < waits.size(); ++i)
      text += (i == 0 ? " after " : " ") + std::to_string(waits[i]);
    text += "\n";
  }
  return text;
}

// The first two nodes, of which one writes what the other reads or writes, that no path orders; "".
inline std::string unordered_conflict(const GraphPlan& plan) {
  std::vector<std::vector<bool>> before(plan.nodes.size());
  for (GraphNodeId id = 0; id < plan.nodes.size(); ++id) {
    before[id].resize(plan.nodes.size());
    for (const GraphNodeId wait : plan.waits_of(id)) {
      before[id][wait] = true;
      for (GraphNodeId far = 0; far < wait; ++far)
        if (before[wait][far]) before[id][far] = true;
    }
  }
  const auto meet = [](const GraphPlace& a, std::uint64_t a_bytes, const GraphPlace& b,
                       std::uint64_t b_bytes) {
    return a.place == b.place && a.offset < b.offset + b_bytes && b.offset < a.offset + a_bytes;
  };
  for (GraphNodeId late = 0; late < plan.nodes.size(); ++late)
    for (GraphNodeId early = 0; early < late; ++early) {
      const GraphNode& a = plan.nodes[early];
      const GraphNode& b = plan.nodes[late];
      const bool conflict = meet(a.to, a.bytes, b.to, b.bytes) ||
                            meet(a.to, a.bytes, b.from, b.bytes) ||
                            meet(a.from, a.bytes, b.to, b.bytes);
      if (conflict && !before[late][early])
        return std::to_string(early) + " and " + std::to_string(late);
    }
  return "";
}

}  // namespace syncsim::testing
