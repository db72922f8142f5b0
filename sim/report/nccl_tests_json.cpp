#include "sim/report/nccl_tests_json.h"

#include <algorithm>
#include <utility>

#include "sim/base/text.h"
#include "sim/report/nccl_tests_words.h"

namespace syncsim {
namespace {

constexpr int kMostOfThem = 1 << 20;  // threads, gpus, ranks

// Of a number; nothing for "nan" and null.
std::optional<double> figure_at(const JsonReader& json, std::string_view key) {
  const auto field = json.optional(key);
  if (!field || !field->is_number()) return std::nullopt;
  const double figure = field->number();
  return figure >= 0 ? std::optional(figure) : std::nullopt;
}

std::optional<NcclTestsHalf> half_at(const JsonReader& json, std::string_view key) {
  const auto half = json.optional(key);
  if (!half || !half->is_object()) return std::nullopt;
  const auto time = figure_at(*half, half->has("time") ? "time" : "cpu_time");
  if (!time) return std::nullopt;
  return NcclTestsHalf{*time, figure_at(*half, "alg_bw").value_or(0),
                       figure_at(*half, "bus_bw").value_or(0), figure_at(*half, "nwrong")};
}

// Written as text, with blanks before it.
std::optional<int> root_of(const JsonReader& json) {
  const auto field = json.optional("root");
  if (!field) return std::nullopt;
  if (field->is_integer()) return static_cast<int>(field->integer(-1, kMostOfThem));
  return number_in<int>(trimmed(field->string()));
}

std::string text_at(const JsonReader& json, std::string_view key) {
  const auto field = json.optional(key);
  return field && field->is_string() ? field->string() : "";
}

// Each process lists its first device, or all of them.
int ranks_of(const JsonReader& config, std::int64_t of_process) {
  const auto devices = config.optional("devices");
  if (!devices || !devices->is_array()) return 0;
  std::int64_t last = -1;
  bool second = false;
  for (const JsonReader& device : devices->elements()) {
    const std::int64_t rank = device.required("rank", "0").integer(0, kMostOfThem);
    last = std::max(last, rank);
    second = second || rank == 1;
  }
  return static_cast<int>(last < 0 ? 0 : second ? last + 1 : last + of_process);
}

void take_config(const JsonReader& json, NcclTestsTable& table) {
  const auto config = json.optional("config");
  if (!config) return;
  const auto count = [&](std::string_view key) {
    const auto field = config->optional(key);
    return field ? field->integer(0, kMostOfThem) : 0;
  };
  table.graphs = count("graph") > 0;
  const std::int64_t gpus = count("ngpus");
  if (gpus > 0) table.gpus_of_thread = static_cast<int>(gpus);
  table.ranks = ranks_of(*config, std::max<std::int64_t>(1, count("nthreads") * gpus));
}

NcclTestsRow row_of(const JsonReader& json, std::size_t number, const std::string& collective) {
  const auto count = json.optional("count");
  return {number,
          collective,
          {json.required("size", "1048576").integer(0, INT64_MAX)},
          count ? count->integer(0, INT64_MAX) : 0,
          text_at(json, "type"),
          text_at(json, "redop"),
          root_of(json),
          half_at(json, "out_of_place"),
          half_at(json, "in_place")};
}

}  // namespace

bool holds_nccl_tests(const JsonReader& json) {
  const auto results = json.is_object() ? json.optional("results") : std::nullopt;
  return results && results->is_array();
}

NcclTestsTable read_nccl_tests(const JsonReader& json) {
  NcclTestsTable table;
  std::string collective;
  if (const auto args = json.optional("args"))
    for (const JsonReader& word : args->elements())
      if (collective.empty()) collective = tested_collective(word.string());
  if (!collective.empty()) table.collective = collective + "_perf";
  if (const auto version = json.optional("nccl_version"))
    table.library_version = library_version_of(version->integer(0, kMostOfThem));
  take_config(json, table);
  std::size_t number = 0;
  for (const JsonReader& result : json.required("results", "[...]").elements()) {
    NcclTestsRow row = row_of(result, ++number, collective);
    (row.out_of_place || row.in_place ? table.rows : table.broken).push_back(std::move(row));
  }
  return table;
}

}  // namespace syncsim
