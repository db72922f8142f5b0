#include "sim/scenario/calibration/measured_runs.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "sim/base/json_reader.h"
#include "sim/topology/delay.h"

namespace syncsim {
namespace {

Time delay_in_us(const JsonReader& json) {
  const double us = json.number();
  if (us < 0) throw json.error("is below 0", "write the microseconds");
  return json.located([&] {
    return checked_delay({std::llround(std::min(us, microseconds(kMostDelay) + 1) * 1e6)});
  });
}

double measured_seconds(const JsonReader& json) {
  const JsonReader field = json.required("measured_us", "61.5");
  if (field.number() <= 0) throw field.error("is not above 0", "leave the point out");
  return field.number() * 1e-6;
}

void refuse_unfit(const JsonReader& json) {
  if (json.has("step"))
    throw json.error("is a training step", "calibrate on collectives, leave it out");
  const auto correct = json.optional("data_correct");
  if (correct && !correct->boolean())
    throw correct->error("its data was wrong", "leave the point out");
}

// Of a choice, what it chose.
void take_strategy(const JsonReader& json, Point& point) {
  const JsonReader chosen = json.required("chosen", "null");
  const JsonReader& says = chosen.is_object() ? chosen : json;
  const JsonReader strategy = says.required("strategy");
  point.strategy = strategy.string();
  point.places["strategy"] = strategy.place();
  for (const auto& [name, value] : says.required("parameters", "{}").members()) {
    point.parameters[name] = value.string();
    point.parameter_places[name] = value.place();
  }
}

void take_start(const JsonReader& json, Point& point) {
  for (const JsonReader& start : json.required("start", "[]").elements()) {
    const int rank = static_cast<int>(start.required("rank").integer(0, kMostRanks - 1));
    point.start[rank] = delay_in_us(start.required("time_us"));
  }
}

Point point_of(const JsonReader& json, const Point& machine) {
  Point point;
  point.topology = machine.topology;
  point.edits = machine.edits;
  point.places = machine.places;
  take_strategy(json, point);
  const auto field = [&](const char* name) {
    JsonReader value = json.required(name);
    point.places[name] = value.place();
    return value;
  };
  const JsonReader collective = field("collective");
  point.collective = collective.located([&] { return parse_collective(collective.string()); });
  point.bytes = field("bytes").bytes();
  const JsonReader datatype = field("datatype");
  point.datatype = datatype.located([&] { return datatypes().at(datatype.string()).name; });
  point.root = static_cast<int>(field("root").integer(0, kMostRoot));
  for (const JsonReader& rank : field("rank_order").elements())
    point.ranks.push_back(static_cast<int>(rank.integer(0, kMostRanks - 1)));
  point.places["ranks"] = point.places["rank_order"];
  point.overhead = delay_in_us(field("overhead_us"));
  const JsonReader reduction = field("reduction");
  point.reduction = reduction.located([&] { return parse_reduction(reduction.string()); });
  point.seed = static_cast<std::uint32_t>(field("seed").integer(0, 0xffffffff));
  take_start(json, point);
  return point;
}

}  // namespace

void read_runs(const JsonReader& json, const Point& machine, MeasuredPoints& read) {
  for (const JsonReader& element : json.required("points").elements()) {
    refuse_unfit(element);
    const double seconds = measured_seconds(element);
    read.points.push_back(
        {.place = element.place(),
         .point = point_of(element, machine),
         .ranks = static_cast<int>(element.required("ranks", "4").integer(1, kMostRanks)),
         .seconds = seconds});
  }
}

}  // namespace syncsim
