// Logs and graph files with bytes changed, moved or lost: rings of all ranks, or an InputError.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/topology/import/importer.h"
#include "tests/topology/import/ring_log_support.h"

namespace syncsim::nccl_rings_fuzz_test {
namespace {

constexpr int kRanks = 4;

const std::string kTexts[] = {
    "n:1:2 [0] NCCL INFO comm 0x1 rank 0 nRanks 4 nNodes 1\n"
    "n:1:2 [0] NCCL INFO Channel 00/02 :    0   1   2   3\n"
    "n:1:2 [0] NCCL INFO Channel 01/02 :    0   3\n   2   1\n"
    "n:1:2 [0] NCCL INFO Ring 00 : 3 -> 0 -> 1\nn:1:2 [0] NCCL INFO Ring 01 : 1 -> 0 -> 3\n"
    "n:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/IPC\n"
    "n:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] [send] via NET/IB/1/GDRDMA\n",
    "<graphs version=\"1\"><graph id=\"0\" pattern=\"4\" crossnic=\"2\" nchannels=\"2\">"
    "<channel><net dev=\"0\"/><gpu dev=\"0\" rank=\"0\"/><gpu dev=\"1\" rank=\"1\"/></channel>"
    "<channel><gpu dev=\"0x1\"/><gpu dev=\"0\"/><net dev=\"0\"/></channel></graph></graphs>"};

// Knuth's generator: the same mutations everywhere.
struct Dice {
  std::uint64_t state;
  std::size_t below(std::size_t limit) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::size_t>(state >> 33) % limit;
  }
};

void mutate(std::string& text, Dice& dice) {
  static const std::string kBytes =
      std::string("0123456789 \n\r\t:/->[]<\"=xNCRIG\x1b\xc2\xa0\xff") + '\0';
  const std::size_t at = dice.below(text.size());
  const std::size_t length = 1 + dice.below(std::min<std::size_t>(12, text.size() - at));
  switch (dice.below(4)) {
    case 0:
      text[at] = kBytes[dice.below(kBytes.size())];
      break;
    case 1:
      text.erase(at, length);
      break;
    case 2:
      text.insert(dice.below(text.size()), text.substr(at, length));
      break;
    default:
      text.insert(at, 1, kBytes[dice.below(kBytes.size())]);
  }
}

bool passes_all_ranks(const Ring& ring) {
  std::vector<int> sorted = ring.order;
  std::sort(sorted.begin(), sorted.end());
  return sorted == std::vector<int>{0, 1, 2, 3} && ring.order.front() == 0 && ring.multiplicity > 0;
}

}  // namespace

TEST_CASE("a mutated text gives rings of all ranks, or an InputError with its place") {
  int good = 0;
  int bad = 0;
  for (const std::string& seed : kTexts) {
    for (std::uint64_t round = 0; round < 10'000; ++round) {
      Dice dice{round};
      std::string text = seed;
      for (std::size_t i = dice.below(6); i < 6 && !text.empty(); ++i) mutate(text, dice);
      CAPTURE(text);
      try {
        const std::vector<Ring> rings = read_nccl_rings(text, "f", kRanks, {2, 2, 2, 2});
        ++good;
        REQUIRE(!rings.empty());
        for (const Ring& ring : rings) REQUIRE(passes_all_ranks(ring));
      } catch (const InputError& error) {
        ++bad;
        REQUIRE(error.place().starts_with("f"));
        REQUIRE(!error.right().empty());
      }
    }
  }
  CHECK(good > 1'000);
  CHECK(bad > 1'000);
}

TEST_CASE("a log that is too long is not read") {
  CHECK(testing::rings_refusal(std::string(kMostImportBytes + 1, '\n'), 2) ==
        "nccl.log: has more than 64000000 bytes; keep the lines that say Channel or Ring");
}

}  // namespace syncsim::nccl_rings_fuzz_test
