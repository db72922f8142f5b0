#pragma once
// The memory and the peers of a fake machine.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "tests/cuda/fake_cuda.h"

namespace syncsim::testing {

inline constexpr int kPinned = -1;

struct FakeMemory {
  struct Piece {
    std::size_t bytes;
    int device;  // kPinned: the host's
  };
  std::map<std::byte*, Piece> pieces;
  std::set<std::pair<int, int>> peers;  // (by, of)
  int selected = 0;
};

FakeMemory& fake_memory();
// Notes a fault where the device cannot reach all of these bytes.
void reach(int device, const void* at, std::size_t bytes);
// Whether this call fails, as fake_cuda() says.
bool fails();
// What the calls that fail answer.
inline cudaError_t failure() { return static_cast<cudaError_t>(fake_cuda().error); }

}  // namespace syncsim::testing
