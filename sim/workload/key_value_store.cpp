#include "sim/workload/key_value_store.h"

#include <algorithm>

#include "sim/base/error.h"
#include "sim/schedule/participant_on.h"
#include "sim/topology/boxes.h"
#include "sim/workload/step_layout.h"

namespace syncsim {
namespace {

// Channels, from the scope's first on.
constexpr std::uint16_t kAddUp = 0;
constexpr std::uint16_t kHandOut = 1;
constexpr std::uint16_t kPush = 2;
constexpr std::uint16_t kPull = 3;
constexpr std::uint16_t kUpdate = 4;
constexpr std::uint16_t kReplicate = 5;
constexpr std::uint16_t kFirstMachine = 6;  // stale: a channel for each one's pushes

InputError no_cpu(const Topology& topology) {
  return {"machine \"" + topology.name() + "\" has no CPU for keys to live on",
          "choose the store \"device\", name servers, or add a node of kind \"cpu\""};
}

// Of dist those of a machine together, else each rank by itself.
std::vector<std::vector<ParticipantId>> machines_of(const Topology& topology,
                                                    std::span<const NodeId> ranks, StoreType type) {
  const std::vector<Place> places = places_of(topology);
  if (type == StoreType::dist)
    return ranks_by<ParticipantId>(ranks, [&](NodeId node) { return places[node].box; });
  std::vector<std::vector<ParticipantId>> machines;
  for (ParticipantId rank = 0; rank < ranks.size(); ++rank) machines.push_back({rank});
  return machines;
}

Placement placement_of(const StoreOptions& options) {
  return options.type == StoreType::dist ? options.placement.placement : Placement::balanced;
}

}  // namespace

const NamedTable<StoreTypeRow>& store_types() {
  static const NamedTable<StoreTypeRow> table(
      "store",
      {{"local", "sums on the first CPU", StoreType::local},
       {"device", "sums on the GPUs, keys onto the one that holds least", StoreType::device},
       {"dist", "sums on servers", StoreType::dist},
       {"allreduce", "sums by a strategy", StoreType::allreduce}});
  return table;
}

std::vector<NodeId> store_nodes(const Topology& topology, std::span<const NodeId> ranks,
                                const StoreOptions& options) {
  if (options.type == StoreType::allreduce) return {};
  if (options.type == StoreType::device) return {ranks.begin(), ranks.end()};
  if (options.type == StoreType::dist && !options.servers.empty()) return options.servers;
  const AddingCpus cpus = adding_cpus(topology, ranks);
  if (options.type == StoreType::local) {
    const std::vector<NodeId> all = topology.nodes_of_kind(NodeKind::cpu);
    if (all.empty()) throw no_cpu(topology);
    return {cpus.own.empty() ? all.front() : cpus.own.front()};
  }
  const std::vector<NodeId>& nodes = cpus.spare.empty() ? cpus.own : cpus.spare;
  if (nodes.empty()) throw no_cpu(topology);
  return nodes;
}

KeyValueStore::KeyValueStore(const Topology& topology, std::span<const NodeId> ranks,
                             std::span<const NodeId> nodes, const StoreOptions& options,
                             std::vector<Bytes> keys, ScheduleBuilder& builder, Emit allreduce)
    : builder_(builder),
      options_(options),
      keys_(std::move(keys)),
      machines_(machines_of(topology, ranks, options.type)),
      machine_of_(ranks.size()),
      shards_(keys_.size()),
      allreduce_(std::move(allreduce)),
      waiting_(keys_.size(), builder.ranks()),
      pushes_(keys_.size() * machines_.size()),
      pulls_(keys_.size() * machines_.size()) {
  for (const NodeId node : nodes)
    servers_.push_back(participant_on(node, topology, ranks, builder));
  for (const NodeId node : options.backups)
    backups_.push_back(participant_on(node, topology, ranks, builder));
  for (std::size_t machine = 0; machine < machines_.size(); ++machine)
    for (const ParticipantId rank : machines_[machine]) machine_of_[rank] = machine;
  for (const Bytes& key : keys_) bytes_ += key.count;
  if (options.type == StoreType::allreduce) return;
  if (options.staleness != 0) staleness_.emplace(options.staleness, machines_.size(), builder);
  PlacementOptions placement = options.placement;
  placement.placement = placement_of(options);
  const std::vector<Shard> shards = place_keys(placement, keys_, servers_.size());
  for (const Shard& shard : shards) shards_[shard.key].push_back(shard);
  loads_ = server_loads(shards, servers_.size());
}

void KeyValueStore::init(std::size_t key, const Slice& value) {
  const std::vector<ParticipantId>& beside = machine_of(0);
  if (options_.type == StoreType::allreduce)
    for (ParticipantId worker = 1; worker < machine_of_.size(); ++worker)
      builder_.copy(0, worker, value, kHandOut);
  for (const Part& part : parts_of(key, value)) {
    if (part.server != 0) builder_.copy(0, part.server, part.slice, kPush);
    for (const ParticipantId rank : beside)
      if (rank != 0 && rank != part.server) builder_.copy(0, rank, part.slice, kHandOut);
    for (int worker = 1; worker < builder_.ranks(); ++worker)
      if (&machine_of(worker) != &beside)
        pull_part(worker, key, part, worker == static_cast<int>(machine_of(worker).front()), false);
  }
}

void KeyValueStore::push(int worker, std::size_t key, const Slice& value) {
  const auto self = static_cast<ParticipantId>(worker);
  const bool last = ++pushes_of(key, worker) % machine_of(worker).size() == 0;
  for (const Part& part : parts_of(key, value)) {
    const ParticipantId leader = speaker(part, worker);
    if (self != leader) builder_.reduce(self, leader, part.slice, kAddUp);
    if (!last) continue;
    if (staleness_)
      push_stale(key, part, machine_of_[self], leader);
    else if (leader != part.server)
      builder_.reduce(leader, part.server, part.slice, kPush);
  }
  if (--waiting_[key] > 0) return;
  waiting_[key] = builder_.ranks();
  if (options_.type == StoreType::allreduce) sum_everywhere(value);
  update(key, value);
  replicate(key, value);
}

// Nothing that a machine pushes waits behind what another one does.
void KeyValueStore::push_stale(std::size_t key, const Part& part, std::size_t machine,
                               ParticipantId leader) {
  const auto channel = static_cast<std::uint16_t>(kFirstMachine + machine);
  OpId applied =
      builder_.reduce(leader, part.slice, part.server, staleness_->kept(part.slice), channel);
  if (options_.update.ps != 0) {
    const OpId update = builder_.compute(part.server, update_of(part.slice), channel);
    builder_.edge(applied, update);
    applied = update;
  }
  staleness_->pushed(key, part.index, machine, applied);
}

void KeyValueStore::sum_everywhere(const Slice& value) {
  ScheduleBuilder::ScopeOptions scope;
  scope.data = value;
  scope.collective = builder_.collective();
  scope.collective->kind = CollectiveKind::allreduce;
  scope.collective->bytes = {value.size()};
  builder_.scope(scope, allreduce_);
}

void KeyValueStore::update(std::size_t key, const Slice& value) {
  if (options_.update.ps == 0 || staleness_) return;
  for (const Part& part : parts_of(key, value))
    builder_.compute(part.server, update_of(part.slice), Access::modifies, part.slice, kUpdate);
  if (options_.type != StoreType::allreduce) return;
  for (ParticipantId worker = 0; worker < machine_of_.size(); ++worker)
    builder_.compute(worker, update_of(value), Access::modifies, value, kUpdate);
}

Time KeyValueStore::update_of(const Slice& value) const {
  return times(options_.update, static_cast<double>(value.size()) / static_cast<double>(bytes_));
}

void KeyValueStore::replicate(std::size_t key, const Slice& value) {
  if (backups_.empty()) return;
  for (const Part& part : parts_of(key, value)) {
    const OpId told = builder_.copy(part.server, backups_[part.shelf], part.slice, kReplicate);
    builder_.edge(told,
                  builder_.compute(part.server, Time{}, Access::modifies, part.slice, kUpdate));
  }
}

void KeyValueStore::pull(int worker, std::size_t key, const Slice& value) {
  const bool first = pulls_of(key, worker)++ % machine_of(worker).size() == 0;
  for (const Part& part : parts_of(key, value))
    pull_part(worker, key, part, first, staleness_.has_value());
}

void KeyValueStore::pull_part(int worker, std::size_t key, const Part& part, bool first,
                              bool stale) {
  const auto self = static_cast<ParticipantId>(worker);
  const ParticipantId leader = speaker(part, worker);
  if (first && stale) {
    const auto awaited = staleness_->awaited(key, part.index, machine_of_[self], part.server);
    const OpId pull =
        builder_.copy(part.server, staleness_->kept(part.slice), leader, part.slice, kPull);
    for (const OpId op : awaited) builder_.edge(op, pull);
  } else if (first && leader != part.server) {
    builder_.copy(part.server, leader, part.slice, kPull);
  }
  if (self != leader) builder_.copy(leader, self, part.slice, kHandOut);
}

void KeyValueStore::pushpull(std::size_t key, const Slice& value) {
  for (int worker = 0; worker < builder_.ranks(); ++worker) push(worker, key, value);
  for (int worker = 0; worker < builder_.ranks(); ++worker) pull(worker, key, value);
}

std::vector<KeyValueStore::Part> KeyValueStore::parts_of(std::size_t key,
                                                         const Slice& value) const {
  require(key < keys_.size() && value.size() == keys_[key].count,
          "a value of another size than its key");
  std::vector<Part> parts;
  for (const Shard& shard : shards_[key]) {
    const std::int64_t begin = value.begin + shard.begin;
    const std::size_t index = parts.size();
    parts.push_back({{value.buffer, begin, begin + shard.bytes},
                     servers_[shard.server],
                     shard.server,
                     index,
                     key + index});
  }
  return parts;
}

const std::vector<ParticipantId>& KeyValueStore::machine_of(int worker) const {
  return machines_[machine_of_[static_cast<std::size_t>(worker)]];
}

// The server itself where it is one of the machine's ranks; else they take turns.
ParticipantId KeyValueStore::speaker(const Part& part, int worker) const {
  const std::vector<ParticipantId>& machine = machine_of(worker);
  const bool holds = std::find(machine.begin(), machine.end(), part.server) != machine.end();
  return holds ? part.server : machine[part.turn % machine.size()];
}

std::size_t& KeyValueStore::pushes_of(std::size_t key, int worker) {
  return pushes_[key * machines_.size() + machine_of_[static_cast<std::size_t>(worker)]];
}

std::size_t& KeyValueStore::pulls_of(std::size_t key, int worker) {
  return pulls_[key * machines_.size() + machine_of_[static_cast<std::size_t>(worker)]];
}

}  // namespace syncsim
