#pragma once
// A key-value store in a schedule (Li et al., OSDI 2014; MXNet's KVStore): workers push values of
// keys, which are added up where the key lives, and pull the sums. Where that is says the type:
//   local   on the machine's first CPU
//   device  on the GPUs: keys by size, the largest first, onto the one that holds least
//   dist    on servers, keys or parts of them by a placement (placement.h); the ranks of a machine
//           add up among themselves first, and one of them pushes and pulls for all
// A pull waits for all pushes that were written before it, and for the updater between them: bulk
// synchronous, as dependencies of the one schedule.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/named_table.h"
#include "sim/schedule/builder.h"
#include "sim/topology/topology.h"
#include "sim/workload/placement.h"

namespace syncsim {

enum class StoreType : std::uint8_t { local, device, dist };

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
  Time update = {};  // what the updater takes for all keys on one server; shares go by bytes
};

// The nodes where keys live. Throws InputError without a place where the machine has none.
std::vector<NodeId> store_nodes(const Topology& topology, std::span<const NodeId> ranks,
                                const StoreOptions& options);

class KeyValueStore {
 public:
  // Keys by their sizes, in forward order. `nodes` are those of store_nodes. Workers are the
  // builder's ranks.
  KeyValueStore(const Topology& topology, std::span<const NodeId> ranks,
                std::span<const NodeId> nodes, const StoreOptions& options, std::vector<Bytes> keys,
                ScheduleBuilder& builder);

  // `value` is the key's place in the data of every worker, of the key's size.
  // Hands worker 0's value to the servers and to all workers: how parameters are distributed.
  void init(std::size_t key, const Slice& value);
  // Adds the worker's value to the key's.
  void push(int worker, std::size_t key, const Slice& value);
  // Runs the updater on what was pushed.
  void update(std::size_t key, const Slice& value);
  // Replaces the worker's value by the key's. The first rank of a machine pulls first.
  void pull(int worker, std::size_t key, const Slice& value);
  // All workers push, the updater runs, all workers pull.
  void pushpull(std::size_t key, const Slice& value);

  // Bytes of keys that live at each node.
  const std::vector<std::int64_t>& loads() const { return loads_; }

 private:
  // Where a part of a key lives and how a worker's machine gets there.
  struct Part {
    Slice slice;
    ParticipantId server;
    std::size_t turn;  // which of a machine's ranks speaks for it
  };
  std::vector<Part> parts_of(std::size_t key, const Slice& value) const;
  const std::vector<ParticipantId>& machine_of(int worker) const;
  ParticipantId speaker(const Part& part, int worker) const;
  bool is_last_of_machine(int worker) const;

  ScheduleBuilder& builder_;
  StoreOptions options_;
  std::vector<Bytes> keys_;
  std::int64_t bytes_ = 0;  // of all keys
  std::vector<ParticipantId> servers_;
  std::vector<std::vector<ParticipantId>> machines_;
  std::vector<std::size_t> machine_of_;     // by worker
  std::vector<std::vector<Shard>> shards_;  // by key
  std::vector<std::int64_t> loads_;         // by server
};

}  // namespace syncsim
