#pragma once
// The networks of the benchmarks' flows, as links and as the links that a pair of hosts uses. All
// links carry 16 GB/s. Every route takes 2 us, all of it on the hosts' links: SimGrid's CM02 weighs
// shares by 1 / latency, so only equal latencies make it plainly max-min fair.
//
// Links: 2h is the way up from host h, 2h + 1 the way down to it; then the trunks.

#include <cstdint>
#include <vector>

namespace syncsim::bench {

inline constexpr double kBandwidth = 16e9;               // bytes/s, of every link
inline constexpr std::int64_t kHostLatency = 1'000'000;  // ps, of a host's link

class Fabric {
 public:
  static Fabric star(std::uint32_t hosts);
  // Two levels: 16 leaves of 8 hosts, 8 spines, up by spine = destination mod 8.
  static Fabric fat_tree();

  bool is_star() const { return leaves_ == 1; }
  std::uint32_t hosts() const { return hosts_; }
  std::uint32_t links() const;
  // In the order of the way; from != to.
  std::vector<std::uint32_t> path(std::uint32_t from, std::uint32_t to) const;

 private:
  Fabric(std::uint32_t hosts, std::uint32_t leaves, std::uint32_t spines)
      : hosts_(hosts), leaves_(leaves), spines_(spines) {}
  std::uint32_t leaf(std::uint32_t host) const { return host / (hosts_ / leaves_); }
  std::uint32_t trunk(std::uint32_t leaf, std::uint32_t spine) const {
    return 2 * hosts_ + 2 * (leaf * spines_ + spine);
  }

  std::uint32_t hosts_;
  std::uint32_t leaves_;
  std::uint32_t spines_;
};

}  // namespace syncsim::bench
