#pragma once
// hwloc's XML in small pieces, and what became of it.

#include <string>
#include <vector>

#include "sim/topology/import/hwloc.h"
#include "tests/topology/json_support.h"

namespace syncsim::testing::hwloc {

using Names = std::vector<std::string>;

inline constexpr const char* kHead = R"(<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE topology SYSTEM "hwloc2.dtd">
<topology version="2.0">
)";

// `objects` and what else stands in <topology>.
inline Imported import(const std::string& objects, const std::string& profile = "") {
  static const LinkRates rates = LinkRates::load(SYNCSIM_SHELF "/rates");
  return read_hwloc_xml(kHead + objects + "</topology>\n", "host.xml", {rates, profile, {}});
}

inline std::string refusal(const std::string& objects) {
  return refusal_of([&] { import(objects); });
}

inline std::string package(const std::string& inner, const std::string& vendor = "AuthenticAMD") {
  return R"(<object type="Package"><info name="CPUVendor" value=")" + vendor +
         R"("/><info name="CPUModel" value="Some CPU"/>
<object type="NUMANode"/><object type="Core"><object type="PU"/></object>)" +
         inner + "</object>\n";
}

inline std::string machine(const std::string& inner) {
  return R"(<object type="Machine">)" + inner + "</object>\n";
}

inline std::string host_bridge(const std::string& inner) {
  return R"(<object type="Bridge" bridge_type="0-1" bridge_pci="0000:[00-ff]">)" + inner +
         "</object>\n";
}

inline std::string bridge(const std::string& speed, const std::string& inner) {
  return R"(<object type="Bridge" bridge_type="1-1" pci_type="0604 [10b5:8796] [0:0] ca" )"
         R"(pci_link_speed=")" +
         speed + "\">" + inner + "</object>";
}

inline std::string device(const std::string& slot, const std::string& type,
                          const std::string& speed, const std::string& inner = "") {
  return R"(<object type="PCIDev" pci_busid=")" + slot + R"(" pci_type=")" + type +
         R"(" pci_link_speed=")" + speed + "\">" + inner + "</object>";
}

inline std::string gpu(const std::string& slot, const std::string& speed = "15.753846") {
  return device(slot, "0302 [10de:1db1] [10de:1212] a1", speed);
}
inline std::string nic(const std::string& slot, const std::string& speed = "15.753846") {
  return device(slot, "0207 [15b3:1013] [15b3:0003] 00", speed);
}

inline std::string nodes(const Imported& imported) {
  std::string text;
  for (const Node& node : imported.parts.nodes) text += node.id + " ";
  return text;
}

// "gpu0-plx0 15.75, ..."
inline Names cables(const Imported& imported) {
  const Topology topology(imported.parts);
  Names names;
  for (LinkId link = 0; link < topology.links().size(); link += 2)
    names.push_back(topology.cable_name(link) + " " + to_string(topology.links()[link].bandwidth));
  return names;
}

inline Names ranks(const Imported& imported) {
  Names names;
  for (const NodeId rank : imported.parts.ranks) names.push_back(imported.parts.nodes[rank].id);
  return names;
}

inline bool warns(const Imported& imported, const std::string& words) {
  for (const std::string& warning : imported.warnings)
    if (warning.find(words) != std::string::npos) return true;
  return false;
}

}  // namespace syncsim::testing::hwloc
