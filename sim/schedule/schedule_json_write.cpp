#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "sim/base/error.h"
#include "sim/schedule/op_columns.h"
#include "sim/schedule/schedule_json.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kBlock = 1 << 16;  // bytes that are written at once

template <class Value, class Write>
Json list_of(const std::vector<Value>& values, Write&& write) {
  Json list = Json::array();
  for (const Value& value : values) list.push_back(write(value));
  return list;
}

Json buffer_json(const Buffer& buffer) {
  Json json = {{"name", buffer.name}, {"boundaries", buffer.boundaries}};
  if (buffer.relaxed) json["relaxed"] = true;
  return json;
}

Json channel_json(const Channel& channel) {
  constexpr Channel kUsual;
  Json json = Json::object();
  if (channel.weight != kUsual.weight) json["weight"] = channel.weight;
  if (channel.maximum_rate != kUsual.maximum_rate)
    json["maximum_bytes_per_second"] = channel.maximum_rate;
  if (channel.plane == Plane::host) json["plane"] = "host";
  return json;
}

Json nics_json(const ChannelNics& given) {
  Json json = {{"channel", given.channel}, {"participant", given.participant}};
  if (!given.nics.out.empty()) json["out"] = given.nics.out;
  if (!given.nics.in.empty()) json["in"] = given.nics.in;
  return json;
}

Json collective_json(const PlacedCollective& placed) {
  const Collective& collective = placed.collective;
  return {{"collective", to_string(collective.kind)},
          {"ranks", collective.ranks},
          {"bytes", collective.bytes.count},
          {"datatype", collective.datatype},
          {"root", collective.root},
          {"buffer", placed.buffer},
          {"first_chunk", placed.first_chunk},
          {"chunk_count", placed.chunk_count}};
}

Json tables_json(const Schedule& schedule) {
  Json columns = {kKindColumn};
  for (const OpColumn& column : op_columns()) columns.push_back(column.name);
  return {{"format", kPlanFormat},
          {"ranks", schedule.ranks},
          {"participants", schedule.participants},
          {"groups", schedule.groups},
          {"buffers", list_of(schedule.buffers, buffer_json)},
          {"channels", list_of(schedule.channels, channel_json)},
          {"nics", list_of(schedule.nics, nics_json)},
          {"durations_ps", list_of(schedule.durations, [](Time time) { return time.ps; })},
          {"phases", schedule.phases},
          {"collectives", list_of(schedule.collectives, collective_json)},
          {"notes", schedule.notes},
          {"op_columns", columns}};
}

void append_op(const Schedule& schedule, OpId id, std::string& text) {
  const Op& op = schedule.ops[id];
  if (op.access != Access::none)
    throw InputError("a plan cannot say what compute ops do to data", "leave out updates");
  const auto end = std::back_inserter(text);
  fmt::format_to(end, "{}\n[\"{}\"", id == 0 ? "" : ",",
                 op_kind_names()[static_cast<std::size_t>(op.kind)]);
  for (const OpColumn& column : op_columns()) fmt::format_to(end, ",{}", column.get(op));
  for (const OpId successor : schedule.successors(id)) fmt::format_to(end, ",{}", successor);
  text += ']';
}

}  // namespace

void write_schedule(const Schedule& schedule, std::ostream& out) {
  out << "{\n";
  const Json tables = tables_json(schedule);
  for (const auto& [key, value] : tables.items()) out << '"' << key << "\": " << value << ",\n";
  std::string text = "\"ops\": [";
  for (OpId id = 0; id < schedule.ops.size(); ++id) {
    append_op(schedule, id, text);
    if (text.size() < kBlock) continue;
    out << text;
    text.clear();
  }
  out << text << "\n]\n}\n";
}

}  // namespace syncsim
