#pragma once
// Reading of option values that several commands take.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/base/error.h"
#include "sim/topology/edits.h"
#include "sim/topology/link_events.h"

namespace syncsim::cli {

// Gives errors without a place the option's name.
template <class Read>
decltype(auto) from_option(std::string_view option, Read&& read) {
  return placed([&] { return option; }, read);
}

// A whole number from 0 to `most`.
std::int64_t integer_of(std::string_view option, const std::string& text, std::int64_t most);

// "within 15 %", of --expect or another option; nothing where it is not given.
std::optional<double> tolerance_of(const std::optional<std::string>& expect,
                                   std::string_view option = "--expect");

// Of --edit; each knows its place.
std::vector<Edit> edits_of(const std::vector<std::string>& texts);
// Of --event; the same.
std::vector<LinkEvent> events_of(const std::vector<std::string>& texts);

// Of --start, "3=5 ms": ranks and when they come; of a rank the last option counts.
std::map<int, Time> starts_of(const std::vector<std::string>& texts);

inline constexpr const char* kEditHelp =
    "a what-if, e.g. \"link:gpu0-switch0 bandwidth=8 GB/s\" (repeatable)";
inline constexpr const char* kEventHelp =
    "a bandwidth that changes in mid-run, e.g. \"at 2 ms link:gpu0-switch0 bandwidth=8 GB/s\" "
    "(repeatable)";

}  // namespace syncsim::cli
