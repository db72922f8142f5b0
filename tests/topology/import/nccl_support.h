#pragma once
// NCCL topology XML in small pieces, and machines as lines of text.

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "sim/topology/import/nccl_xml.h"
#include "tests/topology/json_support.h"

namespace syncsim::testing {

using Lines = std::vector<std::string>;

inline const LinkRates& shipped_rates() {
  static const LinkRates rates = LinkRates::load(SYNCSIM_SHELF "/rates");
  return rates;
}

inline Imported import_nccl(std::string_view text, const std::string& profile = "") {
  return read_nccl_xml(text, "t.xml", {shipped_rates(), profile, std::nullopt});
}

inline Topology nccl_machine_of(std::string_view text) { return Topology(import_nccl(text).parts); }

inline Lines warnings_of(std::string_view text, const std::string& profile = "") {
  return import_nccl(text, profile).warnings;
}

inline std::string nccl_refusal(std::string_view text) {
  return refusal_of([&] { Topology(import_nccl(text).parts); });
}

// "gpu0-plx0 pcie x1 15.75 GB/s 12 GB/s"
inline std::string cable_line(const Topology& topology, LinkId link) {
  const Link& cable = topology.links()[link];
  return fmt::format("{} {} x{} {} {}", topology.cable_name(link), to_string(cable.kind),
                     cable.count, to_string(cable.bandwidth), to_string(cable.usable));
}

inline Lines cables_of(const Topology& topology) {
  Lines lines;
  for (LinkId link = 0; link < topology.links().size(); link += 2)
    lines.push_back(cable_line(topology, link));
  return lines;
}

// The line of one cable; "none" where there is no such.
inline std::string cable_of(const Topology& topology, std::string_view name) {
  for (LinkId link = 0; link < topology.links().size(); link += 2)
    if (topology.cable_name(link) == name)
      return cable_line(topology, link).substr(name.size() + 1);
  return "none";
}

inline Lines ids_of(const Topology& topology) {
  Lines ids;
  for (const Node& node : topology.nodes()) ids.push_back(node.id);
  return ids;
}

// All that a machine says, but for its name.
inline Lines portrait(const Topology& topology) {
  Lines lines;
  for (const Node& node : topology.nodes())
    lines.push_back(fmt::format("{} {} {} {} {} {}", node.id, to_string(node.kind), node.forwards,
                                node.peer_cost, node.abilities.reduce, node.abilities.multicast));
  for (const Link& link : topology.links())
    lines.push_back(fmt::format("{} {} {} {} {} {} {} {} {} {} {}", link.name, to_string(link.kind),
                                link.bandwidth.bytes_per_second, link.usable.bytes_per_second,
                                link.latency.ps, link.overhead.ps, link.count,
                                static_cast<int>(link.spread), link.half_duplex, link.lanes,
                                link.generation));
  for (const NodeId rank : topology.ranks()) lines.push_back(fmt::format("rank {}", rank));
  lines.push_back(fmt::format("gdr {}", topology.routing().gdr));
  return lines;
}

inline constexpr std::string_view kIntel =
    R"(arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="85")";
inline constexpr std::string_view kAmd =
    R"(arch="x86_64" vendor="AuthenticAMD" familyid="23" modelid="49")";
inline constexpr std::string_view kGen3 = R"(link_speed="8.0 GT/s PCIe" link_width="16")";
inline constexpr std::string_view kGen4 = R"(link_speed="16.0 GT/s PCIe" link_width="16")";

// <system> with one Intel cpu around `inside`, on lines of its own: `inside` begins in line 2.
inline std::string one_cpu(std::string_view inside) {
  return fmt::format("<system version=\"1\"><cpu numaid=\"0\" {}>\n{}\n</cpu></system>\n", kIntel,
                     inside);
}

// A Gen3 gpu; `attributes` are those of <gpu>, `inside` its cables.
inline std::string gpu_at(std::string_view bus_id, std::string_view attributes,
                          std::string_view inside = "") {
  return fmt::format(R"(<pci busid="{}" class="0x030200" {}><gpu {}>{}</gpu></pci>)", bus_id, kGen3,
                     attributes, inside);
}

inline std::string bridge_at(std::string_view bus_id, std::string_view inside,
                             std::string_view attributes = kGen3) {
  return fmt::format(R"(<pci busid="{}" class="0x060400" {}>{}</pci>)", bus_id, attributes, inside);
}

inline std::string nic_at(std::string_view bus_id, std::string_view nets) {
  return fmt::format(R"(<pci busid="{}" class="0x020000" {}><nic>{}</nic></pci>)", bus_id, kGen3,
                     nets);
}

inline std::string nvlink_to(std::string_view bus_id, int count = 1,
                             std::string_view target_class = "0x030200") {
  return fmt::format(R"(<nvlink target="{}" count="{}" tclass="{}"/>)", bus_id, count,
                     target_class);
}

// Two GPUs below one switch, with one nic, NVLink between them, no oddity.
inline std::string sound_file() {
  return fmt::format(
      "<?xml version=\"1.0\"?>\n<!-- a machine -->\n<system version=\"1\">\n"
      "  <cpu numaid=\"0\" affinity=\"ff\" {}>\n    <pci busid=\"0000:01:00.0\" "
      "class=\"0x060400\" {}>\n      {}\n      {}\n      {}\n    </pci>\n  </cpu>\n</system>\n",
      kIntel, kGen3,
      gpu_at("0000:02:00.0", R"(dev="0" sm="70" rank="0" gdr="1")", nvlink_to("0000:03:00.0", 2)),
      gpu_at("0000:03:00.0", R"(dev="1" sm="70" rank="1" gdr="1")", nvlink_to("0000:02:00.0", 2)),
      nic_at("0000:04:00.0",
             R"(<net name="mlx5_0" dev="0" speed="100000" port="1" latency="1.5" gdr="1"/>)"));
}

}  // namespace syncsim::testing
