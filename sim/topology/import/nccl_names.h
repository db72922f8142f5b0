#pragma once
// The names under which NCCL and RCCL write hardware down, and the rows of links.json that carry
// its figures. Both ways, as the importer reads and the exporter writes. Source: NVIDIA/nccl and
// ROCm/rccl, src/graph/topo.h, topo.cc and xml.cc (2.30).
//
// Intel by CPUID: family 6 from model 0x55 is Skylake, from 0x8F Sapphire Rapids, from 0xCF Emerald
// Rapids and later (so are 0xAD to 0xAF, Granite Rapids and Sierra Forest); all others Broadwell.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/topology/import/link_rates.h"

namespace syncsim {

inline constexpr int kNcclPcieGeneration = 3;  // what NCCL takes where a speed is not known
inline constexpr std::string_view kIntelVendor = "GenuineIntel";

// The compute capability from which on NVSwitches reduce and multicast.
inline constexpr std::int64_t kSharpGeneration = 90;

// "16.0 GT/s PCIe", "16 GT/s" -> 4; 0 for what is no speed of PCIe 1 to 6.
int pcie_generation(std::string_view link_speed);
std::string link_speed(int generation);  // 4 -> "16.0 GT/s PCIe"

// The row of a NVLink by compute capability (80); none below 60.
std::optional<std::string_view> nvlink_row(std::int64_t sm);
// The profile of a GPU by compute capability; none below 60.
std::optional<std::string_view> profile_of(std::int64_t sm);
// The row of an xGMI link by RCCL's "gcn": "906", "910", "gfx942", or a number of compute units.
std::optional<std::string_view> xgmi_row(std::string_view gcn);

// One kind of cpu as <cpu> tells it.
struct CpuModel {
  std::string_view arch;    // "x86_64"
  std::string_view vendor;  // "GenuineIntel"; empty where NCCL writes none
  std::int64_t family;
  std::int64_t model;
};
// The row of the link between two sockets; none for an unknown arch or vendor.
std::optional<std::string_view> socket_row(const CpuModel& cpu);

// The rows of a kind, among them those of sockets by whether they join Intel's.
std::vector<std::string_view> nvlink_rows();
std::vector<std::string_view> xgmi_rows();
std::vector<std::string_view> socket_rows(bool intel);

// What to write for a row, so that it is read back as that row.
std::optional<std::int64_t> sm_of_row(std::string_view row);
std::optional<std::string_view> gcn_of_row(std::string_view row);
std::optional<CpuModel> cpu_of_row(std::string_view row);

// Bus ids compare in lower case, with their domain in four digits: "00000000:0F:00.0", "0f:00.0"
// and "0000:0f:00.0" are one. What is no bus id stays as it is, in lower case.
std::string canonical_bus_id(std::string_view text);

}  // namespace syncsim
