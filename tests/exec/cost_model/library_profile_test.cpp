// Constants of libraries, as files have them.

#include "sim/exec/cost_model/library_profile.h"

#include <doctest/doctest.h>

#include <string>

#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"

namespace syncsim::library_profile_test {
namespace {

constexpr const char* kRound = SYNCSIM_SOURCE_DIR "/tests/support/library_costs.json";
constexpr const char* kShipped = SYNCSIM_SHELF "/rates/library_costs.json";

}  // namespace

TEST_CASE("a constant is a number, or an object that says where it comes from") {
  const LibraryProfile profile = load_library_profile(kRound, "nccl");
  CHECK(profile.call == 10);
  CHECK(profile.host.back().per_gpu == 4);
  CHECK(profile.step[static_cast<std::size_t>(StepKind::pcie)] == ByProtocol{2, 3, 6});
  CHECK(profile.networks.size() == 5);
}

TEST_CASE("a usable share is that of the latest architecture that a gpu is not older than") {
  LibraryProfile profile = load_library_profile(kRound, "nccl");
  CHECK(share_of(profile.shares, {.sm = 70}) == 1);
  CHECK(share_of(profile.shares, {.sm = 80}) == 0.5);
  CHECK(share_of(profile.shares, {.sm = 89}) == 0.5);
  CHECK(share_of(profile.shares, {.sm = 100}) == 1);
  CHECK(share_of({}, {.sm = 100}) == 1);
  CHECK(share_of({}, {.sm = 100}, 0) == 0);
  profile.shares = {{{.gfx = 0x90a}, 0.9}, {{.gfx = 0x942}, 0.8}};  // AMD's: each its own
  CHECK(share_of(profile.shares, {.gfx = 0x942}) == 0.8);
  CHECK(share_of(profile.shares, {.gfx = 0x90a}) == 0.9);
  CHECK(share_of(profile.shares, {.gfx = 0x950}) == 1);
}

TEST_CASE("what a host takes depends on the library's age, where that is said") {
  const LibraryProfile profile = load_library_profile(kRound, "nccl");
  CHECK(profile.host_cost("2.4").per_gpu == 6);
  CHECK(profile.host_cost("2.9.9").per_gpu == 6);
  CHECK(profile.host_cost("2.10").per_gpu == 4);
  CHECK(profile.host_cost("").per_gpu == 4);
}

TEST_CASE("versions are compared number by number") {
  CHECK(is_older("2.4", "2.10"));
  CHECK(is_older("2.9.9", "2.10.0"));
  CHECK_FALSE(is_older("2.10.3", "2.10"));
  CHECK_FALSE(is_older("2.19.3-1+cuda12.2", "2.10"));
  CHECK_FALSE(is_older("3", "2.10"));
}

TEST_CASE("the shipped constants of both libraries can be read") {
  for (const char* library : {"nccl", "rccl"}) {
    const LibraryProfile profile = load_library_profile(kShipped, library);
    CHECK(profile.call > 0);
    CHECK_FALSE(profile.networks.empty());
  }
}

TEST_CASE("a file that lacks a constant, or has one below zero, is refused at its place") {
  const testing::TemporaryFolder folder;
  const std::string path = folder.write("costs.json", R"({"nccl": {"call_us": -1}})");
  CHECK(testing::refusal_of([&] { (void)load_library_profile(path, "nccl"); }) ==
        path + ":/nccl/call_us: a negative figure; write 0 or more");
  CHECK(testing::refusal_of([&] {
          (void)load_library_profile(path, "rccl");
        }).starts_with(path + ":/"));
}

}  // namespace syncsim::library_profile_test
