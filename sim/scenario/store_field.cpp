#include "sim/scenario/store_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/base/quote.h"
#include "sim/base/text.h"
#include "sim/scenario/step_time.h"
#include "sim/scenario/words.h"
#include "sim/topology/edits/nodes.h"

namespace syncsim {
namespace {

Bytes read_partition(const JsonReader& json) {
  constexpr std::int64_t kLargestElement = 8;
  if (json.bytes().count < kLargestElement)
    throw json.error("is less than the largest element", "write 8 B or more");
  return json.bytes();
}

// What a placement is told; no other takes it.
void require_placement(const JsonReader& told, const StoreOptions& options, Placement placement,
                       std::string_view name) {
  if (options.type != StoreType::dist || options.placement.placement != placement)
    throw told.error(fmt::format("is of the placement {}", in_quotes(name)),
                     "leave it out, or name that placement");
}

void read_placement(const JsonReader& json, StoreOptions& options) {
  PlacementOptions& placement = options.placement;
  if (const auto name = json.optional("placement")) {
    if (options.type != StoreType::dist)
      throw name->error("is of the store \"dist\"", "leave it out, or name that type");
    placement.placement = named(*name, placements()).placement;
  }
  if (const auto big = json.optional("big")) {
    placement.big = big->integer(1, std::numeric_limits<std::int64_t>::max());
    require_placement(*big, options, Placement::mxnet, "mxnet");
  }
  if (const auto partition = json.optional("partition")) {
    placement.partition = read_partition(*partition);
    require_placement(*partition, options, Placement::byteps, "byteps");
  }
}

int read_staleness(const JsonReader& json, StoreType type) {
  if (type == StoreType::allreduce)
    throw json.error("an allreduce waits for every rank", "leave it out, or choose another type");
  if (!json.is_string()) return static_cast<int>(json.integer(0, kMostStaleness));
  if (json.string() == "unbounded") return kUnboundedStaleness;
  throw json.error("is no staleness", "write a number of steps, or \"unbounded\"");
}

}  // namespace

StoreField read_store(const JsonReader& json) {
  StoreField field;
  if (!json.is_object()) {
    field.options.type = named(json, store_types()).type;
    return field;
  }
  json.allow({"type", "servers", "placement", "big", "partition", "update", "staleness"});
  field.options.type = named(json.required("type", R"("dist")"), store_types()).type;
  read_placement(json, field.options);
  if (const auto update = json.optional("update")) field.options.update = read_step_time(*update);
  if (const auto staleness = json.optional("staleness"))
    field.options.staleness = read_staleness(*staleness, field.options.type);
  field.servers = json.optional("servers");
  if (field.servers && field.options.type != StoreType::dist)
    throw field.servers->error("is of the store \"dist\"", "leave it out, or name that type");
  if (field.servers) (void)field.servers->string();
  return field;
}

bool sums_itself(const StoreField& store) { return store.options.type != StoreType::allreduce; }

StoreOptions store_on(const StoreField& field, const Topology& machine) {
  StoreOptions options = field.options;
  if (!field.servers) return options;
  const std::string text = field.servers->string();
  field.servers->located([&] {
    for (const std::string_view name : separated(text, ','))
      for (const NodeId node : selected_nodes(std::string(trimmed(name)), machine)) {
        const NodeKind kind = machine.nodes()[node].kind;
        if (kind != NodeKind::cpu && kind != NodeKind::gpu)
          throw InputError(in_quotes(machine.nodes()[node].id) + " adds up nothing",
                           "name CPUs or GPUs");
        if (std::find(options.servers.begin(), options.servers.end(), node) !=
            options.servers.end())
          throw InputError(in_quotes(machine.nodes()[node].id) + " is named twice", "name it once");
        options.servers.push_back(node);
      }
  });
  return options;
}

}  // namespace syncsim
