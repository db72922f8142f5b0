#include "sim/topology/topology_json.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <utility>

#include "sim/topology/connected.h"
#include "sim/topology/machine_source.h"
#include "sim/topology/node_index.h"
#include "sim/topology/policy_defect.h"

namespace syncsim {
namespace {

constexpr std::string_view kJoinThem =
    "join them by links through nodes that forward (a gpu forwards only when it says so)";

std::string text_or(const JsonReader& json, std::string_view key, std::string otherwise) {
  const auto text = json.optional(key);
  return text ? text->string() : std::move(otherwise);
}

// Told before millions of nodes are made.
void refuse_unjoined(const JsonReader& json) {
  if (json.has("instances") || json.has("kind") || json.has("ranks")) return;
  const auto links = json.optional("links");
  const auto nodes = json.optional("nodes");
  if (!nodes || (links && !(links->is_array() && links->raw().empty()))) return;
  std::int64_t gpus = 0;
  for (const JsonReader& entry : nodes->elements())
    if (entry.required("kind", R"("gpu")").raw() == "gpu")
      gpus += Ids(entry.required("id", R"("gpu0")")).size;
  if (gpus > 1)
    throw json.error(fmt::format("no links join the {} gpus", gpus), std::string(kJoinThem));
}

}  // namespace

Topology read_topology(const JsonReader& json, const MemoryLimit& memory,
                       const std::string& shelf_directory) {
  refuse_unjoined(json);
  Topology::Parts parts = MachineSource(json.file(), memory, shelf_directory).read(json);
  parts.description = text_or(json, "description", std::move(parts.description));
  parts.source = text_or(json, "source", std::move(parts.source));
  Topology topology = json.located([&] { return Topology(std::move(parts)); });
  if (const auto pair = first_cut_off_pair(topology))
    throw json.error(fmt::format("no route from {} to {}", topology.nodes()[pair->first].id,
                                 topology.nodes()[pair->second].id),
                     std::string(kJoinThem));
  if (const auto defect = policy_defect(topology))
    throw json.error(defect->wrong(), defect->right());
  return topology;
}

}  // namespace syncsim
