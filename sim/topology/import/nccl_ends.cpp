// What hangs at the ends of the PCI tree: the cables of a <gpu>, the ports of a <nic>.

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "sim/base/quote.h"
#include "sim/topology/import/nccl_attributes.h"
#include "sim/topology/import/nccl_devices.h"
#include "sim/topology/import/nccl_names.h"
#include "sim/topology/pcie.h"

namespace syncsim {
namespace {

constexpr std::int64_t kMostInBundle = 1000;   // in one bundle
constexpr std::int64_t kDefaultPort = 10'000;  // Mbit/s, as NCCL takes where a nic says none
// Beyond it a driver counts in kbit/s (Slingshot's does).
constexpr std::int64_t kFastestPort = 10'000'000;

bool is_amd(const NcclDevice& gpu) { return !gpu.gcn.empty() || (gpu.model >> 48) == 0x1002; }

// By the class of what is there, as NCCL reads it; where that is missing, a target that no device
// has is taken for an NVSwitch when the machine is built.
NcclFar far_end(const NcclReading& reading, pugi::xml_node at) {
  const std::string_view text = attribute(at, "tclass");
  const std::uint64_t pci_class = hexadecimal_of(at, "tclass").value_or(0);
  const std::uint64_t group = pci_class < 0x100 ? pci_class : pci_class >> 16;
  if (pci_class == 0x068000) return NcclFar::nvswitch;
  if (pci_class == 0x068001) return NcclFar::cpu;
  if (group == 0x03 || group == 0x12) return NcclFar::gpu;
  if (text.empty()) return NcclFar::gpu;
  reading.warnings.add(offset_of(at),
                       fmt::format("tclass {} is no GPU's; took an NVSwitch's", in_quotes(text)));
  return NcclFar::nvswitch;
}

void read_cable(const NcclReading& reading, pugi::xml_node at, NcclDevice& gpu) {
  NcclCable cable;
  cable.offset = offset_of(at);
  cable.xgmi = std::string_view(at.name()) == "xgmi" || is_amd(gpu);
  cable.far = far_end(reading, at);
  cable.classed = !attribute(at, "tclass").empty();
  cable.target = canonical_bus_id(attribute(at, "target"));
  const std::int64_t count = number_or(reading, at, "count", {-1, kMostInBundle}, 1);
  if (count < 1) {
    leave_out(reading, at, fmt::format("count is {}", count));
    return;
  }
  cable.count = static_cast<int>(count);
  gpu.cables.push_back(std::move(cable));
}

void read_c2c(const NcclReading& reading, pugi::xml_node at, NcclDevice& gpu) {
  const std::int64_t count = number_or(reading, at, "count", {-1, kMostInBundle}, 1);
  const std::int64_t rate = number_of(reading, at, "bw", {-1, 1'000'000'000}).value_or(0);
  if (count < 1 || rate < 1) {
    leave_out(reading, at, "a <c2c> without count and bw says no bandwidth");
    return;
  }
  const double bandwidth = static_cast<double>(rate) * 1e6 * static_cast<double>(count);
  gpu.c2c = Bandwidth{gpu.c2c.value_or(Bandwidth{}).bytes_per_second + bandwidth};
  gpu.c2c_count += static_cast<int>(count);
}

// A port's speed in Mbit/s; none when the text does not say.
std::optional<std::int64_t> stated_speed(const NcclReading& reading, pugi::xml_node at) {
  constexpr std::int64_t kMost = 1'000'000'000'000;
  const auto speed = number_of(reading, at, "speed", {-kMost, kMost});
  if (!speed || *speed <= 0) return std::nullopt;
  if (*speed <= kFastestPort) return speed;
  const std::int64_t taken = *speed / 1000;
  if (taken > kFastestPort)
    throw reading.xml.error(at, fmt::format("speed is \"{}\"", *speed),
                            fmt::format("write it in Mbit/s, at most {}", kFastestPort));
  reading.warnings.add(offset_of(at),
                       fmt::format("speed is {} Mbit/s, more than any nic has; took {} Mbit/s, "
                                   "as if it were in kbit/s",
                                   *speed, taken));
  return taken;
}

Bandwidth read_speed(const NcclReading& reading, pugi::xml_node at) {
  if (const auto speed = stated_speed(reading, at)) return {static_cast<double>(*speed) * 1e6 / 8};
  const std::string_view text = attribute(at, "speed");
  const std::string found = text.empty() ? "missing" : one_line(text.substr(0, 20));
  if (!reading.options.profile.empty()) {
    const RateProfile& profile = reading.options.rates.profile(reading.options.profile);
    const std::string& network = profile.links.at("network");
    reading.warnings.add(offset_of(at), fmt::format("speed is {}; took {}, as of profile {}", found,
                                                    network, profile.name));
    return reading.options.rates.link(network).bandwidth;
  }
  reading.warnings.add(
      offset_of(at), fmt::format("speed is {}; took {} Mbit/s, as NCCL does", found, kDefaultPort));
  return {static_cast<double>(kDefaultPort) * 1e6 / 8};
}

// In microseconds.
Time read_latency(const NcclReading& reading, pugi::xml_node at) {
  const std::string_view text = attribute(at, "latency");
  if (text.empty()) return {};
  double latency = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), latency);
  const bool whole = error == std::errc() && end == text.data() + text.size();
  if (whole && std::isfinite(latency) && latency >= 0 && latency <= 1e6)
    return {std::llround(latency * 1e6)};
  reading.warnings.add(offset_of(at), fmt::format("latency is {}, no microseconds from 0 to "
                                                  "1000000; took 0",
                                                  in_quotes(text)));
  return {};
}

void read_port(const NcclReading& reading, pugi::xml_node at, NcclDevice& nic) {
  if (attribute(at, "keep") == "0") return leave_out(reading, at, "keep is 0");
  if (attribute(at, "net") == "0")
    return leave_out(reading, at, "net is 0, this port is part of another <net>");
  NcclPort port;
  port.rate = read_speed(reading, at);
  port.latency = read_latency(reading, at);
  port.dev = number_of(reading, at, "dev", {-1, 1'000'000'000});
  port.direct = flag_of(reading, at, "gdr");
  nic.ports.push_back(port);
}

}  // namespace

void read_nccl_gpu(const NcclReading& reading, pugi::xml_node at, NcclDevice& gpu) {
  constexpr NumberRange kNumbers{-1, 1'000'000'000};
  gpu.rank = number_of(reading, at, "rank", kNumbers);
  gpu.dev = number_of(reading, at, "dev", kNumbers);
  gpu.sm = number_of(reading, at, "sm", {-1, 100'000});
  gpu.gcn = std::string(attribute(at, "gcn"));
  gpu.direct = flag_of(reading, at, "gdr");
  for (const pugi::xml_node child : at.children()) {
    const std::string_view name = child.name();
    if (name == "nvlink" || name == "xgmi")
      read_cable(reading, child, gpu);
    else if (name == "c2c")
      read_c2c(reading, child, gpu);
    else
      leave_out_stray(reading, child);
  }
}

void read_nccl_ports(const NcclReading& reading, pugi::xml_node at, NcclDevice& nic) {
  for (const pugi::xml_node child : at.children()) {
    const std::string_view name = child.name();
    if (name == "net")
      read_port(reading, child, nic);
    else if (name != "gin" && name != "rma")  // the same ports, seen by other parts of NCCL
      leave_out_stray(reading, child);
  }
}

void place_bare_nic(const NcclReading& reading, NcclDevice& nic) {
  double rate = 0;
  for (const NcclPort& port : nic.ports) rate += port.rate.bytes_per_second;
  nic.width = 16;
  nic.generation = unknown_pcie_generation(reading.options);
  while (nic.generation < kLastPcieGeneration &&
         reading.options.rates.pcie(nic.generation, nic.width).bandwidth.bytes_per_second < rate)
    ++nic.generation;
  reading.warnings.add(nic.offset, fmt::format("a nic stands below its cpu without a PCI device; "
                                               "took {} x16, which carries its ports",
                                               link_speed(nic.generation)));
}

}  // namespace syncsim
