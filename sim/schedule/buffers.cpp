#include "sim/schedule/buffers.h"

#include <utility>

#include "sim/base/error.h"

namespace syncsim {

Slice Buffers::add(const std::string& name, std::int64_t size) {
  require(tables_.size() < kMostBuffers, "a schedule of more than 255 buffers");
  if (size < 0) throw InternalError("buffer " + name + " of " + std::to_string(size) + " B");
  const std::size_t index = tables_.size();
  names_.push_back(name);
  relaxed_.push_back(false);
  if (index < earlier_.size())
    tables_.emplace_back(std::move(earlier_[index]));
  else
    tables_.emplace_back(size);
  require(tables_.back().size() == size, "a strategy emits other buffers when it is run again");
  return {static_cast<std::uint8_t>(index), 0, size};
}

Slice Buffers::add_relaxed(const std::string& name, std::int64_t size) {
  const Slice slice = add(name, size);
  relaxed_[slice.buffer] = any_relaxed_ = true;
  return slice;
}

std::uint8_t Buffers::add_growing(const std::string& name) {
  const std::size_t index = tables_.size();
  return add(name, index < earlier_.size() ? earlier_[index].back() : 0).buffer;
}

Slice Buffers::claim(std::uint8_t buffer, std::int64_t begin, std::int64_t size) {
  const std::int64_t end = begin + size;
  if (end > tables_[buffer].size() && !tables_[buffer].grow(end)) stale_ = true;
  return {buffer, begin, end};
}

void Buffers::refuse(const Slice& slice) const {
  require(slice.buffer < tables_.size(), "a slice of a buffer that does not exist");
  throw InternalError("slice " + describe(slice) + " is not inside " + names_[slice.buffer] +
                      " of " + std::to_string(tables_[slice.buffer].size()) + " B");
}

std::string Buffers::describe(const Slice& slice) const {
  return names_[slice.buffer] + " [" + std::to_string(slice.begin) + ", " +
         std::to_string(slice.end) + ")";
}

void Buffers::cut(const Slice& slice) {
  request(slice.buffer, slice.begin);
  request(slice.buffer, slice.end);
}

std::vector<Slice> Buffers::cut(std::uint8_t buffer, const std::vector<std::int64_t>& offsets) {
  std::vector<Slice> result;
  result.reserve(offsets.size() - 1);
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
    result.push_back({buffer, offsets[i], offsets[i + 1]});
  for (const std::int64_t offset : offsets) request(buffer, offset);
  return result;
}

void Buffers::cut_like(const Slice& pattern, const Slice& slice) {
  cut(slice);
  mirror(cuts_inside(pattern, tables_[pattern.buffer].range(pattern.begin, pattern.end)), slice);
}

Buffers::Pair Buffers::locate_apart(const Slice& source, const Slice& destination) {
  // Within one buffer a mirrored cut may have to be mirrored again, so this repeats.
  while (!stale_) {
    const Pair pair{range(source), range(destination)};
    if (pair.source.empty() || pair.destination.empty()) break;
    if (same_cuts(source, destination, pair)) return pair;
    const std::vector<std::int64_t> of_source = cuts_inside(source, pair.source);
    const std::vector<std::int64_t> of_destination = cuts_inside(destination, pair.destination);
    mirror(of_source, destination);
    mirror(of_destination, source);
  }
  return {};
}

void Buffers::carry_later(const Slice& source, const Slice& destination) {
  constexpr std::size_t kMostApart = 1'000'000;  // beyond, the next pass sees to them
  const bool apart = source.buffer != destination.buffer || source.begin != destination.begin;
  if (!fits(source) || !fits(destination)) return;
  cut(source);
  if (!apart) return;
  cut(destination);
  if (apart_.size() < kMostApart) apart_.push_back({source, destination});
}

std::vector<Buffer> Buffers::finish() {
  std::vector<Buffer> result;
  for (std::size_t i = 0; i < tables_.size(); ++i)
    result.push_back({names_[i], tables_[i].take_boundaries(), relaxed_[i]});
  return result;
}

std::uint64_t Buffers::chunks() {
  std::uint64_t count = 0;
  for (ChunkTable& table : tables_) count += table.chunks();
  return count;
}

std::uint64_t Buffers::boundaries() const {
  std::uint64_t count = 0;
  for (const ChunkTable& table : tables_) count += table.boundaries();
  return count;
}

Cuts Buffers::take_cuts() {
  constexpr int kMostRounds = 32;
  Cuts result;
  for (ChunkTable& table : tables_) result.push_back(table.take_boundaries());
  mirror_cuts(result, apart_, kMostRounds);
  return result;
}

void Buffers::request(std::uint8_t buffer, std::int64_t offset) {
  if (!tables_[buffer].request(offset)) stale_ = true;
}

ChunkRange Buffers::range_after_cut(const Slice& slice) {
  cut(slice);
  return stale_ ? ChunkRange{} : tables_[slice.buffer].range(slice.begin, slice.end);
}

bool Buffers::same_cuts(const Slice& source, const Slice& destination, const Pair& pair) const {
  if (pair.source.count != pair.destination.count) return false;
  const ChunkTable& from = tables_[source.buffer];
  const ChunkTable& to = tables_[destination.buffer];
  for (std::uint32_t i = 1; i < pair.source.count; ++i)
    if (from.offset(pair.source.first + i) - source.begin !=
        to.offset(pair.destination.first + i) - destination.begin)
      return false;
  return true;
}

// Relative to the slice.
std::vector<std::int64_t> Buffers::cuts_inside(const Slice& slice, ChunkRange chunks) const {
  std::vector<std::int64_t> result;
  for (std::uint32_t i = 1; i < chunks.count; ++i)
    result.push_back(tables_[slice.buffer].offset(chunks.first + i) - slice.begin);
  return result;
}

void Buffers::mirror(const std::vector<std::int64_t>& cuts, const Slice& slice) {
  for (const std::int64_t offset : cuts) request(slice.buffer, slice.begin + offset);
}

}  // namespace syncsim
