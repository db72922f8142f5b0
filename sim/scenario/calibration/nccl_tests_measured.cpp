#include "sim/scenario/calibration/nccl_tests_measured.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/report/nccl_tests_json.h"
#include "sim/report/nccl_tests_table.h"
#include "sim/scenario/calibration/measured_rows.h"

namespace syncsim {
namespace {

std::optional<double> seconds_of(const std::optional<NcclTestsHalf>& half) {
  if (!half) return std::nullopt;
  return checked_seconds(half->microseconds, 1e-6);
}

MeasuredRow row_of(const NcclTestsRow& row) {
  MeasuredRow measured{.bytes = row.bytes};
  if (row.bytes.count == 0) return measured;
  measured.out_of_place = seconds_of(row.out_of_place);
  measured.in_place = seconds_of(row.in_place);
  if (!row.collective.empty()) measured.collective = parse_collective(row.collective);
  if (const std::string_view type = datatype_of(row.type); datatypes().find(type) != nullptr)
    measured.datatype = type;
  if (row.root && *row.root >= 0) measured.root = row.root;
  return measured;
}

const NcclTestsHalf& timed_half(const NcclTestsRow& row) {
  return row.out_of_place ? *row.out_of_place : *row.in_place;
}

// busbw / algbw of the row whose figures have the most digits; 0: they say nothing.
double bus_factor(const std::vector<NcclTestsRow>& rows) {
  const auto most = std::max_element(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return timed_half(a).busbw < timed_half(b).busbw;
  });
  if (most == rows.end() || timed_half(*most).algbw < 1) return 0;
  return timed_half(*most).busbw / timed_half(*most).algbw;
}

// Nothing where several collectives have such columns.
std::optional<CollectiveKind> collective_by_columns(const std::vector<NcclTestsRow>& rows) {
  const auto alike = [&](const NcclTestsRow& row) {
    return row.collective.empty() && row.operation == rows.front().operation &&
           row.root == rows.front().root;
  };
  if (rows.empty() || !std::all_of(rows.begin(), rows.end(), alike)) return std::nullopt;
  const bool sums = !rows.front().operation.empty() && rows.front().operation != "none";
  if (rows.front().root.value_or(-1) >= 0)
    return sums ? CollectiveKind::reduce : CollectiveKind::broadcast;
  const double factor = bus_factor(rows);
  if (!sums || factor == 0) return std::nullopt;
  constexpr double kDigits = 1e-3;
  return factor > 1 - kDigits ? CollectiveKind::allreduce : CollectiveKind::reduce_scatter;
}

Launch launch_of(const NcclTestsTable& read) {
  if (read.graphs) return Launch::graph;
  if (!read.gpus_of_thread) return Launch::unknown;
  return *read.gpus_of_thread > 1 ? Launch::one_process : Launch::process_per_gpu;
}

template <class PlaceOf>
MeasuredTable measured_table(const NcclTestsTable& read, const std::string& name,
                             const PlaceOf& place_of) {
  UsableRows rows(name);
  for (const NcclTestsRow& row : read.rows) {
    MeasuredRow measured = placed([&] { return place_of(row); }, [&] { return row_of(row); });
    measured.place = place_of(row);
    rows.add(std::move(measured));
  }
  rows.add_untimed(read.broken.size());
  MeasuredTable& table = rows.table();
  table.ranks = read.ranks;
  table.launch = launch_of(read);
  table.version = read.library_version;
  table.by_columns = collective_by_columns(read.rows);
  return std::move(rows).finished();
}

}  // namespace

MeasuredTable measured_by_nccl_tests(std::string_view text, const std::string& name) {
  return measured_table(read_nccl_tests(text, name), name, [&](const NcclTestsRow& row) {
    return fmt::format("{}:{}", name, row.line);
  });
}

MeasuredTable measured_by_nccl_tests(const JsonReader& json) {
  return measured_table(read_nccl_tests(json), json.file(), [&](const NcclTestsRow& row) {
    return fmt::format("{}:/results/{}", json.file(), row.line - 1);
  });
}

}  // namespace syncsim
