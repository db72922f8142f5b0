#pragma once
// Single events of a trace, as text: what chrome_trace.cpp puts in order.

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/units.h"

namespace syncsim::trace {

// A JSON string, with its quotes.
std::string quoted(std::string_view text);
// Microseconds, exact: "1500.000001".
std::string time(Time time);

// Where an event lies.
struct Track {
  std::uint32_t process = 0;
  std::uint32_t thread = 0;
};

std::string process_name(std::uint32_t process, std::string_view name);
std::string process_order(std::uint32_t process);
std::string thread_name(Track track, std::string_view name);
// `arguments` is a JSON object.
std::string slice(Track track, std::string_view name, std::string_view category, Time start,
                  Time finish, std::string_view arguments);
// Of a dependency, with a number that both have.
std::string arrow_start(Track track, std::uint64_t number, Time at);
std::string arrow_end(Track track, std::uint64_t number, Time at);
// `name` is a JSON string.
std::string counter(std::uint32_t process, std::string_view name, Time at, double rate,
                    double capacity);

}  // namespace syncsim::trace
