#pragma once
// Who wrote and read the chunks of one GPU, in an order that its steps allow. Of two accesses to a
// chunk, one of them a write, the later one is ordered after the earlier where the plan says so: by
// their thread block or by dependencies between blocks (vector clocks). Where it does not, they get
// no edge, and the proof finds the race.

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "sim/schedule/msccl/layout.h"

namespace syncsim::msccl {

using Node = std::uint32_t;  // an op to be

inline constexpr std::uint32_t kSetup = 0xffffffffu;  // the block of what comes before all steps

struct Access {
  Node node = 0;
  std::uint32_t block = kSetup;
  std::int32_t position = -1;
  bool adds = false;
};

class Accesses {
 public:
  explicit Accesses(std::size_t blocks)
      : blocks_(blocks), clocks_(blocks, std::vector<std::int32_t>(blocks, -1)) {}

  // The block comes to its next step, which waits for that position of another block.
  void wait(std::uint32_t block, std::uint32_t other, std::int32_t position);
  // The block has done the position; others may wait for it later.
  void done(std::uint32_t block, std::int32_t position, bool has_dependents);

  // Appends the nodes that come before, and notes the access. `given`: whether the cell holds
  // something from the start.
  void read(const Cell& cell, const Access& access, std::vector<Node>& before);
  // False: another block adds to the cell, and nobody says which comes first.
  bool write(const Cell& cell, const Access& access, std::vector<Node>& before);

  bool holds(const Cell& cell, bool given) const;
  void set_holds(const Cell& cell, bool holds) { chunks_[key(cell)].holds = holds ? 1 : 0; }

 private:
  struct Chunk {
    bool written = false;
    Access writer;
    std::vector<Access> readers = {};  // since
    int holds = -1;                    // something: 1, nothing: 0, as from the start: -1
  };

  static std::uint64_t key(const Cell& cell) {
    return std::uint64_t{cell.buffer} << 32 | cell.chunk;
  }
  bool is_before(const Access& earlier, const Access& later) const;

  std::size_t blocks_;
  std::vector<std::vector<std::int32_t>> clocks_;  // what each block knows to be done
  std::map<std::pair<std::uint32_t, std::int32_t>, std::vector<std::int32_t>> past_;
  std::unordered_map<std::uint64_t, Chunk> chunks_;
};

}  // namespace syncsim::msccl
