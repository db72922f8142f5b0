#include "sim/report/page/slices.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "sim/schedule/lane_index.h"

namespace syncsim {
namespace {

constexpr std::int64_t kFinest = 16'384;  // quanta in a run, at first
constexpr std::int64_t kCoarsest = 64;    // before lanes are merged

struct Grain {
  std::size_t tracks = 0;
  Time quantum;
  bool lanes = true;  // kept apart
};

// What the transfers of one slice have in common.
struct Key {
  std::uint32_t lane = 0;  // or track
  std::uint32_t kind_and_phase = 0;
  std::int64_t start = 0;  // in quanta
  std::int64_t finish = 0;
  bool operator==(const Key&) const = default;
};

struct KeyHash {
  std::size_t operator()(const Key& key) const {
    std::uint64_t hash = 0;
    for (const auto part :
         {std::uint64_t{key.lane}, std::uint64_t{key.kind_and_phase},
          static_cast<std::uint64_t>(key.start), static_cast<std::uint64_t>(key.finish)})
      hash = (hash ^ part) * 0x9e3779b97f4a7c15u ^ hash >> 29;
    return hash;
  }
};

ParticipantId sender(const Op& op) { return is_group(op.source) ? op.destination : op.source; }

class Collector {
 public:
  Collector(const Schedule& schedule, const Timeline& timeline, std::span<const OpId> critical)
      : schedule_(schedule), timeline_(timeline), critical_(critical.begin(), critical.end()) {
    std::sort(critical_.begin(), critical_.end());
    find_tracks();
  }

  std::size_t tracks() const { return senders_.size(); }
  std::uint64_t transfers() const { return transfers_; }
  ParticipantId participant(std::size_t track) const { return senders_[track]; }

  // Nothing where there would be more than `most`.
  std::optional<std::vector<TimeSlice>> collect(const Grain& grain, std::size_t most) const {
    std::vector<TimeSlice> slices;
    std::unordered_map<Key, std::size_t, KeyHash> numbers;
    LaneIndex lanes;
    for (OpId id = 0; id < schedule_.ops.size(); ++id) {
      const Op& op = schedule_.ops[id];
      const std::uint32_t lane = lanes.number(op);
      if (lane == kNone || track_[sender(op)] >= grain.tracks) continue;
      const std::uint32_t track = track_[sender(op)];
      std::size_t number = slices.size();
      if (grain.quantum.ps > 0)
        number =
            numbers.emplace(key_of(id, grain, grain.lanes ? lane : track), number).first->second;
      if (number == slices.size()) {
        if (slices.size() == most) return std::nullopt;
        slices.push_back({track, 0, timeline_.ops[id].start, timeline_.ops[id].finish, id});
        slices.back().one_lane = grain.lanes;
      }
      add(slices[number], id);
    }
    return slices;
  }

 private:
  // Ranks, then helpers that send.
  void find_tracks() {
    std::vector<bool> sends(schedule_.participants.size());
    std::fill_n(sends.begin(), schedule_.ranks, true);
    for (const Op& op : schedule_.ops) {
      if (op.kind == OpKind::join) continue;
      sends[sender(op)] = true;
      ++transfers_;
    }
    track_.assign(sends.size(), kNone);
    for (ParticipantId id = 0; id < sends.size(); ++id) {
      if (!sends[id]) continue;
      track_[id] = static_cast<std::uint32_t>(senders_.size());
      senders_.push_back(id);
    }
  }

  Key key_of(OpId id, const Grain& grain, std::uint32_t lane) const {
    const Op& op = schedule_.ops[id];
    const OpTimes& times = timeline_.ops[id];
    const auto kind = static_cast<std::uint32_t>(op.kind) << 1 | (op.chunk_count > 0 ? 1u : 0u);
    return {lane, kind << 16 | op.phase, times.start.ps / grain.quantum.ps,
            times.finish.ps / grain.quantum.ps};
  }

  void add(TimeSlice& slice, OpId id) const {
    const OpTimes& times = timeline_.ops[id];
    slice.start = std::min(slice.start, times.start);
    slice.finish = std::max(slice.finish, times.finish);
    slice.bytes = slice.bytes + schedule_.bytes(schedule_.ops[id]);
    slice.critical = slice.critical || std::binary_search(critical_.begin(), critical_.end(), id);
    ++slice.count;
  }

  const Schedule& schedule_;
  const Timeline& timeline_;
  std::vector<OpId> critical_;
  std::vector<std::uint32_t> track_;    // by participant
  std::vector<ParticipantId> senders_;  // by track
  std::uint64_t transfers_ = 0;
};

// Finer ones first.
std::vector<Grain> grains(std::size_t tracks, Time time) {
  std::vector<Grain> grains = {{tracks, {0}, true}};
  const auto add = [&](std::size_t of, std::int64_t finest, std::int64_t coarsest, bool lanes) {
    for (std::int64_t quanta = finest; quanta >= coarsest; quanta /= 2)
      grains.push_back({of, {time.ps / quanta + 1}, lanes});
  };
  add(tracks, kFinest, kCoarsest, true);
  add(tracks, kFinest, 1, false);
  for (std::size_t fewer = tracks / 2; fewer > 0; fewer /= 2) add(fewer, kFinest, 1, false);
  return grains;
}

void put_in_rows(Slices& slices) {
  const auto key = [](const TimeSlice& slice) {
    return std::tuple(slice.track, slice.start, slice.finish, slice.op);
  };
  std::sort(slices.slices.begin(), slices.slices.end(),
            [&](const TimeSlice& a, const TimeSlice& b) { return key(a) < key(b); });
  std::vector<Time> ends;  // of the rows of the track
  std::uint32_t track = kNone;
  for (TimeSlice& slice : slices.slices) {
    if (slice.track != track) ends.clear();
    track = slice.track;
    const auto is_free = [&](Time end) { return end <= slice.start; };
    auto row = std::find_if(ends.begin(), ends.end(), is_free);
    if (row == ends.end() && ends.size() < kMostRows) row = ends.insert(ends.end(), Time{});
    if (row == ends.end()) row = std::min_element(ends.begin(), ends.end());
    *row = std::max(*row, slice.finish);
    slice.row = static_cast<std::uint32_t>(row - ends.begin());
    slices.tracks[track].rows = std::max(slices.tracks[track].rows, slice.row + 1);
  }
}

}  // namespace

Slices slices_of(const Schedule& schedule, const Timeline& timeline, std::span<const OpId> critical,
                 std::size_t most) {
  const Collector collector(schedule, timeline, critical);
  Slices result;
  result.transfers = collector.transfers();
  std::size_t tracks = std::min(collector.tracks(), kMostTracks);
  for (const Grain& grain : grains(tracks, timeline.finish)) {
    auto slices = collector.collect(grain, most);
    if (!slices) continue;
    result.slices = std::move(*slices);
    result.quantum = grain.quantum;
    tracks = grain.tracks;
    break;
  }
  for (std::size_t track = 0; track < tracks; ++track)
    result.tracks.push_back({collector.participant(track)});
  result.tracks_left_out = collector.tracks() - tracks;
  put_in_rows(result);
  return result;
}

std::vector<std::string> shortfalls(const Slices& slices) {
  std::vector<std::string> sentences;
  if (slices.tracks_left_out > 0)
    sentences.push_back(fmt::format("The first {} of {} senders are drawn.", slices.tracks.size(),
                                    slices.tracks.size() + slices.tracks_left_out));
  if (slices.quantum.ps > 0)
    sentences.push_back(
        fmt::format("{} transfers are too many to draw one by one: those of a sender that begin "
                    "within the same "
                    "{} and end within the same {} are drawn as one.",
                    slices.transfers, to_string(slices.quantum), to_string(slices.quantum)));
  return sentences;
}

}  // namespace syncsim
