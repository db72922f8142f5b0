#pragma once
// What ranks contribute in real runs: whole numbers whose sums over all ranks are exact in the
// datatype in any order, and which tell ranks and places apart as far as it has room for that.
//   m = clamp(most exact sum / ranks, 1, 97);  v(r, e) = 1 + mix(r, e mod P) mod m
// with P = 4093, a prime, so that no shift of blocks goes unnoticed. Where there are more ranks
// than the largest exact sum (bfloat16: 256), every k-th of them contributes 1, the others 0.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/exec/real/elements.h"
#include "sim/schedule/schedule.h"

namespace syncsim {

struct Elements {
  std::int64_t first = 0;  // counted from the begin of their buffer
  std::int64_t count = 0;
};

class Contributions {
 public:
  // For buffers of at most so many elements.
  Contributions(std::uint32_t ranks, const ElementType& type, std::int64_t elements);

  static std::uint64_t table_bytes(std::uint32_t ranks, const ElementType& type,
                                   std::int64_t elements);

  const ElementType& type() const { return type_; }
  void write(ParticipantId rank, Elements range, std::byte* to) const;
  // The first element that is not the sum of what `rank` contributes, of all for kNone.
  std::optional<std::int64_t> first_wrong(ParticipantId rank, Elements range,
                                          const std::byte* found) const;
  std::int64_t value(ParticipantId rank, std::int64_t element) const;  // kNone: the sum

 private:
  const std::byte* row(ParticipantId rank) const;
  // Calls act(offset into the range, offset into a row, bytes) piece by piece.
  template <class Act>
  void each_piece(Elements range, Act&& act) const;

  const ElementType& type_;
  std::uint32_t ranks_;
  std::int64_t period_;
  std::vector<std::byte> rows_;  // of each rank, then the sum
};

}  // namespace syncsim
