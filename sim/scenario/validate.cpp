#include "sim/scenario/validate.h"

#include <utility>

#include "sim/exec/nccl/nccl_node.h"

namespace syncsim {
namespace {

constexpr std::string_view kNvlink = "NVLink or xGMI, one node";
constexpr std::string_view kPcie = "PCIe, one node";
constexpr std::string_view kFabric = "InfiniBand, RoCE, Slingshot";
constexpr std::string_view kSockets = "sockets, cloud NICs";

bool by_nvlink(const Setting& setting) {
  return NcclNode(setting.machine, setting.ranks).joined_by_nvlink();
}

std::string_view family_of(const PublishedTable& table, const Setting& setting) {
  switch (table.terms.network.value_or(Network::none)) {
    case Network::none:
      return by_nvlink(setting) ? kNvlink : kPcie;
    case Network::infiniband:
    case Network::roce:
    case Network::slingshot:
      return kFabric;
    case Network::efa:
    case Network::tcpxo:
    case Network::tcp:
      return kSockets;
  }
  return kSockets;
}

ValidatedTable validated(const PublishedTable& table, std::span<const Predictor* const> chosen,
                         const RunSettings& settings) {
  if (table.point.topology.empty() && !table.point.inline_topology)
    throw InputError("says no topology", R"(add such as "topology": "dgx_a100")", table.place);
  const Setting setting = setting_of(table.point, settings);
  ValidatedTable result{table.name,
                        table.machine,
                        table.point.topology,
                        table.point.collective,
                        family_of(table, setting),
                        table.care,
                        {}};
  for (const PublishedRow& row : table.rows)
    result.rows.push_back({row.bytes, row.microseconds, {}});
  for (const Predictor* predictor : chosen) {
    const std::vector<double> times = at_field(
        table.point, "topology", [&] { return predictor->predict(table, setting, settings); });
    for (std::size_t i = 0; i < times.size(); ++i) result.rows[i].predicted.push_back(times[i]);
  }
  return result;
}

}  // namespace

ValidationReport validate_tables(std::span<const PublishedTable> tables,
                                 std::span<const Predictor* const> chosen,
                                 const RunSettings& settings) {
  ValidationReport report;
  for (const Predictor* predictor : chosen) report.predictors.emplace_back(predictor->name);
  for (const PublishedTable& table : tables)
    report.tables.push_back(validated(table, chosen, settings));
  return report;
}

}  // namespace syncsim
