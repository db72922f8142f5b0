#pragma once
// What the cells of a schedule, chunks at participants, hold when a real run of it begins, and what
// its holders must hold in the end.
//   begin   a contributor's chunk holds its contribution, unless a compute op produces it; all else
//           is 0, the identity of the sum
//   end     a holder's chunk holds the sum of its contributors' contributions, exactly
// What a holder got through a relaxed buffer may be any part of the sum; some relaxed cell of that
// chunk must then hold the whole (check.h, rule 6): each push was applied once.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "sim/exec/real/contributions.h"
#include "sim/exec/real/real_executor.h"
#include "sim/schedule/check_chunks.h"
#include "sim/schedule/check_roles.h"
#include "sim/schedule/schedule.h"

namespace syncsim {

struct CellPlace {
  ParticipantId participant = 0;
  std::uint8_t buffer = 0;
  std::uint32_t chunk = 0;
};

class RunData {
 public:
  // Throws InputError for collectives of several datatypes, and for chunks that are cut inside an
  // element. Keeps a reference.
  explicit RunData(const Schedule& schedule);
  static std::uint64_t needed_bytes(const Schedule& schedule);

  const ElementType& type() const { return contributions_.type(); }
  // Whether the run has something to put there, or to look at in the end.
  bool matters(const CellPlace& cell) const;
  void begin(const CellPlace& cell, std::byte* memory) const;
  // By a compute op that produces it: the rank's contribution, if it has one to make there.
  void produce(const CellPlace& cell, std::byte* memory) const;
  // The first wrong element by rank and place. `memory_of` is asked for cells that matter.
  using MemoryOf = std::function<const std::byte*(const CellPlace& cell)>;
  std::optional<WrongElement> first_wrong(const MemoryOf& memory_of) const;
  std::optional<WrongElement> first_wrong_of(ParticipantId rank, const MemoryOf& memory_of) const;

 private:
  using ChunkId = checking::ChunkId;

  std::size_t index(const CellPlace& cell) const;
  CellPlace place(ParticipantId participant, ChunkId chunk) const;
  Elements elements(const CellPlace& cell) const;
  bool contributes(const CellPlace& cell) const;
  // The rank whose contribution the chunk's sum is, kNone where it is of all.
  ParticipantId contributor(ChunkId chunk) const { return roles_.of(chunk).contributors.only; }
  void note_produced();
  void follow_staleness();
  void follow(const Op& op, const CellPlace& from, const CellPlace& to,
              std::vector<ChunkId>& origins);
  bool is_stale(const CellPlace& cell) const { return !stale_.empty() && stale_[index(cell)]; }
  bool applied_once(ChunkId chunk, const MemoryOf& memory_of) const;
  std::optional<WrongElement> wrong_in(const CellPlace& cell, const MemoryOf& memory_of) const;

  const Schedule& schedule_;
  checking::ChunkIds ids_;
  checking::Roles roles_;
  Contributions contributions_;
  std::vector<bool> produced_;                 // by cell of a rank; empty: none is
  std::vector<bool> stale_;                    // by cell; empty: no buffer is relaxed
  std::multimap<ChunkId, CellPlace> relaxed_;  // the relaxed cells that hold parts of its sum
};

}  // namespace syncsim
