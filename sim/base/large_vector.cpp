#include "sim/base/large_vector.h"

#include <sys/mman.h>

namespace syncsim {

void prefer_huge_pages(void* memory, std::size_t bytes) {
  madvise(memory, bytes, MADV_HUGEPAGE);
}

}  // namespace syncsim
