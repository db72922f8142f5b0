#include "sim/schedule/staging.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/base/error.h"

namespace syncsim {

void Staging::begin_pass() {
  ++pass_;
  expected_ = sums_;
  staging_of_.clear();
  arrivals_.clear();
}

Slice Staging::place(Buffers& buffers, const Lane& lane, const Slice& destination) {
  const std::uint32_t number = number_of(lane, destination.buffer);
  const auto [known, added] = staging_of_.try_emplace(destination.buffer);
  if (added) known->second = places_for(buffers, destination.buffer);
  if (measuring()) {
    ++sums_;
    std::int64_t& extent = extent_[destination.buffer];
    extent = std::max(extent, destination.end);
    return destination;
  }
  const std::int64_t begin = number * extent_.at(destination.buffer) + destination.begin;
  const Slice result{known->second.buffer, begin, begin + destination.size()};
  buffers.cut_like(destination, result);
  return result;
}

OpId Staging::arrival_of(OpId op) const {
  const auto found = std::lower_bound(arrivals_.begin(), arrivals_.end(), std::pair(op, OpId{0}));
  return found != arrivals_.end() && found->first == op ? found->second : op;
}

std::uint32_t Staging::number_of(const Lane& lane, std::uint8_t buffer) {
  const auto next = numbers_.find({buffer, lane.source, lane.destination, lane.channel});
  if (next != numbers_.end()) return next->second;
  if (numbers_.size() == kMostLanes)
    throw InputError(fmt::format("staged reductions on more than {} lanes", kMostLanes),
                     "use fewer ranks, or reductions \"on-arrival\"");
  const std::uint32_t number = lanes_at_[{buffer, lane.destination}]++;
  numbers_.emplace(
      std::array{std::uint32_t{buffer}, lane.source, lane.destination, std::uint32_t{lane.channel}},
      number);
  std::uint32_t& most = most_lanes_[buffer];
  most = std::max(most, number + 1);
  return number;
}

// None yet while they are measured.
Slice Staging::places_for(Buffers& buffers, std::uint8_t buffer) const {
  const std::string name = "staging of " + buffers.name(buffer);
  if (measuring()) return buffers.add(name, 0);
  const std::int64_t size = extent_.at(buffer);
  const std::int64_t places = most_lanes_.at(buffer);
  if (size > std::numeric_limits<std::int64_t>::max() / places)
    throw InputError(fmt::format("staged reductions of {} from {} lanes at once",
                                 to_string(Bytes{size}), places),
                     "use fewer bytes or ranks, or reductions \"on-arrival\"");
  return buffers.add(name, places * size);
}

}  // namespace syncsim
