#pragma once
// What fat_tree and rail_optimized share: how many cables lead up from a switch, and how they are
// wired. All must come out whole; what does not is refused with what would.

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/base/json_reader.h"
#include "sim/topology/topology.h"

namespace syncsim {

// total / divisor. Else: "`total` `things` do not fill `into`; write 16 or 32", which divide it.
std::uint64_t divide(const JsonReader& at, std::uint64_t total, std::string_view things,
                     std::uint64_t divisor, const std::string& into);

// What a switch has below, and what it may send up of it.
struct Uplinks {
  double down = 0;              // bytes/s
  double oversubscription = 1;  // down : up
  Link link;                    // one cable up
  std::string_view name = "leaf";
};

// down / (oversubscription x the bandwidth of `link`), at least 1.
std::uint64_t count_uplinks(const JsonReader& at, const Uplinks& uplinks);

// One ratio; or a list of up to `levels` ratios, the leaves' first. 1 where nothing is said.
std::vector<double> read_oversubscription(const JsonReader& json, std::size_t levels);

// What is above a switch: its `uplinks` cables, spread evenly over `switches`.
struct Level {
  std::uint64_t uplinks = 0;
  std::uint64_t switches = 0;

  int cables_each() const { return static_cast<int>(uplinks / switches); }
};

// `key` says how many switches there are above `groups` that do not share them; as many as uplinks
// when it is not written.
Level read_level(const JsonReader& json, std::string_view key, std::uint64_t uplinks,
                 std::uint64_t groups);

// Joins each of `below` switches to each of the level's, the first of which is `above`.
void join_level(Topology::Parts& parts, NodeId below, std::uint64_t count, NodeId above,
                const Level& level, const Link& link);

}  // namespace syncsim
