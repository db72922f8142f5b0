#pragma once
// Vectors for what grows with the work: from 2 MiB on their memory asks for huge pages, where the
// system has them on request (Linux: transparent_hugepage `madvise` or `always`). Big runs then
// spend no time on page faults, and walks at random miss fewer translations.

#include <cstddef>
#include <new>
#include <vector>

namespace syncsim {

inline constexpr std::size_t kHugePage = std::size_t{2} << 20;

// Says to the system that this memory is better in huge pages; no promise.
void prefer_huge_pages(void* memory, std::size_t bytes);

template <class T>
struct LargePages {
  using value_type = T;

  LargePages() = default;
  template <class Other>
  LargePages(const LargePages<Other>&) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    void* memory = ::operator new(bytes, alignment(bytes));
    if (bytes >= kHugePage) prefer_huge_pages(memory, bytes);
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) {
    ::operator delete(memory, alignment(count * sizeof(T)));
  }
  bool operator==(const LargePages&) const = default;

 private:
  static std::align_val_t alignment(std::size_t bytes) {
    return std::align_val_t{bytes >= kHugePage ? kHugePage : alignof(T)};
  }
};

template <class T>
using LargeVector = std::vector<T, LargePages<T>>;

}  // namespace syncsim
