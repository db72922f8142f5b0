#pragma once
// Which ranks contribute to a chunk and which must end with its sum, by the collective placed on
// it.

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/schedule/check_chunks.h"

namespace syncsim::checking {

// All ranks, or just one.
struct RankSet {
  std::uint32_t only = kNone;

  bool contains(std::uint32_t rank) const { return only == kNone || only == rank; }
  std::uint32_t size(std::uint32_t ranks) const { return only == kNone ? ranks : 1; }
};

struct Role {
  RankSet contributors;
  RankSet holders;
};

// A chunk of no bytes has no role: nothing has to hold of it.
class Roles {
 public:
  // The collectives have passed check_collectives.
  explicit Roles(const ChunkIds& ids);

  bool has(ChunkId chunk) const { return assigned_[chunk].collective != kNone; }
  Role of(ChunkId chunk) const;
  const Collective& collective(ChunkId chunk) const;

 private:
  struct Assigned {
    std::uint32_t collective = kNone;
    std::uint32_t block = kNone;
  };

  const Schedule& schedule_;
  std::vector<Assigned> assigned_;  // by chunk
};

// Placed inside its buffer, over all ranks, with the bytes of its chunks, apart from the others,
// and where blocks matter every chunk in one block. The buffers have passed check_structure.
std::optional<Violation> check_collectives(const Schedule& schedule);

}  // namespace syncsim::checking
