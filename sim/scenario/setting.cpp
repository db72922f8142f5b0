#include "sim/scenario/setting.h"

#include <fmt/format.h>

#include <utility>

#include "sim/exec/run_memory.h"
#include "sim/topology/topology_json.h"

namespace syncsim {
namespace {

std::vector<NodeId> ranks_of(const Point& point, const Topology& machine) {
  if (point.ranks.empty()) return machine.ranks();
  std::vector<NodeId> nodes;
  for (const int rank : point.ranks) {
    if (static_cast<std::size_t>(rank) >= machine.ranks().size())
      throw InputError(fmt::format("rank {} does not exist on {}", rank, machine.name()),
                       fmt::format("use ranks 0 to {}", machine.ranks().size() - 1),
                       point.place("ranks"));
    nodes.push_back(machine.ranks()[static_cast<std::size_t>(rank)]);
  }
  return nodes;
}

Collective collective_of(const Point& point, std::size_t ranks) {
  Collective collective{point.collective, static_cast<int>(ranks), point.bytes,
                        datatypes().at(point.datatype).name, point.root};
  if (point.collective == CollectiveKind::barrier && point.bytes.count == 0)
    collective.bytes = {collective.element_size()};
  const bool bad_root = point.root < 0 || point.root >= collective.ranks;
  at_field(point, bad_root ? "root" : "bytes", [&] { validate(collective); });
  return collective;
}

Collective gradients_of(const Model& model, std::size_t ranks) {
  return {.ranks = static_cast<int>(ranks),
          .bytes = model.bytes(),
          .datatype = datatypes().at(model.datatype).name};
}

std::optional<Traffic> background_of(const Point& point, const Topology& machine,
                                     const RunSettings& settings) {
  if (point.background.empty()) return std::nullopt;
  const ReadingOptions reading{.watch = settings.watch, .memory = settings.memory};
  return at_field(point, "background",
                  [&] { return load_traffic(point.background, machine, reading); });
}

}  // namespace

Topology machine_of(const Point& point, const RunSettings& settings) {
  const Topology shipped = at_field(point, "topology", [&] {
    return point.inline_topology
               ? read_topology(*point.inline_topology, settings.memory, settings.shelf)
               : load_topology(point.topology, settings.shelf, settings.memory);
  });
  at_field(point, "topology", [&] {
    require_room(settings.memory, machine_bytes(size_of(shipped)), "a run on this machine",
                 fmt::format("{} nodes", rough_count(shipped.nodes().size())),
                 "take a smaller one");
  });
  return apply_edits(shipped, point.edits, point.ranks);
}

Setting setting_of(const Point& point, const RunSettings& settings) {
  auto [machine, changes] = with_events(machine_of(point, settings), point.events, settings.memory);
  std::vector<NodeId> ranks = ranks_of(point, machine);
  std::optional<Model> model;
  if (point.training) model = model_of(point, settings);
  const Collective collective =
      model ? gradients_of(*model, ranks.size()) : collective_of(point, ranks.size());
  std::optional<Traffic> background = background_of(point, machine, settings);
  return {std::move(machine), std::move(changes),    std::move(ranks),
          collective,         std::move(background), std::move(model)};
}

}  // namespace syncsim
