#include "sim/scenario/published_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/scenario/calibration/measured_table.h"

namespace syncsim {
namespace {

namespace fs = std::filesystem;

void require_order(const std::vector<MeasuredRow>& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].bytes.count == 0)
      throw InputError("a row of no bytes", "leave it out", rows[i].place + "/bytes");
    if (!rows[i].out_of_place)
      throw InputError("has no out-of-place time", R"(add such as "time_us": 12.5)", rows[i].place);
    if (i > 0 && rows[i].bytes <= rows[i - 1].bytes)
      throw InputError("is not larger than the row before", "write sizes in ascending order",
                       rows[i].place);
  }
}

std::vector<PublishedRow> read_rows(const JsonReader& list) {
  const std::vector<MeasuredRow> measured = read_measured_rows(list);
  if (measured.empty()) throw list.error("no rows", R"(write [{"bytes": 1024, "time_us": 12.5}])");
  require_order(measured);
  std::vector<PublishedRow> rows;
  for (const MeasuredRow& row : measured) rows.push_back({row.bytes, *row.out_of_place * 1e6});
  return rows;
}

std::string text_or_none(const JsonReader& json, const char* key) {
  const auto field = json.optional(key);
  return field && !(field->is_string() && field->raw().get<std::string>().empty()) ? field->string()
                                                                                   : "";
}

// The fields that a table shares with a point.
Point read_point_of(const JsonReader& json) {
  Fields fields;
  for (const char* key : {"topology", "edits", "ranks", "collective", "datatype"})
    if (const auto field = json.optional(key)) fields.emplace(key, *field);
  return read_point(fields);
}

}  // namespace

PublishedTable read_table_facts(const JsonReader& json) {
  PublishedTable table;
  table.place = json.place();
  if (json.has("machine")) table.machine = json.required("machine").string();
  table.point = read_point_of(json);
  table.terms.library = text_or_none(json, "library");
  table.terms.version = text_or_none(json, "version");
  if (const auto launch = json.optional("launch"))
    table.terms.launch = named(*launch, launches()).value;
  if (const auto network = json.optional("network"))
    table.terms.network = named(*network, networks()).value;
  if (const auto channels = json.optional("channels"))
    table.terms.pins.channels = static_cast<int>(channels->integer(1, 1024));
  if (const auto protocol = json.optional("protocol"))
    table.terms.pins.protocol = named(*protocol, protocols()).value;
  if (const auto algorithm = json.optional("algorithm"))
    table.terms.algorithm =
        algorithm->located([&] { return parse_algorithm(algorithm->string()); });
  table.source = text_or_none(json, "source");
  table.care = text_or_none(json, "care");
  table.notes = text_or_none(json, "notes");
  return table;
}

PublishedTable read_published_table(const JsonReader& json, std::string name) {
  allow_measured_keys(json);
  json.required("machine", R"("8x H100 SXM")");
  json.required("collective", R"("all_reduce")");
  PublishedTable table = read_table_facts(json);
  table.name = std::move(name);
  const JsonReader rows = json.required("rows", R"([{"bytes": 1024, "time_us": 12.5}])");
  table.rows = read_rows(rows);
  table.point.bytes = table.rows.front().bytes;
  table.point.places["bytes"] = rows.elements().front().place();
  return table;
}

std::vector<PublishedTable> load_published_tables(const std::string& path) {
  std::vector<fs::path> files;
  std::error_code failure;
  if (fs::is_directory(path, failure)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(path, failure))
      if (entry.path().extension() == ".json") files.push_back(entry.path());
    if (failure || files.empty())
      throw InputError("holds no tables", "name a directory of measured tables (*.json)", path);
    std::sort(files.begin(), files.end());
  } else {
    files.emplace_back(path);
  }
  std::vector<PublishedTable> tables;
  for (const fs::path& file : files)
    tables.push_back(
        read_published_table(JsonFile::load(file.string()).root(), file.stem().string()));
  return tables;
}

}  // namespace syncsim
