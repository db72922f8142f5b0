#pragma once
// Calls of a key-value store, as programs make them, as one schedule. A round of a key is all
// workers' pushes and then all workers' pulls; every round and every init has its own part of the
// data, a collective of its own (allreduce, broadcast), and is proved. At a worker a round begins
// when it has pulled the one before.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/schedule/strategy.h"
#include "sim/workload/key_value_store.h"

namespace syncsim {

enum class StoreCallKind : std::uint8_t { init, push, pull, pushpull };

struct StoreCallRow {
  std::string_view name;
  std::string_view description;
  StoreCallKind kind;
};
const NamedTable<StoreCallRow>& store_calls();

struct StoreKey {
  std::string name;
  Bytes bytes;
};

struct StoreCall {
  StoreCallKind kind = StoreCallKind::pushpull;
  std::size_t key = 0;
  std::vector<int> workers = {};  // of push and pull
  std::string place = {};
};

// What the calls come to.
struct StoreRound {
  std::size_t key = 0;
  CollectiveKind kind = CollectiveKind::allreduce;
  std::int64_t begin = 0;  // in the data
};

// By call and its workers: which round each is of.
struct StoreRounds {
  std::vector<StoreRound> rounds;
  std::vector<std::vector<std::size_t>> of_call;
  std::int64_t bytes = 0;  // of the data
};

// Throws InputError with the call's place for a worker out of range or twice, a pull before all have
// pushed, a push or an init before all have pulled the round before, and a round that somebody does
// not pull; that one at the last call of the round.
StoreRounds rounds_of(std::span<const StoreKey> keys, std::span<const StoreCall> calls,
                      int workers);

struct StoreCallsInput {
  const Topology& topology;
  std::span<const NodeId> ranks;  // the workers
  const StoreOptions& options;    // staleness 0
  std::span<const StoreKey> keys;
  std::span<const StoreCall> calls;
  std::string_view datatype = "float32";
  const Strategy* strategy = nullptr;  // of the store "allreduce"
  const Parameters* parameters = nullptr;
  Time overhead = {};
};

Schedule plan_calls(const StoreCallsInput& input, const Oversight& oversight = {},
                    Reduction reduction = Reduction::on_arrival);

}  // namespace syncsim
