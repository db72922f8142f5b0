#include "sim/topology/import/nccl_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "sim/base/text.h"
#include "sim/topology/pcie.h"

namespace syncsim {
namespace {

// From a compute capability on, in falling order.
struct Generation {
  std::int64_t sm;
  std::string_view nvlink;
  std::string_view profile;
};
constexpr std::array<Generation, 8> kGenerations = {{{100, "nvlink5", "blackwell"},
                                                     {90, "nvlink4", "hopper"},
                                                     {87, "nvlink3", "ampere_workstation"},
                                                     {86, "nvlink3_sm86", "ampere_workstation"},
                                                     {80, "nvlink3", "ampere"},
                                                     {75, "nvlink2", "turing"},
                                                     {70, "nvlink2", "volta"},
                                                     {60, "nvlink1", "pascal"}}};

struct Gcn {
  std::string_view name;
  std::string_view row;
};
// Numbers of compute units (RCCL's "sm") where a file has no other name. 910 is RCCL's for gfx90a.
constexpr std::array<Gcn, 11> kGcns = {{{"906", "xgmi_mi50"},
                                        {"908", "xgmi_mi50"},
                                        {"910", "xgmi_mi200"},
                                        {"90a", "xgmi_mi200"},
                                        {"64", "xgmi_mi50"},
                                        {"60", "xgmi_mi50"},
                                        {"120", "xgmi_mi50"},
                                        {"104", "xgmi_mi200"},
                                        {"110", "xgmi_mi200"},
                                        {"228", "xgmi_mi300"},
                                        {"304", "xgmi_mi300"}}};

struct CpuRow {
  std::string_view row;
  CpuModel written;
};
constexpr std::array<CpuRow, 9> kCpus = {{{"socket_intel_bdw", {"x86_64", kIntelVendor, 6, 79}},
                                          {"socket_intel_skl", {"x86_64", kIntelVendor, 6, 85}},
                                          {"socket_intel_spr", {"x86_64", kIntelVendor, 6, 143}},
                                          {"socket_intel_emr", {"x86_64", kIntelVendor, 6, 207}},
                                          {"socket_amd", {"x86_64", "AuthenticAMD", 25, 1}},
                                          {"socket_power9", {"ppc64", "", 0, 0}},
                                          {"socket_arm", {"arm64", "", 0, 0}},
                                          {"socket_zhaoxin", {"x86_64", "CentaurHauls", 7, 0}},
                                          {"socket_yongfeng", {"x86_64", "CentaurHauls", 7, 91}}}};

const Generation* generation_of(std::int64_t sm) {
  for (const Generation& row : kGenerations)
    if (sm >= row.sm) return &row;
  return nullptr;
}

std::string_view intel_row(std::int64_t family, std::int64_t model) {
  if (family != 6) return "socket_intel_bdw";
  if (model >= 0xCF || (model >= 0xAD && model <= 0xAF)) return "socket_intel_emr";
  if (model >= 0x8F) return "socket_intel_spr";
  return model >= 0x55 ? "socket_intel_skl" : "socket_intel_bdw";
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

std::optional<std::uint64_t> hexadecimal(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

int pcie_generation(std::string_view link_speed) {
  double speed = 0;
  const auto [end, error] =
      std::from_chars(link_speed.data(), link_speed.data() + link_speed.size(), speed);
  if (error != std::errc()) return 0;
  const auto rest = static_cast<std::size_t>(end - link_speed.data());
  if (!trimmed(link_speed.substr(rest)).starts_with("GT/s")) return 0;
  const auto found = std::find(kPcieGigaTransfers.begin(), kPcieGigaTransfers.end(), speed);
  if (found == kPcieGigaTransfers.end()) return 0;
  return static_cast<int>(found - kPcieGigaTransfers.begin()) + 1;
}

std::string link_speed(int generation) {
  const double transfers = kPcieGigaTransfers.at(static_cast<std::size_t>(generation - 1));
  return fmt::format("{:.1f} GT/s PCIe", transfers);
}

std::optional<std::string_view> nvlink_row(std::int64_t sm) {
  const Generation* row = generation_of(sm);
  return row == nullptr ? std::nullopt : std::optional(row->nvlink);
}

std::optional<std::string_view> profile_of(std::int64_t sm) {
  const Generation* row = generation_of(sm);
  return row == nullptr ? std::nullopt : std::optional(row->profile);
}

std::optional<std::string_view> xgmi_row(std::string_view gcn) {
  if (gcn.starts_with("gfx")) gcn.remove_prefix(3);
  gcn = gcn.substr(0, gcn.find(':'));  // features follow
  if (gcn.size() == 3 && gcn.starts_with("94")) return "xgmi_mi300";
  for (const Gcn& row : kGcns)
    if (gcn == row.name) return row.row;
  return std::nullopt;
}

std::optional<std::string_view> socket_row(const CpuModel& cpu) {
  if (cpu.arch == "arm64" || cpu.arch == "aarch64") return "socket_arm";
  if (cpu.arch == "ppc64" || cpu.arch == "ppc64le") return "socket_power9";
  if (cpu.arch != "x86_64") return std::nullopt;
  const std::string_view vendor = trimmed(cpu.vendor);
  if (vendor == kIntelVendor) return intel_row(cpu.family, cpu.model);
  if (vendor == "AuthenticAMD") return "socket_amd";
  if (vendor == "CentaurHauls" || vendor == "Shanghai")
    return cpu.family == 7 && cpu.model == 0x5B ? "socket_yongfeng" : "socket_zhaoxin";
  return std::nullopt;
}

std::vector<std::string_view> nvlink_rows() {
  std::vector<std::string_view> rows;  // oldest first, each once
  for (auto row = kGenerations.rbegin(); row != kGenerations.rend(); ++row)
    if (std::find(rows.begin(), rows.end(), row->nvlink) == rows.end()) rows.push_back(row->nvlink);
  return rows;
}

std::vector<std::string_view> xgmi_rows() { return {"xgmi_mi50", "xgmi_mi200", "xgmi_mi300"}; }

std::vector<std::string_view> socket_rows(bool intel) {
  std::vector<std::string_view> rows;
  for (const CpuRow& cpu : kCpus)
    if (cpu.row.starts_with("socket_intel") == intel) rows.push_back(cpu.row);
  return rows;
}

std::optional<std::int64_t> sm_of_row(std::string_view row) {
  std::optional<std::int64_t> sm;  // the lowest of several
  for (const Generation& generation : kGenerations)
    if (generation.nvlink == row) sm = generation.sm;
  return sm;
}

std::optional<std::string_view> gcn_of_row(std::string_view row) {
  if (row == "xgmi_mi300") return "gfx942";
  for (const Gcn& gcn : kGcns)
    if (gcn.row == row) return gcn.name;
  return std::nullopt;
}

std::optional<CpuModel> cpu_of_row(std::string_view row) {
  for (const CpuRow& cpu : kCpus)
    if (cpu.row == row) return cpu.written;
  return std::nullopt;
}

std::string canonical_bus_id(std::string_view text) {
  const std::string whole = lower(trimmed(text));
  const auto point = whole.rfind('.');
  const auto last = whole.rfind(':', point);
  if (point == whole.npos || last == whole.npos || last == 0) return whole;
  const auto first = whole.rfind(':', last - 1);
  const std::string_view view = whole;
  const auto domain = first == whole.npos ? 0 : hexadecimal(view.substr(0, first));
  const auto begin = first == whole.npos ? 0 : first + 1;
  const auto bus = hexadecimal(view.substr(begin, last - begin));
  const auto device = hexadecimal(view.substr(last + 1, point - last - 1));
  const auto function = hexadecimal(view.substr(point + 1));
  if (!domain || !bus || !device || !function) return whole;
  return fmt::format("{:04x}:{:02x}:{:02x}.{:x}", *domain, *bus, *device, *function);
}

}  // namespace syncsim
