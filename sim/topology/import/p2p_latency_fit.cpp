#include "sim/topology/import/p2p_latency_fit.h"

#include <algorithm>
#include <cmath>

namespace syncsim {
namespace {

constexpr int kMostRounds = 200;
constexpr double kSettled = 0.01;  // ps

// Simultaneous iterative reconstruction: every sample shares what it lacks evenly among its links,
// and a link takes the mean of what its samples give it.
class LatencyFit {
 public:
  LatencyFit(const std::vector<LatencySample>& samples, std::size_t links)
      : samples_(samples), latencies_(links), given_(links), takers_(links) {
    for (const LatencySample& sample : samples)
      for (const LinkId link : sample.links) ++takers_[link];
  }

  std::vector<std::optional<Time>> run() {
    for (int round = 0; round < kMostRounds; ++round)
      if (improve() < kSettled) break;
    std::vector<std::optional<Time>> result(latencies_.size());
    for (std::size_t link = 0; link < result.size(); ++link)
      if (takers_[link] > 0) result[link] = Time{std::llround(latencies_[link])};
    return result;
  }

 private:
  // The largest change.
  double improve() {
    std::fill(given_.begin(), given_.end(), 0.0);
    for (const LatencySample& sample : samples_) {
      const double share = sample.picoseconds / sample.hops - mean(sample);
      for (const LinkId link : sample.links) given_[link] += share;
    }
    double largest = 0;
    for (std::size_t link = 0; link < latencies_.size(); ++link) {
      if (takers_[link] == 0) continue;
      const double next = std::max(0.0, latencies_[link] + given_[link] / takers_[link]);
      largest = std::max(largest, std::abs(next - latencies_[link]));
      latencies_[link] = next;
    }
    return largest;
  }

  double mean(const LatencySample& sample) const {
    double sum = 0;
    for (const LinkId link : sample.links) sum += latencies_[link];
    return sum / static_cast<double>(std::max<std::size_t>(1, sample.links.size()));
  }

  const std::vector<LatencySample>& samples_;
  std::vector<double> latencies_;  // ps, of each link, as the next two
  std::vector<double> given_;
  std::vector<int> takers_;
};

}  // namespace

std::vector<std::optional<Time>> fitted_latencies(const std::vector<LatencySample>& samples,
                                                  std::size_t links) {
  return LatencyFit(samples, links).run();
}

}  // namespace syncsim
