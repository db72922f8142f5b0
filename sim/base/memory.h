#pragma once
// Memory: what there is of it, and the refusal of what would need more. Without swap Linux kills a
// program that takes too much, and often others; so sizes are estimated before anything is built.

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace syncsim {

struct MemoryLimit {
  std::uint64_t bytes =
      std::numeric_limits<std::uint64_t>::max();  // for all that the program holds
  std::string text = "there is no limit";         // for messages: "this machine has 23 GB free"
  bool* passed = nullptr;                         // set once something is refused for its need

  bool allows(std::uint64_t need) const { return need <= bytes; }
};

// Throws InputError without a place: "WHAT needs about 420 GB, this machine has 23 GB free; RIGHT
// or allow more with --memory". `detail` follows the figure in brackets, empty for none.
void require_room(const MemoryLimit& limit, std::uint64_t need, std::string_view what,
                  std::string_view detail, std::string_view right);

// The least of what these leave to this process, in bytes: MemAvailable of /proc/meminfo, the
// memory control groups (v1 and v2) that it is in, with what they hold of files counted as free,
// and RLIMIT_AS. What cannot be read sets no limit. `root` goes before every path, for tests.
std::uint64_t available_memory(const std::string& root = "");

// Two or three digits: "420 GB", "1.4 GB", "512 B"; "8.6 G", "512".
std::string rough_bytes(std::uint64_t bytes);
std::string rough_count(std::uint64_t count);

// Estimates of absurd sizes stay below this instead of wrapping.
constexpr std::uint64_t capped_product(std::uint64_t a, std::uint64_t b) {
  std::uint64_t product = 0;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 60;
  return __builtin_mul_overflow(a, b, &product) || product > kMost ? kMost : product;
}

}  // namespace syncsim
