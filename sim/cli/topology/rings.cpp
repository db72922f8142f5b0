// syncsim topology rings: the rings that the ring strategy would use, for people or for NCCL.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "sim/cli/options.h"
#include "sim/cli/output.h"
#include "sim/cli/topology/commands.h"
#include "sim/scenario/point.h"
#include "sim/topology/boxes.h"
#include "sim/topology/embedding.h"
#include "sim/topology/export/nccl_graph.h"
#include "sim/topology/ring_text.h"

namespace syncsim::cli {
namespace {

struct RingsOptions {
  MachineOptions machine;
  std::optional<std::string> ranks;
  std::string format = "text";
  std::optional<std::string> directions;
  std::optional<std::string> out;
};

bool wants_nccl(const std::string& format) {
  if (format != "nccl" && format != "text")
    throw unknown_name("format", format, {"nccl", "text"}).at("--format");
  return format == "nccl";
}

void check_directions(const std::optional<std::string>& directions) {
  if (directions && *directions != "one" && *directions != "both")
    throw unknown_name("directions", *directions, {"both", "one"}).at("--directions");
}

// NCCL uses no more than a file's channels, and a channel goes one way. Two ranks have but one
// ring; through several boxes NCCL goes in their order only.
bool wants_both(const RingsOptions& options, bool for_nccl, const Topology& machine,
                const std::vector<NodeId>& ranks) {
  if (options.directions) return *options.directions == "both";
  const std::vector<Place> places = places_of(machine);
  const auto is_elsewhere = [&](NodeId rank) { return places[rank].box != places[ranks[0]].box; };
  return for_nccl && ranks.size() > 2 && std::none_of(ranks.begin(), ranks.end(), is_elsewhere);
}

std::vector<NodeId> ranks_of(const RingsOptions& options, const Topology& machine) {
  if (!options.ranks) return machine.ranks();
  std::vector<NodeId> nodes;
  for (const int rank : from_option("--ranks", [&] { return parse_ranks(*options.ranks); })) {
    if (static_cast<std::size_t>(rank) >= machine.ranks().size())
      throw InputError(fmt::format("rank {} does not exist on {}", rank, machine.name()),
                       fmt::format("use ranks 0 to {}", machine.ranks().size() - 1), "--ranks");
    nodes.push_back(machine.ranks()[static_cast<std::size_t>(rank)]);
  }
  return nodes;
}

int rings(const RingsOptions& options) {
  const bool for_nccl = wants_nccl(options.format);
  check_directions(options.directions);
  Output out("-o", options.out);
  const Topology machine = load_machine(options.machine);
  const std::vector<NodeId> ranks = ranks_of(options, machine);
  std::vector<Ring> found = find_rings(machine, ranks);
  if (wants_both(options, for_nccl, machine, ranks)) found = both_directions(found);
  out.stream() << (for_nccl ? from_option(options.ranks ? "--ranks" : options.machine.machine,
                                          [&] { return nccl_graph_xml(machine, ranks, found); })
                            : rings_text(found) + "\n");
  out.finish();
  return kGood;
}

}  // namespace

std::function<int()> declare_topology_rings(CLI::App& app) {
  const auto options = std::make_shared<RingsOptions>();
  declare_machine(app, options->machine);
  app.add_option("--ranks", options->ranks, "which GPUs, in which order, e.g. 0-3 or 0,2,1");
  app.add_option("--format", options->format,
                 "text, as --param rings= takes it, or nccl, a file for NCCL_GRAPH_FILE")
      ->capture_default_str();
  app.add_option("--directions", options->directions,
                 "one, or both: each ring is followed by its reverse, in channels of its own; by "
                 "default one for people, both for NCCL in one box");
  app.add_option("-o,--out", options->out, "file to write; otherwise standard output");
  return [options] { return rings(*options); };
}

}  // namespace syncsim::cli
