#pragma once
// The buffers of a schedule under construction and how they are cut. A cut that comes after its
// buffer's first op makes the pass stale: its chunk indices are wrong, only its cuts are of use,
// and the next pass continues from them.

#include <cstdint>
#include <string>
#include <vector>

#include "sim/schedule/builder.h"
#include "sim/schedule/chunk_table.h"
#include "sim/schedule/mirrored_cuts.h"

namespace syncsim {

class Buffers {
 public:
  static constexpr std::size_t kMostBuffers = 255;

  // Continues from the cuts of an earlier pass, empty for the first.
  explicit Buffers(Cuts earlier) : earlier_(std::move(earlier)) {}

  bool stale() const { return stale_; }
  // Nothing of this pass is of use, not even its cuts.
  void give_up() { stale_ = true; }

  std::size_t count() const { return tables_.size(); }
  const std::string& name(std::uint8_t buffer) const { return names_[buffer]; }
  std::int64_t size(std::uint8_t buffer) const { return tables_[buffer].size(); }

  Slice add(const std::string& name, std::int64_t size);
  // Exempt from ordering.
  Slice add_relaxed(const std::string& name, std::int64_t size);
  bool relaxed(std::uint8_t buffer) const { return any_relaxed_ && relaxed_[buffer]; }
  // A buffer that begins as large as an earlier pass left it, and the part of it from `begin` on,
  // for which it grows where it has to.
  std::uint8_t add_growing(const std::string& name);
  Slice claim(std::uint8_t buffer, std::int64_t begin, std::int64_t size);
  // Throws unless the slice lies in its buffer.
  void require_inside(const Slice& slice) const {
    if (!fits(slice)) refuse(slice);
  }
  std::string describe(const Slice& slice) const;  // "data [0, 8)"

  void cut(const Slice& slice);
  // Consecutive slices between the offsets, which ascend.
  std::vector<Slice> cut(std::uint8_t buffer, const std::vector<std::int64_t>& offsets);
  // Cuts `slice` as `pattern`, of the same size, is cut so far.
  void cut_like(const Slice& pattern, const Slice& slice);

  struct Pair {
    ChunkRange source;
    ChunkRange destination;
  };
  // The chunks of two slices of one size, not 0 B, after carrying the cuts of each over to the
  // other. None when the pass is stale then.
  Pair locate(const Slice& source, const Slice& destination) {
    if (source.buffer != destination.buffer || source.begin != destination.begin)
      return locate_apart(source, destination);
    const ChunkRange chunks = range(source);
    return {chunks, chunks};
  }

  // In a stale pass: cuts of a transfer's ends, and those to be carried over, for the next one,
  // whatever else is dropped.
  void carry_later(const Slice& source, const Slice& destination);

  // Of all buffers, by the cuts so far, also by those that came too late.
  std::uint64_t chunks();
  // Not less than that; quicker.
  std::uint64_t boundaries() const;
  bool in_use(std::uint8_t buffer) const { return tables_[buffer].in_use(); }
  std::uint32_t use(std::uint8_t buffer) { return tables_[buffer].use(); }

  std::vector<Buffer> finish();
  Cuts take_cuts();

 private:
  bool fits(const Slice& slice) const {
    return slice.buffer < tables_.size() && slice.begin >= 0 && slice.begin <= slice.end &&
           slice.end <= tables_[slice.buffer].size();
  }
  [[noreturn]] void refuse(const Slice& slice) const;
  void request(std::uint8_t buffer, std::int64_t offset);
  // None when the pass is stale.
  ChunkRange range(const Slice& slice) {
    const ChunkRange chunks = tables_[slice.buffer].range(slice.begin, slice.end);
    return chunks.empty() ? range_after_cut(slice) : chunks;
  }
  ChunkRange range_after_cut(const Slice& slice);
  Pair locate_apart(const Slice& source, const Slice& destination);
  bool same_cuts(const Slice& source, const Slice& destination, const Pair& pair) const;
  std::vector<std::int64_t> cuts_inside(const Slice& slice, ChunkRange chunks) const;
  void mirror(const std::vector<std::int64_t>& cuts, const Slice& slice);

  Cuts earlier_;
  std::vector<std::string> names_;
  std::vector<ChunkTable> tables_;
  std::vector<bool> relaxed_;
  bool any_relaxed_ = false;
  std::vector<SlicePair> apart_;  // copies of a stale pass, whose cuts are still to be carried over
  bool stale_ = false;
};

}  // namespace syncsim
