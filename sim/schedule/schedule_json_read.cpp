#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/base/json_parse.h"
#include "sim/base/json_reader.h"
#include "sim/base/quote.h"
#include "sim/schedule/check_structure.h"
#include "sim/schedule/op_rows.h"
#include "sim/schedule/schedule_json.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kMostRanksRead = 1 << 24;
constexpr std::int64_t kMostOfUint16 = 0xffff;
constexpr std::int64_t kMostOfUint32 = 0xffffffff;

template <class Read>
auto list_of(const JsonReader& json, Read&& read) {
  std::vector<decltype(read(json))> result;
  for (const JsonReader& element : json.elements()) result.push_back(read(element));
  return result;
}

// Without a reader for each: there may be millions.
std::vector<std::int64_t> whole_numbers(const JsonReader& json) {
  std::vector<std::int64_t> result;
  if (!json.is_array()) throw json.found_instead("write a list of whole numbers");
  for (const Json& value : json.raw()) {
    const bool fits = value.is_number_integer() && value.get<std::int64_t>() >= 0;
    if (!fits) json.elements()[result.size()].integer(0, std::numeric_limits<std::int64_t>::max());
    result.push_back(value.get<std::int64_t>());
  }
  return result;
}

std::vector<ParticipantId> participant_ids(const JsonReader& json) {
  return list_of(json, [](const JsonReader& each) {
    return static_cast<ParticipantId>(each.integer(0, kMostOfUint32));
  });
}

// May be empty, as the phase before the first named one is.
std::string text_of(const JsonReader& json) {
  return json.is_string() && json.raw().get_ref<const std::string&>().empty() ? "" : json.string();
}

Buffer read_buffer(const JsonReader& json) {
  json.allow({"name", "boundaries", "relaxed"});
  Buffer buffer{json.required("name").string(), whole_numbers(json.required("boundaries"))};
  if (buffer.boundaries.empty())
    throw json.required("boundaries").error("is empty", "begin with 0");
  if (const auto relaxed = json.optional("relaxed")) buffer.relaxed = relaxed->boolean();
  return buffer;
}

double positive(const JsonReader& json, double least) {
  const double number = json.number();
  if (number >= least && number > 0) return number;
  throw json.error(fmt::format("{} is out of range", number), "write a number above 0");
}

Channel read_channel(const JsonReader& json) {
  json.allow({"weight", "maximum_bytes_per_second", "plane"});
  Channel channel;
  if (const auto weight = json.optional("weight")) channel.weight = positive(*weight, 1e-9);
  if (const auto rate = json.optional("maximum_bytes_per_second"))
    channel.maximum_rate = positive(*rate, 1e-3);
  if (const auto plane = json.optional("plane")) {
    if (plane->string() != "host" && plane->string() != "all")
      throw unknown_name("plane", plane->string(), {"all", "host"}).at(plane->place());
    channel.plane = plane->string() == "host" ? Plane::host : Plane::all;
  }
  return channel;
}

ChannelNics read_nics(const JsonReader& json) {
  json.allow({"channel", "participant", "out", "in"});
  ChannelNics given;
  given.channel = static_cast<std::uint16_t>(json.required("channel").integer(0, kMostOfUint16));
  given.participant =
      static_cast<ParticipantId>(json.required("participant").integer(0, kMostOfUint32));
  if (const auto out = json.optional("out")) given.nics.out = out->string();
  if (const auto in = json.optional("in")) given.nics.in = in->string();
  return given;
}

void require_order(const std::vector<ChannelNics>& nics, const JsonReader& json) {
  const auto before = [](const ChannelNics& a, const ChannelNics& b) {
    return std::pair(a.channel, a.participant) < std::pair(b.channel, b.participant);
  };
  for (std::size_t i = 1; i < nics.size(); ++i)
    if (!before(nics[i - 1], nics[i]))
      throw json.elements()[i].error("does not come after the one before it",
                                     "order them by channel and participant, each pair once");
}

PlacedCollective read_collective(const JsonReader& json) {
  json.allow(
      {"collective", "ranks", "bytes", "datatype", "root", "buffer", "first_chunk", "chunk_count"});
  const auto number = [&](const char* key, std::int64_t most) {
    return json.required(key).integer(0, most);
  };
  const JsonReader kind = json.required("collective");
  const JsonReader datatype = json.required("datatype");
  PlacedCollective placed;
  placed.collective = {kind.located([&] { return parse_collective(kind.string()); }),
                       static_cast<int>(number("ranks", kMostRanksRead)),
                       json.required("bytes").bytes(),
                       datatype.located([&] { return datatypes().at(datatype.string()); }).name,
                       static_cast<int>(number("root", kMostRanksRead))};
  placed.buffer = static_cast<std::uint8_t>(number("buffer", 255));
  placed.first_chunk = static_cast<std::uint32_t>(number("first_chunk", kMostOfUint32));
  placed.chunk_count = static_cast<std::uint32_t>(number("chunk_count", kMostOfUint32));
  return placed;
}

void require_format(const JsonReader& json) {
  if (!json.is_object() || !json.has("format"))
    throw json.error("is no plan of syncsim",
                     fmt::format("a plan begins with \"format\": \"{}\"", kPlanFormat));
  const JsonReader format = json.required("format");
  if (format.string() != kPlanFormat)
    throw format.error(fmt::format("unknown format {}", in_quotes(format.string())),
                       fmt::format("this program reads \"{}\"", kPlanFormat));
}

void read_tables(const JsonReader& json, Schedule& schedule) {
  json.allow({"format", "ranks", "participants", "groups", "buffers", "channels", "nics",
              "durations_ps", "phases", "collectives", "notes", "op_columns", "ops"});
  schedule.ranks = static_cast<std::uint32_t>(json.required("ranks").integer(1, kMostRanksRead));
  const auto name = [](const JsonReader& each) { return each.string(); };
  schedule.participants = list_of(json.required("participants"), name);
  schedule.buffers = list_of(json.required("buffers"), read_buffer);
  schedule.channels = list_of(json.required("channels"), read_channel);
  schedule.phases = list_of(json.required("phases"), text_of);
  schedule.collectives = list_of(json.required("collectives"), read_collective);
  if (const auto groups = json.optional("groups"))
    schedule.groups = list_of(*groups, participant_ids);
  if (const auto nics = json.optional("nics")) {
    schedule.nics = list_of(*nics, read_nics);
    require_order(schedule.nics, *nics);
  }
  if (const auto durations = json.optional("durations_ps"))
    for (const std::int64_t ps : whole_numbers(*durations)) schedule.durations.push_back({ps});
  if (const auto notes = json.optional("notes")) schedule.notes = list_of(*notes, name);
  if (!json.required("ops").is_array()) throw json.required("ops").found_instead("write a list");
}

// An index beyond its table, chunks that do not match, an edge to nowhere.
void require_structure(const Schedule& schedule, const std::string& file) {
  Pace pace(nullptr, Stage::checking, schedule.ops.size(), 2);
  const auto violation = checking::check_structure(schedule, pace);
  if (!violation) return;
  const std::string at = violation->op == kNone ? "/" : fmt::format("/ops/{}", violation->op);
  throw InputError("is no schedule: " + one_line(violation->message),
                   "mend it, or make the plan anew", file + ":" + at);
}

}  // namespace

Schedule read_schedule(std::string_view text, const std::string& name) {
  Schedule schedule;
  OpRows ops(schedule, name);
  const JsonRows rows{"ops", [&](const Json& root, std::size_t index, const Json& row) {
                        ops.add(root, index, row);
                      }};
  const JsonReader json = JsonFile::parse(text, name, &rows).root();
  require_format(json);
  ops.require_columns(json);
  read_tables(json, schedule);
  require_structure(schedule, name);
  return schedule;
}

}  // namespace syncsim
