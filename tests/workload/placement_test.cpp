#include "sim/workload/placement.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <string>

namespace syncsim::testing::placement_test {
namespace {

const std::vector<Bytes> kKeys = {{400}, {8'000'004}, {40}, {4}, {4'096'004}, {12}};

// "key>server:begin+bytes".
std::string told(const PlacementOptions& options, std::size_t servers,
                 const std::vector<Bytes>& keys = kKeys) {
  std::string text;
  for (const Shard& shard : place_keys(options, keys, servers))
    text += (text.empty() ? "" : " ") + std::to_string(shard.key) + ">" +
            std::to_string(shard.server) + ":" + std::to_string(shard.begin) + "+" +
            std::to_string(shard.bytes);
  return text;
}

}  // namespace

TEST_CASE("mxnet: small keys by their number, large ones in parts that differ by an element") {
  // 9973 mod 3 = 1, so key k goes to server k mod 3; 2,000,001 elements are cut at 666,667 and
  // 1,333,334; 1,024,001 at 341,334 and 682,667.
  CHECK(told({}, 3) ==
        "0>0:0+400 1>0:0+2666668 1>1:2666668+2666668 1>2:5333336+2666668 2>2:0+40 3>0:0+4 "
        "4>0:0+1365336 4>1:1365336+1365332 4>2:2730668+1365336 5>2:0+12");
  CHECK(told({.big = 10'000'000}, 2) ==
        "0>0:0+400 1>1:0+8000004 2>0:0+40 3>1:0+4 4>0:0+4096004 5>1:0+12");
}

TEST_CASE("ps-lite: small numbers all lie in the first server's range") {
  CHECK(server_loads(place_keys({.placement = Placement::ps_lite}, kKeys, 4), 4) ==
        std::vector<std::int64_t>{12'096'464, 0, 0, 0});
}

TEST_CASE("balanced: the largest first, onto the server that holds least") {
  CHECK(told({.placement = Placement::balanced}, 2, {{3}, {5}, {4}, {4}, {2}}) ==
        "0>0:0+3 1>0:0+5 2>1:0+4 3>1:0+4 4>0:0+2");
}

TEST_CASE("byteps: partitions by the hash of their number") {
  // djb2("0") = 5381 x 33 + 48; of "65536" and "65537" by the same rule.
  CHECK(told({.placement = Placement::byteps}, 1'000'000'007, {{8}}) == "0>177621:0+8");
  CHECK(told({.placement = Placement::byteps}, 1, {{4'096'004}}) == "0>0:0+4096000 0>0:4096000+4");
  CHECK(told({.placement = Placement::byteps, .partition = {10}}, 1, {{20}}) ==
        "0>0:0+8 0>0:8+8 0>0:16+4");
}

TEST_CASE("every placement gives every byte to one server") {
  const std::int64_t all =
      std::accumulate(kKeys.begin(), kKeys.end(), std::int64_t{0},
                      [](std::int64_t sum, const Bytes& key) { return sum + key.count; });
  for (const PlacementRow& row : placements().rows())
    for (const std::size_t servers : {1u, 2u, 3u, 7u}) {
      const auto shards = place_keys({.placement = row.placement}, kKeys, servers);
      const auto held = server_loads(shards, servers);
      CHECK_MESSAGE(std::accumulate(held.begin(), held.end(), std::int64_t{0}) == all, row.name);
      for (std::size_t i = 0; i < shards.size(); ++i) {
        const bool follows = i > 0 && shards[i - 1].key == shards[i].key;
        CHECK(shards[i].begin == (follows ? shards[i - 1].begin + shards[i - 1].bytes : 0));
      }
    }
}

}  // namespace syncsim::testing::placement_test
