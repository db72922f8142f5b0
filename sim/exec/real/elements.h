#pragma once
// Arithmetic on elements in memory, by datatype. Integers wrap; floating point rounds to nearest,
// ties to even, after every addition, as devices do. Whole numbers up to `most_exact` are exact.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/base/named_table.h"

namespace syncsim {

struct ElementType {
  std::string_view name;  // as in datatypes()
  std::string_view description;
  std::size_t size;         // bytes
  std::int64_t most_exact;  // 0: sums of any size, modulo 2^bits
  // sum[i] += addend[i] over `bytes`, a multiple of the size; the two do not overlap.
  void (*add)(std::byte* sum, const std::byte* addend, std::size_t bytes);
  void (*store)(std::byte* at, std::int64_t value);
  std::int64_t (*load)(const std::byte* at);  // rounded to a whole number; for messages
};

// One row for each of datatypes().
const NamedTable<ElementType>& element_types();

}  // namespace syncsim
