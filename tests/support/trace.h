#pragma once
// Traces, held to the rules by which Perfetto and chrome://tracing read them.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace syncsim::testing {

using TraceJson = nlohmann::ordered_json;

// "15000.000001" is read as a double; picoseconds come back exactly up to some minutes.
inline std::int64_t trace_ps(const TraceJson& us) { return std::llround(us.get<double>() * 1e6); }

inline std::vector<TraceJson> events_of(const TraceJson& trace, const std::string& phase) {
  std::vector<TraceJson> events;
  for (const TraceJson& event : trace["traceEvents"])
    if (event["ph"] == phase) events.push_back(event);
  return events;
}

inline void check_keys(const TraceJson& event) {
  static const std::map<std::string, std::vector<std::string>> required = {
      {"M", {"pid", "name", "args"}},
      {"X", {"pid", "tid", "ts", "dur", "name", "cat", "args"}},
      {"C", {"pid", "ts", "name", "args"}},
      {"s", {"pid", "tid", "ts", "name", "cat", "id"}},
      {"f", {"pid", "tid", "ts", "name", "cat", "id", "bp"}}};
  const auto keys = required.find(event["ph"].get<std::string>());
  REQUIRE(keys != required.end());
  for (const std::string& key : keys->second) {
    CAPTURE(event.dump());
    CAPTURE(key);
    CHECK(event.contains(key));
  }
}

using TraceTrack = std::pair<std::int64_t, std::int64_t>;
struct TraceSlice {
  std::int64_t start = 0;
  std::int64_t finish = 0;
};
using TraceSlices = std::map<TraceTrack, std::vector<TraceSlice>>;

inline TraceTrack track_of(const TraceJson& event) {
  return {event["pid"].get<std::int64_t>(), event["tid"].get<std::int64_t>()};
}

inline TraceSlices slices_of(const TraceJson& trace) {
  TraceSlices slices;
  for (const TraceJson& event : events_of(trace, "X")) {
    CHECK(event["dur"] >= 0);
    const std::int64_t start = trace_ps(event["ts"]);
    slices[track_of(event)].push_back({start, start + trace_ps(event["dur"])});
  }
  return slices;
}

// One after the other, in the order of the file.
inline void check_slices_do_not_overlap(const TraceSlices& slices) {
  for (const auto& [track, list] : slices)
    for (std::size_t i = 0; i + 1 < list.size(); ++i) CHECK(list[i].finish <= list[i + 1].start);
}

inline bool lies_within_a_slice(const TraceSlices& slices, const TraceJson& event) {
  const std::int64_t at = trace_ps(event["ts"]);
  const auto list = slices.find(track_of(event));
  return list != slices.end() &&
         std::any_of(list->second.begin(), list->second.end(), [&](const TraceSlice& slice) {
           return slice.start <= at && at <= slice.finish;
         });
}

// Each start has one end, later and on another track.
inline void check_arrows(const TraceJson& trace, const TraceSlices& slices) {
  std::map<std::int64_t, TraceJson> starts;
  for (const TraceJson& start : events_of(trace, "s")) {
    CHECK(lies_within_a_slice(slices, start));
    CHECK(starts.emplace(start["id"].get<std::int64_t>(), start).second);
  }
  for (const TraceJson& end : events_of(trace, "f")) {
    CHECK(end["bp"] == "e");
    CHECK(lies_within_a_slice(slices, end));
    const auto start = starts.find(end["id"].get<std::int64_t>());
    REQUIRE(start != starts.end());
    CHECK(trace_ps(start->second["ts"]) <= trace_ps(end["ts"]));
    CHECK(track_of(start->second) != track_of(end));
    starts.erase(start);
  }
  CHECK(starts.empty());
}

// Every process and every track is named once.
inline void check_names(const TraceJson& trace) {
  std::map<std::int64_t, int> processes;
  std::map<TraceTrack, int> tracks;
  for (const TraceJson& event : events_of(trace, "M")) {
    if (event["name"] == "process_name") ++processes[event["pid"].get<std::int64_t>()];
    if (event["name"] == "thread_name") ++tracks[track_of(event)];
  }
  for (const auto& [process, names] : processes) CHECK(names == 1);
  for (const auto& [track, names] : tracks) CHECK(names == 1);
  for (const TraceJson& event : trace["traceEvents"]) {
    CHECK(processes.contains(event["pid"].get<std::int64_t>()));
    if (event["ph"] == "X") CHECK(tracks.contains(track_of(event)));
  }
}

inline void check_trace(const TraceJson& trace) {
  REQUIRE(trace["traceEvents"].is_array());
  for (const TraceJson& event : trace["traceEvents"]) check_keys(event);
  const TraceSlices slices = slices_of(trace);
  check_slices_do_not_overlap(slices);
  check_arrows(trace, slices);
  check_names(trace);
}

// The integral of each counter's rate, in bytes, by the counter's name.
inline std::map<std::string, double> carried(const TraceJson& trace) {
  struct State {
    double rate = 0;  // GB/s
    std::int64_t since = 0;
  };
  std::map<std::string, State> states;
  std::map<std::string, double> bytes;
  for (const TraceJson& event : events_of(trace, "C")) {
    const std::string name = event["name"];
    State& state = states[name];
    const std::int64_t now = trace_ps(event["ts"]);
    CHECK(now >= state.since);
    bytes[name] += state.rate * 1e-3 * static_cast<double>(now - state.since);
    state = {event["args"]["GB/s"].get<double>(), now};
  }
  for (const auto& [name, state] : states) CHECK(state.rate == 0);  // at the end
  return bytes;
}

}  // namespace syncsim::testing
