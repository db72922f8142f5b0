// How the library may run otherwise than was said.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "sim/scenario/library/library_words.h"
#include "sim/scenario/predict/suspects.h"
#include "sim/topology/boxes.h"

namespace syncsim {
namespace {

bool sums_in_switches(const Topology& machine) {
  return std::any_of(machine.nodes().begin(), machine.nodes().end(), [](const Node& node) {
    return node.kind == NodeKind::switch_ && node.abilities.reduce;
  });
}

Edit without_abilities() {
  return {.change =
              [](const Topology& machine) {
                Topology::Parts parts = machine.parts();
                for (Node& node : parts.nodes) node.abilities = {};
                return parts;
              },
          .text = "no sums in switches",
          .place = {}};
}

}  // namespace

bool spans_boxes(const Scene& scene) {
  const auto name = [&](NodeId rank) { return box_name(scene.machine.nodes()[rank].id); };
  return std::any_of(scene.ranks.begin(), scene.ranks.end(),
                     [&](NodeId rank) { return name(rank) != name(scene.ranks.front()); });
}

bool skews(const Scene& scene) {
  if (scene.terms.launch != Launch::one_process || !spans_boxes(scene)) return false;
  const auto name = [&](std::size_t i) {
    return box_name(scene.machine.nodes()[scene.ranks[i]].id);
  };
  for (std::size_t i = 1; i < scene.ranks.size(); ++i)
    if (name(i) == name(i - 1)) return true;
  return false;
}

bool does_not_skew(const Scene& scene) { return !skews(scene); }

std::vector<Variant> other_launch(const Scene& scene) {
  std::vector<Variant> variants;
  for (const Word<Launch>& word : launches().rows()) {
    if (word.value == Launch::unknown || word.value == scene.terms.launch) continue;
    Variant variant{.what = std::string(word.description), .terms = scene.terms};
    variant.terms.launch = word.value;
    variant.again = fmt::format("--launch {}", word.name);
    variants.push_back(std::move(variant));
  }
  return variants;
}

std::vector<Variant> sockets(const Scene& scene) {
  if (!spans_boxes(scene) || scene.terms.network == Network::tcp) return {};
  Variant variant{.what = "TCP sockets in place of RDMA", .terms = scene.terms};
  variant.terms.network = Network::tcp;
  variant.again = "--network tcp";
  return {std::move(variant)};
}

std::vector<Variant> nvls_off(const Scene& scene) {
  if (!sums_in_switches(scene.machine)) return {};
  Variant variant{.what = "NVLS off", .terms = scene.terms};
  variant.edits.push_back(without_abilities());
  return {std::move(variant)};
}

std::vector<Variant> protocol_pinned(const Scene& scene) {
  std::vector<Variant> variants;
  for (const Word<NcclProtocol>& word : protocols().rows()) {
    if (scene.terms.pins.protocol == word.value) continue;
    Variant variant{.what = fmt::format("protocol {} for all sizes", word.name),
                    .terms = scene.terms};
    variant.terms.pins.protocol = word.value;
    variant.again = fmt::format("--protocol {}", word.name);
    variants.push_back(std::move(variant));
  }
  return variants;
}

std::vector<Variant> few_channels(const Scene& scene) {
  std::vector<Variant> variants;
  for (const int channels : {1, 2, 4, 8, 16}) {
    if (scene.terms.pins.channels > 0 && channels >= scene.terms.pins.channels) continue;
    Variant variant{.what = fmt::format("at most {} channel{}", channels, channels == 1 ? "" : "s"),
                    .terms = scene.terms};
    variant.terms.pins.channels = channels;
    variant.again = fmt::format("--channels {}", channels);
    variants.push_back(std::move(variant));
  }
  return variants;
}

}  // namespace syncsim
