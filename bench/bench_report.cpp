// bench_report [--scale] [Google Benchmark's options]: runs the benchmarks one by one, and the peer
// on the same works where it is built; prints one table. Progress goes to stderr. Exit code 1 when
// the two simulated different times.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "bench/measure.h"
#include "bench/table.h"
#include "sim/base/error.h"

namespace syncsim::bench {
namespace {

constexpr std::string_view kSimulation = "simulation/";
constexpr double kPeerPrecision = 1000;  // ps: SimGrid merges events that are closer

// "simulation/ring/1024", without what Google Benchmark appends.
std::string title(const std::string& name) { return name.substr(0, name.rfind("/process_time")); }

std::string rate(const Measurement& figures) {
  const double transfers = static_cast<double>(figures.transfers);
  return thousands(static_cast<std::uint64_t>(std::llround(transfers / figures.cpu)));
}

std::string megabytes(const Measurement& figures) {
  return fmt::format("{:.0f}", static_cast<double>(figures.memory) / 1e6);
}

std::string milliseconds(const Measurement& figures) {
  return figures.simulated == 0 ? "" : fmt::format("{:.6f}", figures.simulated / 1e9);
}

Cells own_cells(const std::string& name, const Measurement& own) {
  return {title(name),       thousands(own.transfers),
          milliseconds(own), fmt::format("{:.3f}", own.cpu),
          rate(own),         megabytes(own)};
}

bool same_time(const Measurement& own, const PeerMeasurement& peer) {
  return std::abs(peer.figures.simulated - own.simulated) <= kPeerPrecision;
}

Cells peer_cells(const Measurement& own, const PeerMeasurement& peer) {
  if (peer.over_limit) return {"over 120", "", "", "", ""};
  return {fmt::format("{:.3f}", peer.figures.cpu), rate(peer.figures), megabytes(peer.figures),
          fmt::format("{:.1f}", peer.figures.cpu / own.cpu),
          same_time(own, peer) ? "yes" : "no: " + milliseconds(peer.figures) + " ms"};
}

std::string per_transfer(const Measurement& own) {
  return fmt::format("{:.0f}", own.cpu / static_cast<double>(own.transfers) * 1e9);
}

std::string_view describe(std::string_view way) {
  if (way == "direct") return "peer: SimGrid's network model, called directly";
  if (way == "public")
    return "peer: SimGrid's public API, quadratic by its list of communications (its source, which "
           "the direct way needs, was not to be had)";
  return "peer: none (SimGrid is not installed)";
}

class Report {
 public:
  Report(const Bench& bench, bool scale)
      : bench_(bench), scale_(scale), way_(scale ? "" : bench.peer_way()) {}

  // False when the peer simulated another time than we.
  bool run() {
    std::vector<Cells> rows = {header()};
    for (const std::string& name : bench_.names()) rows.push_back(measure(name));
    print(rows);
    if (!scale_) fmt::print("{}\n", describe(way_));
    return same_;
  }

 private:
  Cells header() const {
    Cells cells = {"work", "transfers", "simulated ms", "CPU s", "transfers/CPU s", "peak MB"};
    if (scale_) cells.push_back("ns/transfer");
    if (!way_.empty())
      cells.insert(cells.end(), {"peer CPU s", "transfers/CPU s", "peak MB", "ratio", "same time"});
    return cells;
  }
  Cells measure(const std::string& name) {
    fmt::print(stderr, "bench: {}\n", title(name));
    const Measurement own = bench_.measure(name);
    Cells row = own_cells(name, own);
    if (scale_) row.push_back(per_transfer(own));
    if (way_.empty() || !name.starts_with(kSimulation)) return row;
    const PeerMeasurement peer = bench_.measure_peer(title(name).substr(kSimulation.size()));
    for (const std::string& cell : peer_cells(own, peer)) row.push_back(cell);
    same_ = same_ && (peer.over_limit || same_time(own, peer));
    return row;
  }

  const Bench& bench_;
  bool scale_;
  std::string way_;
  bool same_ = true;
};

}  // namespace
}  // namespace syncsim::bench

int main(int argc, char** argv) {
  const std::vector<std::string> options(argv + 1, argv + argc);
  const auto asks = [](const std::string& option) {
    return option == "--help" || option.starts_with("--benchmark_list_tests");
  };
  const bool scale = std::find(options.begin(), options.end(), "--scale") != options.end();
  try {
    const auto here = std::filesystem::canonical("/proc/self/exe").parent_path();
    const syncsim::bench::Bench bench(here, options);
    if (std::any_of(options.begin(), options.end(), asks)) return bench.pass_on();
    return syncsim::bench::Report(bench, scale).run() ? 0 : 1;
  } catch (const syncsim::InputError& failure) {
    fmt::print(stderr, "{}\n", failure.what());
    return 2;
  } catch (const std::exception& failure) {
    fmt::print(stderr, "bench: {}\n", failure.what());
    return 3;
  }
}
