#include "bench/peak_memory.h"

#include <malloc.h>

#include <fstream>
#include <string>

namespace syncsim::bench {

// Freed memory goes back first, so that the work before does not count.
void reset_peak_memory() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";
}

std::int64_t peak_memory() {
  std::ifstream status("/proc/self/status");
  std::string key;
  std::int64_t kibibytes = 0;
  while (status >> key) {
    if (key != "VmHWM:") continue;
    status >> kibibytes;
    break;
  }
  return kibibytes * 1024;
}

}  // namespace syncsim::bench
