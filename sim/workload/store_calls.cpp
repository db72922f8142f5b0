#include "sim/workload/store_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

#include "sim/base/error.h"
#include "sim/base/quote.h"
#include "sim/schedule/place_collective.h"

namespace syncsim {
namespace {

std::vector<int> everyone(int workers) {
  std::vector<int> all(static_cast<std::size_t>(workers));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

// One key's calls, in the order in which a program makes them.
class KeyRounds {
 public:
  KeyRounds(std::string name, int workers)
      : name_(std::move(name)), pushed_(static_cast<std::size_t>(workers)), pulled_(pushed_) {}

  // The number, among the key's rounds, of the one that the worker's push is of.
  std::size_t push(int worker, const std::string& place) {
    const auto w = static_cast<std::size_t>(worker);
    if (pushed_[w] > pulled_[w])
      throw InputError(fmt::format("worker {} pushes {} twice", worker, in_quotes(name_)),
                       "pull it in between", place);
    if (places_.size() == pushed_[w]) {
      require_pulled(worker, "pushes", place);
      places_.emplace_back();
    }
    places_[pushed_[w]] = place;
    return pushed_[w]++;
  }
  // A round begins when the one before is over.
  void require_pulled(int worker, std::string_view does, const std::string& place) const {
    for (std::size_t other = 0; other < pulled_.size(); ++other)
      if (pulled_[other] < places_.size())
        throw InputError(fmt::format("worker {} {} {}, which worker {} has not pulled", worker,
                                     does, in_quotes(name_), other),
                         "let every worker pull it before", place);
  }
  std::size_t pull(int worker, const std::string& place) {
    const auto w = static_cast<std::size_t>(worker);
    const std::size_t round = pulled_[w];
    const auto behind = std::find_if(pushed_.begin(), pushed_.end(),
                                     [&](std::size_t pushes) { return pushes <= round; });
    if (behind != pushed_.end())
      throw InputError(fmt::format("worker {} pulls {}, which worker {} has not pushed", worker,
                                   in_quotes(name_), behind - pushed_.begin()),
                       "let every worker push it before", place);
    ++pulled_[w];
    places_[round] = place;
    return round;
  }
  void require_whole() const {
    for (std::size_t round = 0; round < places_.size(); ++round)
      for (std::size_t worker = 0; worker < pulled_.size(); ++worker)
        if (pulled_[worker] <= round)
          throw InputError(
              fmt::format("worker {} never pulls {} after this", worker, in_quotes(name_)),
              "let every worker push and pull it", places_[round]);
  }

 private:
  std::string name_;
  std::vector<std::size_t> pushed_;  // by worker: how often
  std::vector<std::size_t> pulled_;
  std::vector<std::string> places_;  // by round: of its last call
};

void require_workers(const StoreCall& call, int workers) {
  std::vector<bool> named(static_cast<std::size_t>(workers));
  for (const int worker : call.workers) {
    if (worker < 0 || worker >= workers)
      throw InputError(fmt::format("worker {} is not in the run", worker),
                       fmt::format("name workers of the run, 0 to {}", workers - 1), call.place);
    if (named[static_cast<std::size_t>(worker)])
      throw InputError(fmt::format("worker {} is named twice", worker), "name it once", call.place);
    named[static_cast<std::size_t>(worker)] = true;
  }
}

class Rounds {
 public:
  Rounds(std::span<const StoreKey> keys, int workers)
      : keys_(keys), all_(everyone(workers)), begun_(keys.size()) {
    for (const StoreKey& key : keys) states_.emplace_back(key.name, workers);
  }

  void add(const StoreCall& call) {
    std::vector<std::size_t>& rounds = result_.of_call.emplace_back();
    if (call.kind == StoreCallKind::init) {
      states_[call.key].require_pulled(0, "sets", call.place);
      rounds.push_back(begin(call.key, CollectiveKind::broadcast));
      return;
    }
    const bool both = call.kind == StoreCallKind::pushpull;
    const std::vector<int>& workers = both ? all_ : call.workers;
    if (both || call.kind == StoreCallKind::push)
      for (const int worker : workers)
        rounds.push_back(round(call.key, states_[call.key].push(worker, call.place)));
    if (both || call.kind == StoreCallKind::pull)
      for (const int worker : workers)
        rounds.push_back(round(call.key, states_[call.key].pull(worker, call.place)));
  }
  StoreRounds take() {
    for (const KeyRounds& state : states_) state.require_whole();
    return std::move(result_);
  }

 private:
  std::size_t round(std::size_t key, std::size_t number) {
    if (begun_[key].size() == number) begun_[key].push_back(begin(key, CollectiveKind::allreduce));
    return begun_[key][number];
  }
  std::size_t begin(std::size_t key, CollectiveKind kind) {
    result_.rounds.push_back({key, kind, result_.bytes});
    result_.bytes += keys_[key].bytes.count;
    return result_.rounds.size() - 1;
  }

  std::span<const StoreKey> keys_;
  std::vector<int> all_;
  std::vector<std::vector<std::size_t>> begun_;  // by key: its rounds of pushes and pulls
  std::vector<KeyRounds> states_;
  StoreRounds result_;
};

// A worker's value in a round is made of what it had before: it pushes a key again when it has
// pulled it. One lane a key, so that keys do not wait for each other.
class Values {
 public:
  Values(std::size_t keys, ScheduleBuilder& builder) : had_(keys), builder_(builder) {}

  // The round's, at workers 0 to `workers` - 1; once, however often it is asked for.
  void make(std::size_t key, const Slice& value, int workers) {
    const auto channel = static_cast<std::uint16_t>(kFirstLane + key);
    const std::optional<Slice> before = std::exchange(had_[key], value);
    if (!before || before->begin == value.begin) return;
    for (ParticipantId worker = 0; std::cmp_less(worker, workers); ++worker) {
      builder_.compute(worker, Time{}, Access::reads, *before, channel);
      builder_.compute(worker, Time{}, Access::produces, value, channel);
    }
  }

 private:
  static constexpr std::size_t kFirstLane = 16;  // beyond the store's

  std::vector<std::optional<Slice>> had_;  // by key
  ScheduleBuilder& builder_;
};

// `slices` are of the call's workers, one where it has none.
void call_store(KeyValueStore& store, const StoreCall& call, std::span<const Slice> slices,
                Values& values, int workers) {
  if (call.kind == StoreCallKind::init) {
    values.make(call.key, slices.front(), 1);
    store.init(call.key, slices.front());
  } else if (call.kind == StoreCallKind::pushpull) {
    values.make(call.key, slices.front(), workers);
    store.pushpull(call.key, slices.front());
  }
  for (std::size_t i = 0; i < call.workers.size(); ++i) {
    if (call.kind == StoreCallKind::push) values.make(call.key, slices[i], workers);
    if (call.kind == StoreCallKind::push) store.push(call.workers[i], call.key, slices[i]);
    if (call.kind == StoreCallKind::pull) store.pull(call.workers[i], call.key, slices[i]);
  }
}

Collective collective_of(const StoreCallsInput& input, CollectiveKind kind, std::int64_t bytes) {
  return {.kind = kind,
          .ranks = static_cast<int>(input.ranks.size()),
          .bytes = {bytes},
          .datatype = datatypes().at(input.datatype).name};
}

Slice value_of(const StoreCallsInput& input, const StoreRound& round) {
  return {0, round.begin, round.begin + input.keys[round.key].bytes.count};
}

std::string_view name_of(StoreCallKind kind) {
  for (const StoreCallRow& row : store_calls().rows())
    if (row.kind == kind) return row.name;
  throw InternalError("a call without a name");
}

void emit_calls(const StoreCallsInput& input, const StoreRounds& rounds, ScheduleBuilder& builder) {
  const std::vector<NodeId> nodes = store_nodes(input.topology, input.ranks, input.options);
  std::vector<Bytes> sizes;
  for (const StoreKey& key : input.keys) sizes.push_back(key.bytes);
  KeyValueStore store(input.topology, input.ranks, nodes, input.options, sizes, builder, [&] {
    input.strategy->emit({.topology = input.topology,
                          .ranks = input.ranks,
                          .parameters = *input.parameters,
                          .overhead = input.overhead},
                         builder);
  });
  const std::vector<std::int64_t>& loads = store.loads();
  for (std::size_t i = 0; i < loads.size(); ++i)
    if (loads[i] > 0)
      builder.note(fmt::format("keys on {}: {}", input.topology.nodes()[nodes[i]].id,
                               to_string(Bytes{loads[i]})));
  Values values(input.keys.size(), builder);
  for (std::size_t i = 0; i < input.calls.size(); ++i) {
    const StoreCall& call = input.calls[i];
    std::vector<Slice> slices;
    for (const std::size_t round : rounds.of_call[i])
      slices.push_back(value_of(input, rounds.rounds[round]));
    builder.phase(fmt::format("{} {}", name_of(call.kind), input.keys[call.key].name));
    call_store(store, call, slices, values, builder.ranks());
  }
}

}  // namespace

const NamedTable<StoreCallRow>& store_calls() {
  static const NamedTable<StoreCallRow> table(
      "call", {{"init", "hands worker 0's value to all", StoreCallKind::init},
               {"push", "adds workers' values", StoreCallKind::push},
               {"pull", "hands the sum to workers", StoreCallKind::pull},
               {"pushpull", "all push, then all pull", StoreCallKind::pushpull}});
  return table;
}

StoreRounds rounds_of(std::span<const StoreKey> keys, std::span<const StoreCall> calls,
                      int workers) {
  Rounds rounds(keys, workers);
  for (const StoreCall& call : calls) {
    require_workers(call, workers);
    rounds.add(call);
  }
  return rounds.take();
}

Schedule plan_calls(const StoreCallsInput& input, const Oversight& oversight, Reduction reduction) {
  const StoreRounds rounds =
      rounds_of(input.keys, input.calls, static_cast<int>(input.ranks.size()));
  std::vector<std::string> nodes;
  for (const NodeId node : input.ranks) nodes.push_back(input.topology.nodes()[node].id);
  Schedule schedule = build_schedule(
      collective_of(input, CollectiveKind::allreduce, rounds.bytes), nodes,
      [&](ScheduleBuilder& builder) {
        for (const StoreRound& round : rounds.rounds) builder.split(value_of(input, round), 1);
        emit_calls(input, rounds, builder);
      },
      oversight, reduction);
  schedule.collectives.clear();
  for (const StoreRound& round : rounds.rounds) {
    const Slice value = value_of(input, round);
    schedule.collectives.push_back(
        place_collective(schedule, collective_of(input, round.kind, value.size()), value));
  }
  return schedule;
}

}  // namespace syncsim
