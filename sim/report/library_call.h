#pragma once
// Of a run at a library's costs: what the library chose, and what a call pays beside the engine's
// time.

#include <string>
#include <vector>

namespace syncsim {

struct LibraryCall {
  std::string name;       // "nccl", "rccl", "none"
  std::string algorithm;  // "ring", "tree", "nvls", "nvls_tree", "pat", "send/recv"
  std::string protocol;   // "ll", "ll128", "simple"
  int channels = 0;
  double call_us = 0;  // of every call, on top of what the engine takes
  double host_us = 0;  // a call takes at least so long: one process drives several gpus
  std::vector<std::string> assumed;  // what nobody said
};

}  // namespace syncsim
