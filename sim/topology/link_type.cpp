#include "sim/topology/link_type.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <utility>
#include <vector>

#include "sim/base/named_table.h"
#include "sim/topology/delay.h"
#include "sim/topology/pcie.h"

namespace syncsim {
namespace {

LinkKind read_kind(const JsonReader& json) {
  return json.located([&] { return parse_link_kind(json.string()); });
}

Bandwidth read_usable(const JsonReader& json, Bandwidth line) {
  const Bandwidth usable = json.bandwidth();
  if (usable <= line) return usable;
  throw json.error(
      "the usable bandwidth " + to_string(usable) + " is above the line rate " + to_string(line),
      "write at most the line rate");
}

Time read_delay(const JsonReader& json) {
  return json.located([&] { return checked_delay(json.time()); });
}

// Which of two words the text is: 0 or 1.
std::size_t read_choice(const JsonReader& json, std::string_view what,
                        const std::vector<std::string>& words) {
  const std::string text = json.string();
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == text) return i;
  throw unknown_name(what, text, words).at(json.place());
}

void read_pcie(const JsonReader& json, Link& link) {
  for (const std::string key : {"lanes", "generation"})
    if (const auto value = json.optional(key); value && link.kind != LinkKind::pcie)
      throw value->error(fmt::format("a link of kind {} has no PCIe {}", to_string(link.kind), key),
                         "leave it out");
  if (const auto lanes = json.optional("lanes")) {
    if (!is_pcie_width(lanes->integer()))
      throw lanes->error(fmt::format("{} is no width of a PCIe link", lanes->integer()),
                         fmt::format("write one of {}", fmt::join(kPcieWidths, ", ")));
    link.lanes = static_cast<std::uint8_t>(lanes->integer());
  }
  if (const auto generation = json.optional("generation"))
    link.generation = static_cast<std::uint8_t>(generation->integer(1, kLastPcieGeneration));
}

}  // namespace

Link read_link_type(const JsonReader& json) {
  json.allow({"kind", "bandwidth", "usable", "latency", "overhead", "duplex", "spread", "lanes",
              "generation"});
  Link link;
  link.kind = read_kind(json.required("kind", R"("pcie")"));
  link.bandwidth = json.required("bandwidth", R"("16 GB/s")").bandwidth();
  link.usable = link.bandwidth;
  link.spread = link.kind == LinkKind::nvlink ? Spread::stripe : Spread::per_channel;
  if (const auto usable = json.optional("usable"))
    link.usable = read_usable(*usable, link.bandwidth);
  if (const auto latency = json.optional("latency")) link.latency = read_delay(*latency);
  if (const auto overhead = json.optional("overhead")) link.overhead = read_delay(*overhead);
  if (const auto duplex = json.optional("duplex"))
    link.half_duplex = read_choice(*duplex, "duplex", {"full", "half"}) == 1;
  if (const auto spread = json.optional("spread"))
    link.spread = static_cast<Spread>(read_choice(*spread, "spread", {"stripe", "per_channel"}));
  read_pcie(json, link);
  return link;
}

Link bundle_of(Link cable, int count) {
  cable.count = count;
  cable.bandwidth.bytes_per_second *= count;
  cable.usable.bytes_per_second *= count;
  return cable;
}

Link lanes_of(Link lane, int count) {
  lane.bandwidth.bytes_per_second *= count;
  lane.usable.bytes_per_second *= count;
  const int lanes = lane.lanes * count;
  lane.lanes = is_pcie_width(lanes) ? static_cast<std::uint8_t>(lanes) : std::uint8_t{0};
  return lane;
}

LinkId add_cable(Topology::Parts& parts, NodeId from, NodeId to, Link link) {
  link.from = from;
  link.to = to;
  parts.links.push_back(link);
  std::swap(link.from, link.to);
  parts.links.push_back(std::move(link));
  return static_cast<LinkId>(parts.links.size() - 2);
}

}  // namespace syncsim
