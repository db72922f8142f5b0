#include "sim/scenario/loading_field.h"

#include <fmt/format.h>

#include "sim/base/quote.h"
#include "sim/base/text.h"
#include "sim/topology/edits/nodes.h"
#include "sim/topology/nearby.h"

namespace syncsim {
namespace {

constexpr int kMostBatchesAhead = 1000;
constexpr std::int64_t kMostBytes =
    1'000'000'000'000'000;  // of a batch, so that all fit in 64 bits

Bytes read_bytes(const JsonReader& json) {
  const Bytes bytes = json.bytes();
  if (bytes.count == 0 || bytes.count > kMostBytes)
    throw json.error("is no size of a batch", "write one above 0, up to 1 PB");
  return bytes;
}

std::vector<NodeId> named_nodes(const JsonReader& from, const Topology& machine,
                                std::span<const NodeId> ranks) {
  return from.located([&] {
    const NodesInReach nodes(from.string(), machine, NodeKind::cpu);
    std::vector<NodeId> result;
    for (const NodeId rank : ranks) result.push_back(nodes.of(rank, "node*/cpu0"));
    for (const NodeId node : result) {
      const Node& self = machine.nodes()[node];
      if (self.kind != NodeKind::cpu && self.kind != NodeKind::gpu)
        throw InputError(in_quotes(self.id) + " holds no batches", "name a CPU or a GPU");
    }
    return result;
  });
}

std::vector<NodeId> near_nodes(const Topology& machine, std::span<const NodeId> ranks) {
  const auto cpus = nearest_cpus(machine, LinksOut(machine));
  std::vector<NodeId> result;
  for (const NodeId rank : ranks) {
    if (!cpus[rank])
      throw InputError(machine.nodes()[rank].id + " has no CPU in its machine to load batches from",
                       R"(name a node, as in {"bytes": "77 MB", "from": "cpu0"})");
    result.push_back(*cpus[rank]);
  }
  return result;
}

}  // namespace

LoadingField read_loading(const JsonReader& json) {
  LoadingField field;
  if (!json.is_object()) {
    field.options.bytes = read_bytes(json);
    return field;
  }
  json.allow({"bytes", "from", "ahead"});
  field.options.bytes = read_bytes(json.required("bytes", "\"77 MB\""));
  if (const auto ahead = json.optional("ahead"))
    field.options.ahead = static_cast<int>(ahead->integer(0, kMostBatchesAhead));
  field.from = json.optional("from");
  if (field.from) (void)field.from->string();
  return field;
}

LoadingOptions loading_on(const LoadingField& field, const Topology& machine,
                          std::span<const NodeId> ranks, int steps) {
  LoadingOptions options = field.options;
  if (options.ahead > steps)
    throw InputError(fmt::format("loads {} ahead of the {} that are run",
                                 counted(static_cast<std::uint64_t>(options.ahead), "step"), steps),
                     "run more steps, or load fewer ahead");
  options.from = field.from ? named_nodes(*field.from, machine, ranks) : near_nodes(machine, ranks);
  return options;
}

}  // namespace syncsim
