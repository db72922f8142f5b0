#pragma once
// What every participant sends, as slices of time, few enough for a page.
// 1. A track for each rank, and each helper that sends, in order. An op is on its sender's track;
//    where that is a group, on its destination's. Joins take no time and are left out.
// 2. Where there are too many slices, transfers of one lane, kind and phase that begin in the same
//    quantum of time and end in the same one are one slice with a count. The quantum doubles until
//    the slices are few enough; then the lanes of a track are merged too, and at last tracks are
//    left out from the end.
// 3. Slices that overlap on a track stand in rows: each in the first row that is free, or, of the
//    kMostRows of a track, in the one that is free first.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/schedule/schedule.h"
#include "sim/schedule/timeline.h"

namespace syncsim {

inline constexpr std::uint32_t kMostRows = 8;
inline constexpr std::size_t kMostTracks = 128;

struct TimeSlice {
  std::uint32_t track = 0;
  std::uint32_t row = 0;
  Time start;
  Time finish;
  OpId op = 0;  // the first of them
  std::uint32_t count = 0;
  bool one_lane = true;   // otherwise to several participants
  bool critical = false;  // one of them is on the critical path
  Bytes bytes = {};
};

struct Track {
  ParticipantId participant = 0;
  std::uint32_t rows = 1;
};

struct Slices {
  std::vector<Track> tracks;
  std::vector<TimeSlice> slices;  // by track, then start
  std::uint64_t transfers = 0;    // of all tracks, drawn or not
  std::size_t tracks_left_out = 0;
  Time quantum;  // 0: every transfer is a slice of its own
};

// `critical`: ops on the critical path. The timeline must hold ops.
Slices slices_of(const Schedule& schedule, const Timeline& timeline, std::span<const OpId> critical,
                 std::size_t most);

// What the slices do not show, in sentences; none where they show all.
std::vector<std::string> shortfalls(const Slices& slices);

}  // namespace syncsim
