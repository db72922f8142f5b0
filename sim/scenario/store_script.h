#pragma once
// Points that are calls of a key-value store, as programs make them:
//   "store": "device"                          or what it takes (store_field.h)
//   "keys": {"conv1": "4 MB", "fc": "40 MB"}   in forward order
//   "calls": ["init fc", "push 0-3 fc", "pull 0-3 fc", "pushpull conv1"]
// Without calls every key is pushed and pulled once, in the order of the keys.

#include <string>
#include <vector>

#include "sim/base/json_reader.h"
#include "sim/scenario/store_field.h"
#include "sim/workload/store_calls.h"

namespace syncsim {

struct Point;
struct PointSchedule;
struct RunSettings;
struct Setting;

struct StoreScript {
  StoreField store;
  std::vector<StoreKey> keys;
  std::vector<StoreCall> calls;
  std::string written_store;  // as JSON
  std::string written_keys;
  std::string written_calls;  // "null": none
};

// Of "keys", "calls" and "store". Throws InputError with its place.
StoreScript read_script(const JsonReader& keys, const JsonReader* calls, const JsonReader& store);
// Bytes that the calls push and pull; of inits alone, those.
Bytes bytes_of(const StoreScript& script);
bool only_inits(const StoreScript& script);

// Throws InputError, with the place of the call or field, for what the machine lacks and for calls
// that do not go together (rounds_of).
PointSchedule scripted(const Point& point, const Setting& setting, const RunSettings& settings);

}  // namespace syncsim
