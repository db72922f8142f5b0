#include "sim/report/formats/trace_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/base/text.h"
#include "sim/report/formats/figures.h"

namespace syncsim::trace {
namespace {

bool is_plain(char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; }

std::string metadata(std::uint32_t process, std::string_view what, std::string_view arguments) {
  return fmt::format(R"({{"ph":"M","pid":{},"name":"{}","args":{}}})", process, what, arguments);
}

std::string arrow(std::string_view phase, Track track, std::uint64_t number, Time at) {
  return fmt::format(
      R"({{{},"id":{},"pid":{},"tid":{},"ts":{},"name":"dependency","cat":"dependency"}})", phase,
      number, track.process, track.thread, time(at));
}

}  // namespace

std::string quoted(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), is_plain)) return fmt::format("\"{}\"", text);
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string time(Time time) {
  constexpr std::int64_t kMicrosecond = 1'000'000;
  return fmt::format("{}.{:06}", time.ps / kMicrosecond, time.ps % kMicrosecond);
}

std::string process_name(std::uint32_t process, std::string_view name) {
  return metadata(process, "process_name", fmt::format(R"({{"name":{}}})", quoted(name)));
}

std::string process_order(std::uint32_t process) {
  return metadata(process, "process_sort_index", fmt::format(R"({{"sort_index":{}}})", process));
}

std::string thread_name(Track track, std::string_view name) {
  return fmt::format(R"({{"ph":"M","pid":{},"tid":{},"name":"thread_name","args":{{"name":{}}}}})",
                     track.process, track.thread, quoted(name));
}

std::string slice(Track track, std::string_view name, std::string_view category, Time start,
                  Time finish, std::string_view arguments) {
  return fmt::format(
      R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":{},"cat":{},"args":{}}})",
      track.process, track.thread, time(start), time(finish - start), quoted(name),
      quoted(category), arguments);
}

std::string arrow_start(Track track, std::uint64_t number, Time at) {
  return arrow(R"("ph":"s")", track, number, at);
}

std::string arrow_end(Track track, std::uint64_t number, Time at) {
  return arrow(R"("ph":"f","bp":"e")", track, number, at);
}

std::string counter(std::uint32_t process, std::string_view name, Time at, double rate,
                    double capacity) {
  const double used = capacity > 0 ? twelve_digits(rate / capacity * 100) : 0;
  return fmt::format(R"({{"ph":"C","pid":{},"ts":{},"name":{},"args":{{"GB/s":{},"used %":{}}}}})",
                     process, time(at), name, figures::gigabytes(rate), used);
}

}  // namespace syncsim::trace
