#pragma once
// A CUDA runtime in host memory, in place of the real one: devices, peers, memory, graphs whose
// nodes run in some order that their dependencies allow. It holds what code asks of it to what a
// device would: memory that was handed out, within reach; every handle given back.

#include <cstdint>
#include <string>

namespace syncsim::testing {

struct FakeCuda {
  int devices = 1;
  bool peers = true;
  std::uint64_t free = 1'000'000'000;  // bytes, of each device
  int failing_call = 0;                // the so-many-th that may fail does; 0: none
  int error = 2;                       // with this cudaError_t
  bool has_driver = true;

  // Counted from set_up().
  int calls = 0;           // that may fail
  int held = 0;            // handles and pieces of memory that are not given back
  std::string fault = {};  // what a device would not have done; "" for none
};

FakeCuda& fake_cuda();
// A machine as said, without anything on it.
void set_up(const FakeCuda& machine);

}  // namespace syncsim::testing
