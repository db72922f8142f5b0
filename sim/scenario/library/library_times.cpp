#include "sim/scenario/library/library_times.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "sim/report/validation_report.h"
#include "sim/scenario/library/library_words.h"

namespace syncsim {
namespace {

constexpr double kMostlyUsed = 0.8;  // a link that binds, at any size
constexpr double kHalfUsed = 0.5;    // one that binds where more bytes take more time
constexpr double kSteep = 0.5;       // d ln time / d ln bytes

// Whether more bytes take more time there, from the next smaller size to the next larger one.
bool is_steep(const LibraryTimes& times, LibraryTimes::const_iterator at) {
  if (times.size() == 1) return size_class(at->first) != SizeClass::small;
  const auto from = at == times.begin() ? at : std::prev(at);
  const auto to = std::next(at) == times.end() ? at : std::next(at);
  const double bytes =
      static_cast<double>(to->first.count) / static_cast<double>(from->first.count);
  return std::log(to->second.microseconds / from->second.microseconds) / std::log(bytes) > kSteep;
}

}  // namespace

void require_peers(const Point& point, const Setting& setting) {
  if (setting.ranks.size() < 2)
    throw InputError("one rank has nobody to talk to", "choose two or more",
                     point.place(point.ranks.empty() ? "topology" : "ranks"));
}

LibrarySetup setup_of(const LibraryModel& model) {
  const LibraryTerms& terms = model.terms();
  LibrarySetup setup{.library = terms.library,
                     .version = terms.version,
                     .launch = std::string(word_of(launches(), terms.launch)),
                     .channels = terms.pins.channels,
                     .algorithm = terms.algorithm,
                     .assumed = model.assumed()};
  if (terms.network) setup.network = word_of(networks(), *terms.network);
  if (terms.pins.protocol) setup.protocol = word_of(protocols(), *terms.pins.protocol);
  return setup;
}

void add_time(LibraryTimes& times, const LibraryModel& model, Bytes bytes,
              const std::string& place) {
  if (!times.contains(bytes)) add_time(times, model.at(bytes), bytes, place);
}

void add_time(LibraryTimes& times, LibraryTime time, Bytes bytes, const std::string& place) {
  if (!(time.microseconds > 0) || !std::isfinite(time.microseconds))
    throw InputError(fmt::format("the model knows no time for {}", to_string(bytes)),
                     "leave it out", place);
  times.emplace(bytes, std::move(time));
}

std::string what_binds(const LibraryTimes& times, Bytes bytes) {
  const auto at = times.find(bytes);
  require(at != times.end(), "a size has no time of the model");
  const LibraryTime& time = at->second;
  if (time.host_bound) return "host launch";
  const bool has_link = !time.busiest.empty();
  if (has_link && time.busiest_use >= kMostlyUsed) return time.busiest;
  if (time.call > time.device) return "host launch";
  if (!is_steep(times, at)) return "latency";
  return has_link && time.busiest_use >= kHalfUsed ? time.busiest : "channels";
}

}  // namespace syncsim
