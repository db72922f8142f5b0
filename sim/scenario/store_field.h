#pragma once
// The field "store" of training steps: a type by name, or
//   {"type": "dist", "servers": "s[0-3]/cpu0", "placement": "mxnet", "big": 1000000,
//    "partition": "4096000 B", "update": "3 ms", "staleness": 2}
// where all but the type may be left out. Staleness: a number of steps, or "unbounded".

#include <optional>
#include <span>
#include <string>

#include "sim/base/json_reader.h"
#include "sim/topology/topology.h"
#include "sim/workload/key_value_store.h"

namespace syncsim {

struct StoreField {
  StoreOptions options;               // but for the servers, which a machine has to know
  std::optional<JsonReader> servers;  // as written
};

StoreField read_store(const JsonReader& json);
inline constexpr const char* kStoreStrategy = "store";  // as the strategy of such points
// Whether it sums by itself, and not by a strategy.
bool sums_itself(const StoreField& store);

// With the servers of the machine. Throws InputError with the place of the field, or without one
// where the machine has no node for the type.
StoreOptions store_on(const StoreField& field, const Topology& machine);

}  // namespace syncsim
