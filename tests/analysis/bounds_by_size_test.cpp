#include "sim/analysis/bounds_by_size.h"

#include <doctest/doctest.h>

#include "sim/topology/topology_json.h"
#include "tests/support/machines.h"

namespace syncsim::bounds_by_size_test {

TEST_CASE("a bound by size is the lower bound of each size, whether blocks divide or not") {
  for (const char* name : {"dgx_a100", "hgx_h100", "mi250", "dgx1v_x2"}) {
    const Topology machine = load_topology(name, SYNCSIM_SHELF);
    const std::vector<NodeId> switches = able_nodes(machine);
    for (const CollectiveKind kind :
         {CollectiveKind::allreduce, CollectiveKind::all_gather, CollectiveKind::reduce_scatter,
          CollectiveKind::all_to_all, CollectiveKind::broadcast}) {
      Collective collective{kind, static_cast<int>(machine.ranks().size()), Bytes{}};
      const BoundsBySize bounds({.topology = machine,
                                 .ranks = machine.ranks(),
                                 .collective = collective,
                                 .helpers = switches});
      for (const std::int64_t bytes : {4L, 1024L, 1'000'000L, 123'456'788L, 1L << 34}) {
        CAPTURE(name);
        CAPTURE(bytes);
        collective.bytes = {bytes};
        const LowerBound found = bounds.at({bytes});
        const LowerBound expected = lower_bound({.topology = machine,
                                                 .ranks = machine.ranks(),
                                                 .collective = collective,
                                                 .helpers = switches});
        CHECK(found.seconds == doctest::Approx(expected.seconds).epsilon(1e-12));
        CHECK(found.kind == expected.kind);
      }
    }
  }
}

TEST_CASE("twice the bytes take twice the least time: 4 ranks on 16 GB/s sum 160 MB in 15 ms") {
  const Topology machine(testing::star(4));
  const Collective collective{CollectiveKind::allreduce, 4, Bytes{}};
  const BoundsBySize bounds({machine, machine.ranks(), collective});
  CHECK(bounds.at({160'000'000}).seconds == doctest::Approx(0.015));
  CHECK(bounds.at({320'000'000}).seconds == doctest::Approx(0.03));
  CHECK(bounds.at({320'000'000}).kind == "ports");
}

}  // namespace syncsim::bounds_by_size_test
