#pragma once
// What predict and figures say of a library's model: its times, what binds at each size, and the
// terms that it took.

#include <map>
#include <string>

#include "sim/report/library_setup.h"
#include "sim/scenario/library/library_model.h"
#include "sim/scenario/setting.h"

namespace syncsim {

// Throws InputError at the point's ranks, or at its topology, for one rank alone.
void require_peers(const Point& point, const Setting& setting);

LibrarySetup setup_of(const LibraryModel& model);

using LibraryTimes = std::map<Bytes, LibraryTime>;

// Adds a size that is not there yet. Throws InputError at the place that says the size where the
// model knows no time for it, or the time is none.
void add_time(LibraryTimes& times, const LibraryModel& model, Bytes bytes,
              const std::string& place);
void add_time(LibraryTimes& times, LibraryTime time, Bytes bytes, const std::string& place);

// Of a size that is there: "host launch", "latency", "channels" (of the library, where links are
// not full), or a link.
std::string what_binds(const LibraryTimes& times, Bytes bytes);

}  // namespace syncsim
