#pragma once
// Where a schedule's chunks lie in MSCCL's buffers, in equal units: the largest that all boundaries
// are multiples of. The data are the input (of an all-gather the output), in place; every other
// buffer lies in scratch, one after the other. Only an all-to-all is out of place: at rank r, row r
// of its data is the input, column r the output, and the rest, for others, scratch.

#include <cstdint>
#include <vector>

#include "sim/schedule/msccl/algorithm.h"
#include "sim/schedule/schedule.h"

namespace syncsim::msccl {

struct UnitRange {
  Place first;
  std::uint32_t count = 0;
};

class Units {
 public:
  // Keeps a reference. Throws InputError for chunks that are not alike enough.
  explicit Units(const Schedule& schedule);

  std::uint32_t chunks() const { return chunks_; }  // of the data, of one rank
  std::uint32_t scratch() const { return scratch_ + more_scratch_; }
  bool in_place() const { return !pairwise_; }
  UnitRange source(const Op& op) const;
  UnitRange destination(const Op& op) const;
  // Scratch that nothing else uses.
  Place new_scratch(std::uint32_t count);
  // Of an all-to-all: what a rank has for itself, in the input and in the output.
  UnitRange own_input(std::uint32_t rank) const;
  Place own_output(std::uint32_t rank) const;

 private:
  UnitRange range(ParticipantId rank, std::uint8_t buffer, std::uint32_t chunk,
                  std::uint32_t count) const;
  Place pairwise_place(std::uint32_t rank, std::uint32_t unit) const;

  const Schedule& schedule_;
  bool pairwise_;
  Space data_space_;
  std::int64_t unit_ = 1;
  std::uint32_t chunks_ = 1;
  std::vector<std::uint32_t> begins_;  // of each buffer in scratch
  std::uint32_t scratch_ = 0;
  std::uint32_t more_scratch_ = 0;
};

}  // namespace syncsim::msccl
