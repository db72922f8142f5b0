#include "sim/topology/odd_links.h"

#include <fmt/format.h>

#include <optional>

#include "sim/topology/pcie.h"

namespace syncsim {
namespace {

constexpr double kMostApart = 2;

Bandwidth stated_rate(const Link& link) {
  return {pcie_lane_gigabits(link.generation) * 1e9 / 8 * link.lanes};
}

bool is_odd(const Link& link) {
  if (link.lanes == 0 || link.generation == 0) return false;
  const double ratio =
      link.bandwidth.bytes_per_second / link.count / stated_rate(link).bytes_per_second;
  return ratio > kMostApart || ratio < 1 / kMostApart;
}

}  // namespace

std::vector<std::string> odd_links(const Topology& machine) {
  std::optional<LinkId> first;
  std::size_t cables = 0;
  for (LinkId link = 0; link < machine.links().size(); link += 2) {
    if (!is_odd(machine.links()[link]) && !is_odd(machine.links()[link ^ 1])) continue;
    if (++cables == 1) first = is_odd(machine.links()[link]) ? link : link ^ 1;
  }
  if (!first) return {};
  const Link& link = machine.links()[*first];
  const std::string more = cables > 1 ? fmt::format(" and {} more", cables - 1) : "";
  return {
      fmt::format("{}{}: the bandwidth is {}, and PCIe generation {} x{} has {}; took the "
                  "bandwidth",
                  machine.cable_name(*first), more, to_string(link.bandwidth), link.generation,
                  link.lanes, to_string(stated_rate(link)))};
}

}  // namespace syncsim
