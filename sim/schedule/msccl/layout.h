#pragma once
// Where MSCCL's buffers lie in a schedule. Its input holds what a rank contributes, its output what
// it must hold in the end; in place they are one memory. A schedule's data are both at once:
//   in place      input and output are the data, at the rank's own part where they are smaller
//   out of place  the input is the data, the output a buffer beside it, copied to the data in the
//                 end: so whatever the plan did not write there is missing
//   all-to-all    chunk j of rank r goes to row r of the data at first, column r in the end: in
//                 place they are a buffer beside the data, copied from and to it
// Every chunk is as large as every other; `chunks` are the plan's, nchunksperloop.

#include <cstdint>
#include <vector>

#include "sim/schedule/collective.h"
#include "sim/schedule/msccl/algorithm.h"

namespace syncsim::msccl {

// Chunks of a buffer of the schedule.
struct Cell {
  std::uint8_t buffer = 0;
  std::uint32_t chunk = 0;
  friend bool operator==(const Cell&, const Cell&) = default;
};

struct CellMove {
  Cell from;
  Cell to;
  std::uint32_t count = 0;
};

class Layout {
 public:
  // Buffers of the schedule.
  static constexpr std::uint8_t kData = 0;
  static constexpr std::uint8_t kBeside = 1;  // the output, or in place the memory of an all-to-all
  static constexpr std::uint8_t kScratch = 2;
  static constexpr std::uint8_t kInFlight = 3;  // what was sent and not yet received

  // Collective::bytes are of no account. Throws InputError without a place for a collective that
  // MSCCL has not, and for chunks that its ranks do not divide.
  Layout(const Collective& collective, std::uint32_t chunks, bool in_place);

  // Chunks of a rank.
  std::uint32_t size(Space space) const;  // of the input or the output
  std::uint32_t data_chunks() const;      // of the schedule
  std::uint32_t chunks_beside() const;
  Cell at(int rank, Space space, std::uint32_t chunk) const;
  // Whether it holds a contribution, or a copy of one, before the first step.
  bool is_given(int rank, const Cell& cell) const;
  // The data chunk that a cell of the data or beside it stands for.
  std::uint32_t data_chunk(int rank, const Cell& cell) const;

  std::vector<CellMove> before(int rank) const;
  std::vector<CellMove> after(int rank) const;

 private:
  std::uint32_t part() const { return chunks_ / static_cast<std::uint32_t>(collective_.ranks); }
  bool is_pairwise() const { return collective_.kind == CollectiveKind::all_to_all; }
  std::uint32_t begin(int rank, Space space) const;  // of the input or the output in the data
  bool has_output(int rank) const;

  Collective collective_;
  std::uint32_t chunks_;
  bool in_place_;
};

// As "coll" names it: "reduce_scatter". Throws InputError for those that MSCCL has not.
std::string_view collective_name(CollectiveKind kind);

}  // namespace syncsim::msccl
