#pragma once
// A key-value store in a schedule (Li et al., OSDI 2014; MXNet's KVStore): workers push values of
// keys, which are added up where the key lives, and pull the sums. Where that is says the type:
//   local   on the machine's first CPU
//   device  on the GPUs: keys by size, the largest first, onto the one that holds least
//   dist    on servers, keys or parts of them by a placement (placement.h); the ranks of a machine
//           add up among themselves first, and one of them pushes and pulls for all
//   allreduce  nowhere: the last push of a key runs a strategy, which leaves the sum everywhere
// A pull waits for all pushes that were written before it, and for the updater between them: bulk
// synchronous, as dependencies of the one schedule. With staleness it waits for fewer
// (staleness.h), and the updater runs at each push: of one worker in order, of several side by side.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/named_table.h"
#include "sim/schedule/builder.h"
#include "sim/topology/topology.h"
#include "sim/workload/placement.h"
#include "sim/workload/staleness.h"

namespace syncsim {

enum class StoreType : std::uint8_t { local, device, dist, allreduce };

struct StoreTypeRow {
  std::string_view name;
  std::string_view description;
  StoreType type;
};
const NamedTable<StoreTypeRow>& store_types();

struct StoreOptions {
  StoreType type = StoreType::device;
  PlacementOptions placement = {};  // of dist
  // Of dist. Empty: the first CPU of each machine without ranks; without such, of each with ranks.
  std::vector<NodeId> servers = {};
  // What the updater takes for all keys on one server (allreduce: on a worker); shares go by bytes.
  Time update = {};
  int staleness = 0;  // 0: bulk synchronous. Not of allreduce
  // By server, who is told every sum before anybody pulls it; empty: nobody.
  std::vector<NodeId> backups = {};
};

// The nodes where keys live; of allreduce none. Throws InputError without a place where the machine
// has none.
std::vector<NodeId> store_nodes(const Topology& topology, std::span<const NodeId> ranks,
                                const StoreOptions& options);

class KeyValueStore {
 public:
  using Emit = std::function<void()>;

  // Keys by their sizes, in forward order. `nodes` are those of store_nodes. Workers are the
  // builder's ranks. `allreduce` emits one, of the data of the builder's scope; for that type.
  // Made outside of scopes.
  KeyValueStore(const Topology& topology, std::span<const NodeId> ranks,
                std::span<const NodeId> nodes, const StoreOptions& options, std::vector<Bytes> keys,
                ScheduleBuilder& builder, Emit allreduce = {});

  // `value` is the key's place in the data of every worker, of the key's size.
  // Hands worker 0's value to the servers and to all workers: how parameters are distributed.
  void init(std::size_t key, const Slice& value);
  // Adds the worker's value to the key's. Every worker pushes a key before one does so again. After
  // the last of them the updater runs, and backups are told.
  void push(int worker, std::size_t key, const Slice& value);
  // Replaces the worker's value by the key's.
  void pull(int worker, std::size_t key, const Slice& value);
  // All workers push, then all pull.
  void pushpull(std::size_t key, const Slice& value);

  // Bytes of keys that live at each node.
  const std::vector<std::int64_t>& loads() const { return loads_; }

 private:
  // Where a part of a key lives and how a worker's machine gets there.
  struct Part {
    Slice slice;
    ParticipantId server;
    std::size_t shelf;  // which of the servers
    std::size_t index;  // of the key's parts
    std::size_t turn;   // which of a machine's ranks speaks for it
  };
  void sum_everywhere(const Slice& value);
  void update(std::size_t key, const Slice& value);
  void replicate(std::size_t key, const Slice& value);
  void pull_part(int worker, std::size_t key, const Part& part, bool first, bool stale);
  void push_stale(std::size_t key, const Part& part, std::size_t machine, ParticipantId leader);
  Time update_of(const Slice& value) const;
  std::vector<Part> parts_of(std::size_t key, const Slice& value) const;
  const std::vector<ParticipantId>& machine_of(int worker) const;
  ParticipantId speaker(const Part& part, int worker) const;
  std::size_t& pushes_of(std::size_t key, int worker);
  std::size_t& pulls_of(std::size_t key, int worker);

  ScheduleBuilder& builder_;
  StoreOptions options_;
  std::vector<Bytes> keys_;
  std::int64_t bytes_ = 0;  // of all keys
  std::vector<ParticipantId> servers_;
  std::vector<ParticipantId> backups_;
  std::vector<std::vector<ParticipantId>> machines_;
  std::vector<std::size_t> machine_of_;     // by worker
  std::vector<std::vector<Shard>> shards_;  // by key
  std::vector<std::int64_t> loads_;         // by server
  std::optional<Staleness> staleness_;
  Emit allreduce_;
  std::vector<int> waiting_;  // by key: workers that have not pushed yet
  // By key and machine: calls of its ranks. The last to push speaks to the server, and the first to
  // pull.
  std::vector<std::size_t> pushes_;
  std::vector<std::size_t> pulls_;
};

}  // namespace syncsim
