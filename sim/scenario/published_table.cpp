#include "sim/scenario/published_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

namespace syncsim {
namespace {

namespace fs = std::filesystem;

PublishedRow read_row(const JsonReader& json) {
  json.allow({"bytes", "time_us", "algbw_GBps", "busbw_GBps"});
  const JsonReader bytes = json.required("bytes", "1024");
  const JsonReader time = json.required("time_us", "12.5");
  const PublishedRow row{bytes.bytes(), time.number()};
  if (row.bytes.count == 0) throw bytes.error("a row of no bytes", "leave it out");
  if (row.microseconds <= 0) throw time.error("takes no time", "write microseconds above zero");
  return row;
}

std::vector<PublishedRow> read_rows(const JsonReader& json) {
  std::vector<PublishedRow> rows;
  for (const JsonReader& element : json.elements()) {
    rows.push_back(read_row(element));
    if (rows.size() > 1 && rows.back().bytes <= rows[rows.size() - 2].bytes)
      throw element.error("is not larger than the row before", "write sizes in ascending order");
  }
  if (rows.empty()) throw json.error("no rows", R"(write [{"bytes": 1024, "time_us": 12.5}])");
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

const Words<NcclProtocol>& protocols() {
  static const Words<NcclProtocol> words("protocol",
                                         {{"ll", "flags beside data", NcclProtocol::ll},
                                          {"ll128", "a flag a line", NcclProtocol::ll128},
                                          {"simple", "whole chunks", NcclProtocol::simple}});
  return words;
}

}  // namespace

const Words<Launch>& launches() {
  static const Words<Launch> words(
      "launch", {{"unknown", "the source does not say", Launch::unknown},
                 {"one_process", "one process drives all gpus of a node", Launch::one_process},
                 {"process_per_gpu", "a process a gpu", Launch::process_per_gpu},
                 {"graph", "replayed CUDA graphs", Launch::graph}});
  return words;
}

const Words<Network>& networks() {
  static const Words<Network> words("network",
                                    {{"none", "one machine", Network::none},
                                     {"infiniband", "InfiniBand verbs", Network::infiniband},
                                     {"roce", "RDMA over Ethernet", Network::roce},
                                     {"slingshot", "Slingshot, by libfabric", Network::slingshot},
                                     {"efa", "AWS EFA, by libfabric", Network::efa},
                                     {"tcpxo", "Google's GPUDirect-TCPXO", Network::tcpxo},
                                     {"tcp", "TCP sockets", Network::tcp}});
  return words;
}

PublishedTable read_published_table(const JsonReader& json, std::string name) {
  json.allow({"name",     "machine",  "collective", "topology", "edits",  "ranks",   "gpus",
              "nodes",    "datatype", "library",    "version",  "launch", "network", "links",
              "software", "source",   "channels",   "protocol", "care",   "notes",   "rows"});
  PublishedTable table;
  table.name = std::move(name);
  table.place = json.place();
  table.machine = json.required("machine", R"("8x H100 SXM")").string();
  json.required("collective", R"("all_reduce")");
  table.point = read_point_of(json);
  table.library = text_or_none(json, "library");
  table.version = text_or_none(json, "version");
  if (const auto launch = json.optional("launch")) table.launch = named(*launch, launches()).value;
  if (const auto network = json.optional("network"))
    table.network = named(*network, networks()).value;
  if (const auto channels = json.optional("channels"))
    table.pins.channels = static_cast<int>(channels->integer(1, 1024));
  if (const auto protocol = json.optional("protocol"))
    table.pins.protocol = named(*protocol, protocols()).value;
  table.source = text_or_none(json, "source");
  table.care = text_or_none(json, "care");
  table.notes = text_or_none(json, "notes");
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
