// simgrid_peer WORK: runs one work of works.h on SimGrid and prints a JSON object: transfers,
// simulated_ps, cpu_s (from the first event on; the platform and the flows are there), peak_bytes.
// Ends with a signal (SIGXCPU) when the run takes more than 120 CPU seconds.
// simgrid_peer --way: prints how it drives SimGrid (see simgrid_run.h).

#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdio>
#include <ctime>
#include <string>

#include "bench/peak_memory.h"
#include "bench/simgrid_run.h"
#include "bench/works.h"
#include "sim/base/error.h"

namespace syncsim::bench {
namespace {

constexpr double kLimit = 120;  // CPU seconds

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

void limit_cpu() {
  const auto seconds = static_cast<rlim_t>(cpu_seconds() + kLimit) + 1;
  const rlimit limit{seconds, seconds + 1};
  setrlimit(RLIMIT_CPU, &limit);
}

void run(const std::string& work) {
  const FlowGraph flows = flows_of_case(work);
  SimgridPlatform platform(flows.fabric());
  limit_cpu();
  reset_peak_memory();
  const double begin = cpu_seconds();
  const double finish = run_on_simgrid(flows, platform);
  fmt::print(R"({{"transfers": {}, "simulated_ps": {:.0f}, "cpu_s": {}, "peak_bytes": {}}})"
             "\n",
             flows.transfers(), finish * 1e12, cpu_seconds() - begin, peak_memory());
  std::fflush(stdout);
}

}  // namespace
}  // namespace syncsim::bench

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: simgrid_peer WORK, or simgrid_peer --way\n");
    return 2;
  }
  const std::string work = argv[1];
  if (work == "--way") {
    fmt::print("{}", syncsim::bench::way_to_simgrid());
    return 0;
  }
  try {
    syncsim::bench::run(work);
  } catch (const syncsim::InputError& failure) {
    fmt::print(stderr, "simgrid_peer: {}\n", failure.what());
    return 2;
  }
}
