#pragma once
// One measurement each: a benchmark of ours, a work on the peer; every one in processes of its own,
// so that peak memory is its own too.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace syncsim::bench {

struct Measurement {
  std::uint64_t transfers = 0;
  double simulated = 0;      // ps; 0: nothing was simulated
  double cpu = 0;            // seconds, the median of the repetitions
  std::uint64_t memory = 0;  // bytes at the peak, the most of the repetitions
};

struct PeerMeasurement {
  bool over_limit = false;
  Measurement figures;
};

// The programs lie beside this one.
class Bench {
 public:
  // `options`: --scale and Google Benchmark's own.
  Bench(std::filesystem::path directory, std::vector<std::string> options)
      : directory_(std::move(directory)), options_(std::move(options)) {}

  // Gives the options to Google Benchmark as they are; its exit code.
  int pass_on() const;
  // How the peer drives SimGrid: "direct" or "public" (see simgrid_run.h); "" without a peer.
  std::string peer_way() const;
  // Names of the benchmarks that the options select. Throws InputError when they are wrong.
  std::vector<std::string> names() const;
  Measurement measure(const std::string& name) const;
  PeerMeasurement measure_peer(const std::string& work) const;

 private:
  std::vector<std::string> engine(const std::vector<std::string>& more) const;

  std::filesystem::path directory_;
  std::vector<std::string> options_;
};

}  // namespace syncsim::bench
