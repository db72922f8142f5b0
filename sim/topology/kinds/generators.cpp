#include "sim/topology/kinds/generators.h"

namespace syncsim {
namespace {

constexpr std::int64_t kMostGpus = 1'000'000;

}  // namespace

void allow_keys(const JsonReader& json, std::vector<std::string> own) {
  own.insert(own.end(), {"kind", "name", "description", "source", "routing"});
  json.allow(own);
}

std::int64_t read_gpus(const JsonReader& json, const MachineSource& source) {
  const JsonReader field = json.required("gpus", "8");
  const std::int64_t gpus = field.integer(1, kMostGpus);
  const auto count = static_cast<std::uint64_t>(gpus);
  source.require_room(field, {count, 2 * count});
  return gpus;
}

void add_gpus(Topology::Parts& parts, std::int64_t count, Node gpu) {
  gpu.kind = NodeKind::gpu;
  for (std::int64_t i = 0; i < count; ++i) {
    gpu.id = "gpu" + std::to_string(i);
    parts.ranks.push_back(static_cast<NodeId>(parts.nodes.size()));
    parts.nodes.push_back(gpu);
  }
}

}  // namespace syncsim
