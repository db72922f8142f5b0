#include "sim/scenario/store_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/quote.h"
#include "sim/base/rank_list.h"
#include "sim/base/text.h"
#include "sim/scenario/point.h"
#include "sim/scenario/point_schedule.h"
#include "sim/scenario/rings_file.h"
#include "sim/scenario/setting.h"

namespace syncsim {
namespace {

constexpr std::int64_t kFloat = 4;  // float32

std::vector<StoreKey> read_keys(const JsonReader& json) {
  std::vector<StoreKey> keys;
  std::int64_t sum = 0;
  constexpr std::int64_t kMost = std::int64_t{1} << 50;
  for (const auto& [name, value] : json.members()) {
    const Bytes bytes = value.bytes();
    if (bytes.count == 0 || bytes.count % kFloat != 0)
      throw value.error("is no whole number of float32", "write a multiple of 4 B above 0");
    if (bytes.count > kMost - sum)
      throw value.error("is too much", "write 1024 TiB in all at most");
    sum += bytes.count;
    keys.push_back({name, bytes});
  }
  constexpr std::size_t kMostKeys = 10'000;
  if (keys.size() > kMostKeys) throw json.error("holds more than 10000 keys", "write fewer");
  if (keys.empty()) throw json.error("is empty", R"(write such as {"fc": "40 MB"})");
  return keys;
}

std::size_t key_named(std::string_view name, const std::vector<StoreKey>& keys) {
  const auto found =
      std::find_if(keys.begin(), keys.end(), [&](const StoreKey& key) { return key.name == name; });
  if (found != keys.end()) return static_cast<std::size_t>(found - keys.begin());
  std::vector<std::string> known;
  for (const StoreKey& key : keys) known.push_back(key.name);
  throw unknown_name("key", name, known);
}

// "push 0-3 fc"; a key's name may hold blanks.
StoreCall parse_call(std::string_view text, const std::vector<StoreKey>& keys) {
  const auto word = [&] {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view first = text.substr(0, end);
    text = trimmed(text.substr(end));
    return first;
  };
  text = trimmed(text);
  StoreCall call;
  call.kind = store_calls().at(std::string(word())).kind;
  const bool by_workers = call.kind == StoreCallKind::push || call.kind == StoreCallKind::pull;
  if (by_workers) call.workers = parse_ranks(word());
  call.key = key_named(text, keys);
  return call;
}

std::vector<StoreCall> read_calls(const JsonReader& json, const std::vector<StoreKey>& keys) {
  std::vector<StoreCall> calls;
  for (const JsonReader& element : json.elements()) {
    calls.push_back(element.located([&] { return parse_call(element.string(), keys); }));
    calls.back().place = element.place();
  }
  if (calls.empty()) throw json.error("is empty", R"(write such as ["pushpull fc"])");
  return calls;
}

Parameters parameters_of(const Point& point, const Setting& setting, bool by_strategy) {
  if (!by_strategy) return {point.strategy, {}, {}};
  const Strategy& strategy = strategies().at(point.strategy);
  const GivenParameters given = given_parameters(point, setting.machine, setting.ranks);
  return {strategy.name, strategy.parameters, given.values, given.places};
}

}  // namespace

StoreScript read_script(const JsonReader& keys, const JsonReader* calls, const JsonReader& store) {
  StoreScript script{.store = read_store(store),
                     .keys = read_keys(keys),
                     .calls = {},
                     .written_store = store.raw().dump(),
                     .written_keys = keys.raw().dump(),
                     .written_calls = calls == nullptr ? "null" : calls->raw().dump()};
  if (script.store.options.staleness != 0)
    throw store.error("staleness is of training steps", "leave it out, or say a \"model\"");
  if (calls != nullptr) {
    script.calls = read_calls(*calls, script.keys);
    return script;
  }
  for (std::size_t key = 0; key < script.keys.size(); ++key)
    script.calls.push_back({.key = key, .place = keys.place()});
  return script;
}

bool only_inits(const StoreScript& script) {
  return std::all_of(script.calls.begin(), script.calls.end(),
                     [](const StoreCall& call) { return call.kind == StoreCallKind::init; });
}

Bytes bytes_of(const StoreScript& script) {
  std::int64_t pushed = 0;
  std::int64_t init = 0;
  for (const StoreCall& call : script.calls) {
    const std::int64_t bytes = script.keys[call.key].bytes.count;
    const bool first = std::find(call.workers.begin(), call.workers.end(), 0) != call.workers.end();
    if (call.kind == StoreCallKind::init) init += bytes;
    if (call.kind == StoreCallKind::pushpull || (call.kind == StoreCallKind::push && first))
      pushed += bytes;
  }
  return {only_inits(script) ? init : pushed};
}

PointSchedule scripted(const Point& point, const Setting& setting, const RunSettings& settings) {
  const StoreScript& script = *point.script;
  const bool by_strategy = !sums_itself(script.store);
  if (by_strategy && strategies().find(point.strategy) == nullptr)
    throw InputError(in_quotes(point.strategy) + " is of one collective, not of a store's calls",
                     "name a strategy", point.place("strategy"));
  Parameters parameters = parameters_of(point, setting, by_strategy);
  const StoreOptions options = store_on(script.store, setting.machine);
  Schedule schedule = at_field(point, by_strategy ? "strategy" : "store", [&] {
    return plan_calls({.topology = setting.machine,
                       .ranks = setting.ranks,
                       .options = options,
                       .keys = script.keys,
                       .calls = script.calls,
                       .strategy = by_strategy ? &strategies().at(point.strategy) : nullptr,
                       .parameters = &parameters,
                       .overhead = point.overhead},
                      oversight_of(point, setting.machine, settings), point.reduction);
  });
  return {std::move(schedule), setting.ranks, std::move(parameters), false};
}

}  // namespace syncsim
