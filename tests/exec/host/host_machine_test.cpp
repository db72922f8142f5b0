#include "sim/exec/host/host_machine.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "sim/exec/executor.h"
#include "tests/support/schedules.h"

namespace syncsim::testing::host_machine_test {

TEST_CASE("the host as a machine: ranks that share its memory, by what was measured") {
  const Topology host(measured_host(3, {.threads = 2}, {4'000'000}));
  CHECK(host.ranks().size() == 3);
  CHECK(host.node("cpu0") == 4);
  CHECK(host.source().starts_with("Measured on this host by the host executor with 2 threads"));
  const Bandwidth copy = host.links()[1].usable;  // into a rank
  CHECK(copy.bytes_per_second > 1e8);
  CHECK(host.nodes()[host.node("memory")].transit_bandwidth->bytes_per_second > 1e8);
  CHECK(host.nodes()[host.node("gpu0")].reduce_bandwidth->bytes_per_second > 1e7);
  CHECK(host.links().front().overhead.ps > 0);

  HandMade made(collective_of(CollectiveKind::broadcast, 2, 1'000'000'000), 1);
  made.copy(0, 1, 0);
  const Timeline timeline = execute_simulated(made.build(), host, {});
  const double least =
      std::min(copy.bytes_per_second, host.nodes()[0].transit_bandwidth->bytes_per_second);
  CHECK(seconds(timeline.finish - host.links().front().overhead) ==
        doctest::Approx(1e9 / least).epsilon(1e-6));
}

}  // namespace syncsim::testing::host_machine_test
