// syncsim bound: text, JSON, refusals.

#include <doctest/doctest.h>

#include "tests/cli/program.h"
#include "tests/cli/refusals.h"

namespace syncsim::testing::bound_test {

TEST_CASE("bound tells the least time, what binds, and what more adding up would change") {
  const Outcome outcome = syncsim({"bound", "--topology", "pcie_4gpu", "--bytes", "160 MB"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err == "");
  CHECK(outcome.out ==
        R"(pcie_4gpu: allreduce of 160 MB, 4 ranks, line rates
where the ranks add up
  bound                       least time        algbw        busbw  what binds
  ports                       15.0000 ms   10.67 GB/s   16.00 GB/s  the ports out of all ranks
  partition                   15.0000 ms   10.67 GB/s   16.00 GB/s  4 parts of one rank, 64 GB/s out
    of them
  cut                         10.0000 ms   16.00 GB/s   24.00 GB/s  ranks 0 | 1-3, 1 link of 16 GB/s
  latency                           0 ps            -            -  the way from rank 0 (gpu0) to
    rank 1 (gpu1)
where the ranks and the CPUs add up
  bound                       least time        algbw        busbw  what binds
  partition                   12.0000 ms   13.33 GB/s   20.00 GB/s  4 parts of one rank and 1 of
    helpers, 80 GB/s out of them
  ports                       10.0000 ms   16.00 GB/s   24.00 GB/s  the ports out of rank 0 (gpu0)
  cut                         10.0000 ms   16.00 GB/s   24.00 GB/s  ranks 0 | 1-3, 1 link of 16 GB/s
  latency                           0 ps            -            -  the way from rank 0 (gpu0) to
    rank 1 (gpu1)
)");
}

TEST_CASE("bound as JSON: the largest on top, all of them in a list") {
  const Json json = json_of(syncsim({"bound", "--topology", "tpu_v4_4x4x4", "--bytes", "1 GB",
                                     "--collective", "all_gather", "--format", "json"}));
  CHECK(json["topology"] == "tpu_v4_4x4x4");
  CHECK(json["collective"] == "all-gather");
  CHECK(json["bytes"] == 1'000'000'000);
  CHECK(json["ranks"] == 64);
  CHECK(json["bound_us"].get<double>() == doctest::Approx(63 / 64.0 / 270 * 1e6));
  CHECK(json["bound_kind"] == "ports");
  CHECK(json["algbw_GBps"].get<double>() == doctest::Approx(64 * 270 / 63.0));
  CHECK(json["bounds"].size() == 3);
  CHECK(json["bounds"][1]["kind"] == "cut");
  CHECK(json["with_helpers"].empty());
}

TEST_CASE("bound says what it lacks") {
  const Outcome outcome = syncsim({"bound", "--topology", "dgx1v"});
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out == "");
  CHECK(outcome.err ==
        "syncsim: a machine and a size are needed; write such as: syncsim bound --topology dgx1v "
        "--bytes \"160 MB\"\n");
}

}  // namespace syncsim::testing::bound_test
