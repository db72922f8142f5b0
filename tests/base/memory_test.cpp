#include "sim/base/memory.h"

#include <doctest/doctest.h>

#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"

namespace syncsim::memory_test {
namespace {

using testing::refusal_of;
using testing::TemporaryFolder;

constexpr std::uint64_t kGigabyte = 1'000'000'000;

}  // namespace

TEST_CASE("figures for people have two or three digits") {
  CHECK(rough_bytes(0) == "0 B");
  CHECK(rough_bytes(512) == "512 B");
  CHECK(rough_bytes(999) == "999 B");
  CHECK(rough_bytes(1'000) == "1.0 kB");
  CHECK(rough_bytes(9'949) == "9.9 kB");
  CHECK(rough_bytes(9'950) == "10 kB");
  CHECK(rough_bytes(999'499) == "999 kB");
  CHECK(rough_bytes(999'500) == "1.0 MB");
  CHECK(rough_bytes(420 * kGigabyte) == "420 GB");
  CHECK(rough_count(512) == "512");
  CHECK(rough_count(8'589'803'520) == "8.6 G");
}

TEST_CASE("what there is room for passes, one byte more does not") {
  const MemoryLimit limit{kGigabyte, "this machine has 1.0 GB free"};
  CHECK(refusal_of([&] { require_room(limit, kGigabyte, "it", "", "do less"); }) == "accepted");
  CHECK(refusal_of([&] { require_room(limit, kGigabyte + 1, "it", "", "do less"); }) ==
        "it needs about 1.0 GB, this machine has 1.0 GB free; do less, or allow more with "
        "--memory");
  CHECK(refusal_of([&] { require_room(limit, 2 * kGigabyte, "it", "3 things", "do less"); }) ==
        "it needs about 2.0 GB (3 things), this machine has 1.0 GB free; do less, or allow more "
        "with --memory");
  CHECK(refusal_of([&] { require_room({}, ~std::uint64_t{0}, "it", "", "do less"); }) ==
        "accepted");
}

TEST_CASE("products of absurd sizes stay at 2^60") {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 60;
  CHECK(capped_product(3, 5) == 15);
  CHECK(capped_product(std::uint64_t{1} << 40, std::uint64_t{1} << 40) == kMost);
  CHECK(capped_product(std::uint64_t{1} << 31, std::uint64_t{1} << 31) == kMost);
}

TEST_CASE("the machine has what /proc/meminfo calls available") {
  const TemporaryFolder root;
  root.write("proc/meminfo", "MemTotal: 8000000 kB\nMemFree: 10 kB\nMemAvailable: 4000000 kB\n");
  CHECK(available_memory(root.path()) == 4'000'000 * std::uint64_t{1'024});
}

TEST_CASE("a control group of version 2 leaves its limit less what it uses, files aside") {
  const TemporaryFolder root;
  root.write("proc/meminfo", "MemAvailable: 4000000 kB\n");
  root.write("proc/self/cgroup", "0::/jobs/one\n");
  root.write("sys/fs/cgroup/jobs/one/memory.max", "max\n");
  root.write("sys/fs/cgroup/jobs/one/memory.current", "7\n");
  root.write("sys/fs/cgroup/jobs/memory.max", "2000000000\n");  // of the group around it
  root.write("sys/fs/cgroup/jobs/memory.current", "900000000\n");
  root.write("sys/fs/cgroup/jobs/memory.stat",
             "anon 500000000\ninactive_file 300000000\nactive_file 100000000\n");
  CHECK(available_memory(root.path()) == 1'500'000'000);
}

TEST_CASE("a control group of version 1, and a container that shows its own group as the root") {
  const TemporaryFolder root;
  root.write("proc/self/cgroup", "5:cpu:/a\n4:pids,memory:/docker/abc\n");
  root.write("sys/fs/cgroup/memory/memory.limit_in_bytes", "1000000000\n");
  root.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "400000000\n");
  root.write("sys/fs/cgroup/memory/memory.stat", "total_inactive_file 100000000\n");
  CHECK(available_memory(root.path()) == 700'000'000);
  root.write("sys/fs/cgroup/memory/memory.usage_in_bytes", "4000000000\n");
  CHECK(available_memory(root.path()) == 0);
}

TEST_CASE("here and now there is some memory, and not more than 2^50 bytes") {
  CHECK(available_memory() > 1'000'000);
  CHECK(available_memory() < std::uint64_t{1} << 50);
}

}  // namespace syncsim::memory_test
