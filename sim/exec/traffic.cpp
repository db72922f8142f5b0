#include "sim/exec/traffic.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <system_error>
#include <utility>

#include "sim/base/csv_reader.h"
#include "sim/base/files_read.h"
#include "sim/base/named_table.h"
#include "sim/base/quote.h"
#include "sim/base/text.h"
#include "sim/exec/bare_seconds.h"
#include "sim/exec/run_memory.h"

namespace syncsim {
namespace {

constexpr const char* kHeader = "start,source,destination,bytes";
constexpr double kLeastWeight = 1e-6;
constexpr double kMostWeight = 1e6;

Bytes flow_bytes(std::string_view text) {
  const bool bare = !text.empty() && text.find_first_not_of("0123456789") == text.npos;
  if (!bare) return parse_bytes(text);
  return {parse_integer(text, 0, std::numeric_limits<std::int64_t>::max())};
}

double flow_weight(std::string_view text) {
  double weight = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), weight);
  if (error == std::errc() && end == text.data() + text.size() && weight >= kLeastWeight &&
      weight <= kMostWeight)
    return weight;
  throw InputError(in_quotes(text) + " is no weight",
                   "write a number from 0.000001 to 1000000, such as \"2\" or \"0.5\"");
}

NodeId flow_node(std::string_view text, const Topology& topology) {
  if (text.empty()) throw InputError("is empty", "name a node of the machine");
  return topology.node(text);
}

// One row a column: adding a column is adding a row.
struct Column {
  std::string_view name;
  bool required = false;
  void (*read)(std::string_view text, const Topology& topology, Flow& flow) = nullptr;
};

const Column kColumns[] = {
    {"start", true,
     [](std::string_view text, const Topology&, Flow& flow) {
       flow.start = is_bare_number(text) ? bare_seconds(text) : parse_time(text);
     }},
    {"source", true,
     [](std::string_view text, const Topology& topology, Flow& flow) {
       flow.source = flow_node(text, topology);
     }},
    {"destination", true,
     [](std::string_view text, const Topology& topology, Flow& flow) {
       flow.destination = flow_node(text, topology);
     }},
    {"bytes", true,
     [](std::string_view text, const Topology&, Flow& flow) { flow.bytes = flow_bytes(text); }},
    {"via", false,
     [](std::string_view text, const Topology& topology, Flow& flow) {
       if (!text.empty()) flow.via = flow_node(text, topology);
     }},
    {"weight", false,
     [](std::string_view text, const Topology&, Flow& flow) {
       if (!text.empty()) flow.weight = flow_weight(text);
     }},
    // What write_flows() adds.
    {"index"},
    {"finish"},
    {"fct"},
    {"finish_ps"},
    {"fct_ps"},
};

const Column* find_column(std::string_view name) {
  for (const Column& column : kColumns)
    if (column.name == name) return &column;
  return nullptr;
}

std::vector<std::string> readable_columns() {
  std::vector<std::string> names;
  for (const Column& column : kColumns)
    if (column.read != nullptr) names.emplace_back(column.name);
  return names;
}

void require_room_for(std::uint64_t flows, const MemoryLimit& memory, const Topology& topology,
                      const std::string& name) {
  placed([&] { return name; },
         [&] {
           require_room(memory, replay_bytes(flows, size_of(topology)),
                        fmt::format("a replay of {} flows", rough_count(flows)), "",
                        "split the traffic into smaller files");
         });
}

// By the file's size and the mean length of its first lines; 0 for what is no regular file. The
// stream is at the file's beginning, and is left there.
std::uint64_t estimated_flows(const std::string& path, std::istream& input) {
  constexpr std::uint64_t kLines = 1'000;
  std::error_code failure;
  if (!std::filesystem::is_regular_file(path, failure)) return 0;
  const std::uint64_t bytes = std::filesystem::file_size(path, failure);
  std::uint64_t lines = 0;
  std::uint64_t length = 0;
  for (std::string line; lines < kLines && std::getline(input, line); ++lines)
    length += line.size() + 1;
  input.clear();
  input.seekg(0);
  return failure || length == 0 ? 0 : bytes * lines / length;
}

class FlowReader {
 public:
  FlowReader(std::istream& input, std::string name, const Topology& topology,
             const ReadingOptions& options)
      : csv_(input, std::move(name)),
        topology_(topology),
        memory_(options.memory),
        pace_(options.watch, Stage::reading, options.flows) {}

  Traffic read() {
    if (!csv_.next())
      throw InputError("is empty", fmt::format("begin it with the line {}", kHeader), csv_.name());
    read_header();
    traffic_.file = csv_.name();
    while (csv_.next()) read_flow();
    if (traffic_.flows.empty())
      throw InputError("holds no flows", "write one a line below the header", csv_.name());
    return std::move(traffic_);
  }

 private:
  void read_header() {
    for (const std::string_view name : csv_.fields()) {
      const Column* column = find_column(name);
      if (column == nullptr) throw unknown_column(name);
      for (const Column* other : columns_)
        if (other == column)
          throw InputError(fmt::format("column \"{}\" stands twice", name), "keep one of the two",
                           csv_.place());
      columns_.push_back(column);
    }
    for (const Column& column : kColumns)
      if (column.required && std::find(columns_.begin(), columns_.end(), &column) == columns_.end())
        throw InputError(fmt::format("column \"{}\" is missing", column.name),
                         fmt::format("begin the file with a line such as {}", kHeader),
                         csv_.place());
  }

  InputError unknown_column(std::string_view name) const {
    for (const char separator : {';', '\t'})
      if (csv_.fields().size() == 1 && name.find(separator) != name.npos)
        return {fmt::format("the columns are separated by {}", in_quotes({&separator, 1})),
                "separate them by commas", csv_.place()};
    return unknown_name("column", name, readable_columns()).at(csv_.place());
  }

  void read_flow() {
    require_count();
    Flow flow;
    flow.line = static_cast<std::uint32_t>(csv_.line());
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i]->read == nullptr) continue;
      placed([&] { return place_of(i); },
             [&] { columns_[i]->read(csv_.fields()[i], topology_, flow); });
    }
    add(flow);
  }

  void require_count() const {
    const std::size_t count = csv_.fields().size();
    if (count < columns_.size())
      throw InputError(
          fmt::format("is missing: the line has {} of {} fields", count, columns_.size()),
          fmt::format("write {}", header()), place_of(count));
    if (count > columns_.size())
      throw InputError(fmt::format("the line has {} fields, the header {}", count, columns_.size()),
                       fmt::format("write {}; a field that holds a comma goes in quotes", header()),
                       csv_.place());
  }

  void add(const Flow& flow) {
    if (flow.bytes.count > std::numeric_limits<std::int64_t>::max() - traffic_.bytes.count)
      throw InputError("all flows together pass 2^63 - 1 bytes", "send less", csv_.place());
    if (traffic_.flows.size() == kMostFlows)
      throw InputError(fmt::format("the file has more than {} flows", kMostFlows),
                       "split it into smaller files", csv_.place());
    if (traffic_.flows.size() == traffic_.flows.capacity())
      require_room_for(traffic_.flows.size(), memory_, topology_, csv_.name());
    pace_.at(traffic_.flows.size());
    traffic_.bytes = traffic_.bytes + flow.bytes;
    traffic_.flows.push_back(flow);
  }

  std::string header() const {
    std::vector<std::string_view> names;
    for (const Column* column : columns_) names.push_back(column->name);
    return fmt::format("{}", fmt::join(names, ","));
  }

  std::string place_of(std::size_t column) const {
    return fmt::format("{}:{}", csv_.place(), columns_[column]->name);
  }

  CsvReader csv_;
  const Topology& topology_;
  const MemoryLimit& memory_;
  Pace pace_;
  std::vector<const Column*> columns_;  // as the header has them
  Traffic traffic_;
};

}  // namespace

std::string Traffic::place(const Flow& flow) const { return fmt::format("{}:{}", file, flow.line); }

Traffic read_traffic(std::istream& input, std::string name, const Topology& topology,
                     const ReadingOptions& options) {
  return FlowReader(input, std::move(name), topology, options).read();
}

Traffic load_traffic(const std::string& path, const Topology& topology,
                     const ReadingOptions& options) {
  std::error_code unknown;
  if (std::filesystem::is_directory(path, unknown))
    throw InputError(in_quotes(path) + " is a directory", "name a CSV file of flows");
  errno = 0;
  std::ifstream input(path, std::ios::binary);
  if (!input)
    throw InputError(fmt::format("{} cannot be read: {}", in_quotes(path),
                                 std::generic_category().message(errno == 0 ? EIO : errno)),
                     "name a CSV file of flows");
  note_read(path);
  ReadingOptions informed = options;
  informed.flows = estimated_flows(path, input);
  require_room_for(informed.flows, options.memory, topology, path);
  return read_traffic(input, path, topology, informed);
}

}  // namespace syncsim
