// The limit of latencies and overheads: where it is told, and that sums below it stay right.

#include "sim/topology/delay.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/topology/edits.h"
#include "tests/support/machines.h"
#include "tests/support/routed.h"
#include "tests/topology/json_support.h"

namespace syncsim::delay_test {
namespace {

using testing::read_machine;
using testing::refusal_of;

constexpr const char* kTooLong = " is too long for a latency or an overhead; write at most 1 s";

std::string pair_of(const std::string& figures) {
  return R"({"name": "m", "nodes": [{"id": "gpu[0-1]", "kind": "gpu"}],
    "link_types": {"x16": {"kind": "pcie", "bandwidth": "16 GB/s", )" +
         figures + R"(}}, "links": [{"between": ["gpu0", "gpu1"], "type": "x16"}]})";
}

std::string edit_refusal(const std::string& edit) {
  return refusal_of([&] {
    apply_edits(read_machine(pair_of(R"("latency": "2 us")")), std::vector{parse_edit(edit)});
  });
}

}  // namespace

TEST_CASE("files say latencies and overheads of at most 1 s") {
  const Topology machine = read_machine(pair_of(R"("latency": "1 s", "overhead": "1000 ms")"));
  CHECK(machine.links()[0].latency == kMostDelay);
  CHECK(machine.links()[0].overhead == kMostDelay);
  CHECK(refusal_of([] { read_machine(pair_of(R"("latency": "1000000000001 ps")")); }) ==
        std::string("m.json:/link_types/x16/latency: 1000000000001 ps") + kTooLong);
  CHECK(refusal_of([] { read_machine(pair_of(R"("overhead": "9000000 s")")); }) ==
        std::string("m.json:/link_types/x16/overhead: 9000000 s") + kTooLong);
}

TEST_CASE("edits set and scale latencies and overheads to at most 1 s") {
  CHECK(edit_refusal("kind:pcie latency=9000000 s") ==
        std::string(R"(edit "kind:pcie latency=9000000 s": 9000000 s)") + kTooLong);
  CHECK(edit_refusal("scale kind:pcie latency 500001") ==
        R"(edit "scale kind:pcie latency 500001": the latency 2.0000 us cannot be scaled by )"
        "500001; keep it to 1 s");
  CHECK(edit_refusal("add link:gpu0-gpu1 kind=nvlink bandwidth=8 GB/s latency=2 s") ==
        std::string(R"(edit "add link:gpu0-gpu1 kind=nvlink bandwidth=8 GB/s latency=2 s": 2 s)") +
            kTooLong);
  CHECK(edit_refusal("add link:gpu0-gpu1 kind=nvlink bandwidth=8 GB/s overhead=2 s") ==
        std::string(R"(edit "add link:gpu0-gpu1 kind=nvlink bandwidth=8 GB/s overhead=2 s": 2 s)") +
            kTooLong);
  const Topology longest = apply_edits(read_machine(pair_of(R"("latency": "2 us")")),
                                       std::vector{parse_edit("scale kind:pcie latency 500000")});
  CHECK(longest.links()[0].latency == kMostDelay);
}

TEST_CASE("the longest latencies of many hops add up") {
  constexpr int kSwitches = 9'999;  // at 1,000 s a hop it would wrap
  Topology::Parts parts = testing::two_gpus(kSwitches);
  const Link cable =
      testing::timed(testing::link_of(LinkKind::network, testing::gigabytes(1)), kMostDelay.ps);
  NodeId last = 0;
  for (int i = 0; i < kSwitches; ++i) {
    const auto next = static_cast<NodeId>(2 + i);
    testing::add_cable(parts, last, next, cable);
    last = next;
  }
  testing::add_cable(parts, last, 1, cable);
  testing::Routed machine(parts);
  CHECK(machine.route("gpu0", "gpu1").latency == Time{10'000 * kMostDelay.ps});
}

}  // namespace syncsim::delay_test
