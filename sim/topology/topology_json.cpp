#include "sim/topology/topology_json.h"

#include <fmt/format.h>

#include <utility>

#include "sim/topology/connected.h"
#include "sim/topology/machine_source.h"
#include "sim/topology/policy_defect.h"

namespace syncsim {
namespace {

std::string text_or(const JsonReader& json, std::string_view key, std::string otherwise) {
  const auto text = json.optional(key);
  return text ? text->string() : std::move(otherwise);
}

}  // namespace

Topology read_topology(const JsonReader& json, const MemoryLimit& memory,
                       const std::string& shelf_directory) {
  Topology::Parts parts = MachineSource(json.file(), memory, shelf_directory).read(json);
  parts.description = text_or(json, "description", std::move(parts.description));
  parts.source = text_or(json, "source", std::move(parts.source));
  Topology topology = json.located([&] { return Topology(std::move(parts)); });
  if (const auto pair = first_cut_off_pair(topology))
    throw json.error(
        fmt::format("no route from {} to {}", topology.nodes()[pair->first].id,
                    topology.nodes()[pair->second].id),
        "join them by links through nodes that forward (a gpu forwards only when it says so)");
  if (const auto defect = policy_defect(topology))
    throw json.error(defect->wrong(), defect->right());
  return topology;
}

}  // namespace syncsim
