#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/report/page.h"
#include "sim/report/page/page_json.h"

namespace syncsim {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostLinks = 16;

// Texts that occur over and over, as numbers.
class Names {
 public:
  std::size_t number(std::string name) {
    const auto [place, first] = numbers_.emplace(std::move(name), list_.size());
    if (first) list_.push_back(place->first);
    return place->second;
  }
  const Json& list() const { return list_; }

 private:
  std::map<std::string, std::size_t> numbers_;
  Json list_ = Json::array();
};

Json tracks_json(const Schedule& schedule, const Slices& slices) {
  Json tracks = Json::array();
  for (const Track& track : slices.tracks) {
    const bool is_rank = track.participant < schedule.ranks;
    tracks.push_back({{"name", schedule.participants[track.participant]},
                      {"rank", is_rank ? Json(track.participant) : Json(nullptr)},
                      {"rows", track.rows}});
  }
  return tracks;
}

template <class Of>
Json column(const Slices& slices, const Of& of) {
  Json list = Json::array();
  for (const TimeSlice& slice : slices.slices) list.push_back(of(slice));
  return list;
}

Json columns_json(const Schedule& schedule, const Slices& slices, Names& names) {
  const auto add = [&](const auto& of) { return column(slices, of); };
  const auto op = [&](const TimeSlice& slice) -> const Op& { return schedule.ops[slice.op]; };
  const auto receiver = [&](const TimeSlice& slice) {
    return slice.one_lane ? nodes_of(schedule, op(slice).destination) : "several";
  };
  return {
      {"track", add([](const auto& slice) { return slice.track; })},
      {"row", add([](const auto& slice) { return slice.row; })},
      {"start_ps", add([](const auto& slice) { return slice.start.ps; })},
      {"length_ps", add([](const auto& slice) { return (slice.finish - slice.start).ps; })},
      {"kind", add([&](const auto& slice) { return names.number(kind_of(schedule, op(slice))); })},
      {"phase", add([&](const auto& slice) { return op(slice).phase; })},
      {"from",
       add([&](const auto& slice) { return names.number(nodes_of(schedule, op(slice).source)); })},
      {"to", add([&](const auto& slice) { return names.number(receiver(slice)); })},
      {"channel", add([&](const auto& slice) { return op(slice).channel; })},
      {"bytes", add([](const auto& slice) { return slice.bytes.count; })},
      {"transfers", add([](const auto& slice) { return slice.count; })},
      {"critical", add([](const auto& slice) { return slice.critical ? 1 : 0; })}};
}

Json rates_json(const LinkReport& link, const StepSeries& series, Time end) {
  Json times = Json::array();
  Json rates = Json::array();
  for (const StepSeries::Step& step : series.until(end)) {
    times.push_back(step.from.ps);
    rates.push_back(twelve_digits(step.rate));
  }
  return {{"link", link.label()},
          {"capacity_Bps", twelve_digits(link.capacity)},
          {"times_ps", std::move(times)},
          {"Bps", std::move(rates)}};
}

}  // namespace

Json timeline_json(const Report& report, const Schedule& schedule, const Slices& slices,
                   std::span<const StepSeries> rates) {
  std::vector<std::string> notes = shortfalls(slices);
  Json links = Json::array();
  Time quantum;
  for (const LinkReport* link : busiest_links(report)) {
    if (links.size() == kMostLinks) break;
    if (link->resource >= rates.size()) continue;
    links.push_back(rates_json(*link, rates[link->resource], report.time));
    quantum = std::max(quantum, rates[link->resource].quantum());
  }
  if (rates.empty() && report.ops > kMostOpsFollowed)
    notes.push_back(
        fmt::format("Rates over time are not drawn for more than {} transfers.", kMostOpsFollowed));
  if (quantum.ps > 0)
    notes.push_back(
        fmt::format("Rates of links that change more than {} times are averages over up "
                    "to {}.",
                    StepSeries::kMostSteps, to_string(quantum)));
  Names names;
  Json columns = columns_json(schedule, slices, names);
  return {{"tracks", tracks_json(schedule, slices)},
          {"phases", schedule.phases},
          {"names", names.list()},
          {"slices", std::move(columns)},
          {"rates", std::move(links)},
          {"notes", std::move(notes)}};
}

}  // namespace syncsim
