#include "sim/scenario/store_field.h"

#include <limits>

#include "sim/base/quote.h"
#include "sim/base/text.h"
#include "sim/topology/delay.h"
#include "sim/topology/edits/nodes.h"

namespace syncsim {
namespace {

StoreType read_type(const JsonReader& json) {
  return json.located([&] { return store_types().at(json.string()).type; });
}

Bytes read_partition(const JsonReader& json) {
  constexpr std::int64_t kLargestElement = 8;
  if (json.bytes().count < kLargestElement)
    throw json.error("holds no element of 8 B", "write a larger size");
  return json.bytes();
}

}  // namespace

StoreField read_store(const JsonReader& json) {
  StoreField field;
  if (!json.is_object()) {
    field.options.type = read_type(json);
    return field;
  }
  json.allow({"type", "servers", "placement", "big", "partition", "update"});
  field.options.type = read_type(json.required("type", R"("dist")"));
  PlacementOptions& placement = field.options.placement;
  if (const auto name = json.optional("placement"))
    placement.placement = name->located([&] { return placements().at(name->string()).placement; });
  if (const auto big = json.optional("big"))
    placement.big = big->integer(1, std::numeric_limits<std::int64_t>::max());
  if (const auto partition = json.optional("partition"))
    placement.partition = read_partition(*partition);
  if (const auto update = json.optional("update"))
    field.options.update = update->located([&] { return checked_delay(update->time()); });
  field.servers = json.optional("servers");
  if (field.servers && field.options.type != StoreType::dist)
    throw field.servers->error("is of the store \"dist\"", "leave it out, or name that type");
  if (field.servers) (void)field.servers->string();
  return field;
}

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
        options.servers.push_back(node);
      }
  });
  return options;
}

}  // namespace syncsim
