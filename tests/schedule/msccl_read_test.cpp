// Plans of others: what they compute is proved, what is wrong with them is named.

#include <doctest/doctest.h>

#include <string>

#include "sim/schedule/msccl_xml.h"
#include "tests/schedule/msccl_text.h"
#include "tests/support/refusal.h"

namespace syncsim::msccl_read_test {
namespace {

using namespace testing;

MscclPlan read(const XmlPlan& plan, const MscclUse& use = {}) {
  return read_msccl(plan.text(), "p.xml", use);
}

// "valid", or what is wrong: "missing at rank 1, chunk 2: ...".
std::string verdict(const XmlPlan& plan, const MscclUse& use = {}) {
  const MscclPlan planned = read(plan, use);
  const auto violation = planned.violation ? planned.violation : check(planned.schedule);
  if (!violation) return "valid";
  return fmt::format("{} at rank {}, chunk {}: {}", to_string(violation->kind),
                     violation->participant, violation->chunk, violation->message);
}

// Without the words after the place.
std::string fault(const XmlPlan& plan, const MscclUse& use = {}) {
  const std::string text = verdict(plan, use);
  return text.substr(0, text.find(':'));
}

TEST_CASE("a ring of fused steps, all pairs, a direct all-gather: valid on any number of ranks") {
  for (const int ranks : {2, 3, 4, 8}) {
    CAPTURE(ranks);
    CHECK(verdict(ring_allreduce(ranks)) == "valid");
    CHECK(verdict(allpairs_allreduce(ranks)) == "valid");
    CHECK(verdict(direct_allgather(ranks)) == "valid");
  }
}

TEST_CASE("a ring of 4 has 24 transfers of one chunk in 4, as its steps say") {
  const Schedule schedule = read(ring_allreduce(4), {.bytes = Bytes{160}}).schedule;
  CHECK(schedule.ops.size() == 24);
  CHECK(schedule.buffers.front().boundaries == std::vector<std::int64_t>{0, 40, 80, 120, 160});
  CHECK(schedule.collectives.front().collective.bytes == Bytes{160});
}

TEST_CASE("two GPUs that exchange a chunk in place are no deadlock: sends wait for nobody") {
  CHECK(verdict(exchange()) == "valid");
}

TEST_CASE("an all-gather in place uses the output alone") {
  XmlPlan plan{"allgather", true, 2};
  for (const int rank : {0, 1})
    plan.gpus.push_back(
        {{1 - rank, 1 - rank, {send(out(rank)), {"r", out(1 - rank), out(1 - rank)}}}});
  CHECK(verdict(plan) == "valid");
}

TEST_CASE("rrs passes a sum on without keeping it, and a sum may go from one buffer to another") {
  // 0 -> 1 -> 2, which sums into its output and sends that back.
  XmlPlan plan{"allreduce", false, 1};
  plan.gpus = {{{1, 2, {send(in(0)), {"r", out(0), out(0)}}}},
               {{2, 0, {{"rrs", in(0), in(0)}}}, {-1, 2, {{"r", out(0), out(0)}}, 1}},
               {{0, 1, {{"rrcs", in(0), out(0), 1, -1, -1, 1}}},
                {1, -1, {{"s", out(0), out(0), 1, 0, 0}}, 1}}};
  CHECK(verdict(plan) == "valid");
}

TEST_CASE("an all-to-all: chunk j of rank r becomes chunk r of rank j, out of place and in place") {
  XmlPlan plan{"alltoall", false, 2};
  for (const int rank : {0, 1})
    plan.gpus.push_back(
        {{-1, -1, {{"cpy", in(rank), out(rank)}}},
         {1 - rank, 1 - rank, {{"s", in(1 - rank), out(rank)}, {"r", in(rank), out(1 - rank)}}}});
  CHECK(verdict(plan) == "valid");
  plan.in_place = true;
  for (auto& blocks : plan.gpus) blocks.erase(blocks.begin());
  CHECK(verdict(plan) == "valid");
}

TEST_CASE("reduce-scatter, broadcast and reduce are told by what their ranks end with") {
  XmlPlan scatter{"reduce_scatter", true, 2};
  for (const int rank : {0, 1})
    scatter.gpus.push_back(
        {{1 - rank, 1 - rank, {send(in(1 - rank)), {"rrc", in(rank), in(rank)}}}});
  CHECK(verdict(scatter) == "valid");
  XmlPlan one_way{
      "broadcast", true, 1, {{{1, -1, {send(in(0))}}}, {{-1, 0, {{"r", in(0), in(0)}}}}}};
  CHECK(verdict(one_way) == "valid");
  CHECK(fault(one_way, {.root = 1}) == "missing at rank 0, chunk 0");
  one_way.gpus[1][0].steps[0].type = "rrc";
  one_way.collective = "reduce";
  CHECK(verdict(one_way, {.root = 1}) == "valid");
}

TEST_CASE("a plan of \"custom\" computes what the reader says") {
  XmlPlan plan = ring_allreduce(3);
  plan.collective = "custom";
  CHECK(refusal_of([&] { read(plan); }) ==
        "p.xml:1:1: coll is \"custom\", which does not say what it computes; say it, with "
        "--collective");
  CHECK(verdict(plan, {.collective = CollectiveKind::allreduce}) == "valid");
  CHECK(refusal_of([&] { read(ring_allreduce(3), {.collective = CollectiveKind::broadcast}); }) ==
        "p.xml:1:1: the plan computes allreduce, not broadcast; give the collective allreduce");
}

TEST_CASE("damage is found where it is: the rank and the chunk") {
  XmlPlan swapped = ring_allreduce(4);
  swapped.gpus[1][0].steps[0] = send(in(2));  // chunk 1 was its turn
  CHECK(fault(swapped) == "origin at rank 2, chunk 1");

  XmlPlan unreceived = ring_allreduce(4);
  unreceived.gpus[2][0].steps.pop_back();  // its last receive: chunk 0
  CHECK(verdict(unreceived) ==
        "missing at rank 2, chunk 0: GPU 1, thread block 0, step 5 (rcs) sends to GPU 2 on channel "
        "0, which does not receive it");

  XmlPlan unsent = ring_allreduce(4);
  unsent.gpus[2][0].steps[5].type = "r";
  CHECK(verdict(unsent) ==
        "missing at rank 3, chunk 1: GPU 3, thread block 0, step 6 (r) receives from GPU 2 on "
        "channel 0, which sends nothing for it");

  XmlPlan doubled = ring_allreduce(4);
  doubled.gpus[3][0].steps[4].type = "rrcs";  // adds a sum that is complete: chunk 3
  CHECK(fault(doubled).starts_with("doubled at rank 3, chunk 3"));
}

TEST_CASE("steps that wait for each other are named") {
  XmlPlan plan{"allreduce", true, 1};
  for (const int peer : {1, 0})
    plan.gpus.push_back({{peer, peer, {{"rrc", in(0), in(0)}, send(in(0))}}});
  CHECK(
      verdict(plan) ==
      "cycle at rank 0, chunk 0: steps wait for each other, so that none can start: GPU 0, thread "
      "block 0, step 0 (rrc) waits for GPU 1, thread block 0, step 1 (s) waits for GPU 1, thread "
      "block 0, step 0 (rrc) waits for GPU 0, thread block 0, step 1 (s) waits for GPU 0, thread "
      "block 0, step 0 (rrc)");
}

// Rank 0 gets chunks from 1 and 2, in two thread blocks.
XmlPlan two_adders() {
  XmlPlan plan{"reduce", true, 1};
  plan.gpus = {{{-1, 1, {{"rrc", in(0), in(0), 1, -1, -1, 1}}}, {-1, 2, {{"rrc", in(0), in(0)}}}},
               {{0, -1, {send(in(0))}}},
               {{0, -1, {send(in(0))}}}};
  return plan;
}

TEST_CASE("thread blocks that add to one chunk at once race, unless one waits for the other") {
  XmlPlan plan = two_adders();
  CHECK(verdict(plan) ==
        "race at rank 0, chunk 0: GPU 0, thread block 1, step 0 (rrc) adds while another thread "
        "block does: chunk 0");
  plan.gpus[0][1].steps[0].block = 0;
  plan.gpus[0][1].steps[0].step = 0;
  CHECK(verdict(plan) == "valid");
}

TEST_CASE("a send of what another thread block writes races, unless it waits for that") {
  XmlPlan plan{"broadcast", true, 1};
  plan.gpus = {{{1, -1, {send(in(0))}}},
               {{-1, 0, {{"r", in(0), in(0), 1, -1, -1, 1}}}, {2, -1, {send(in(0))}}},
               {{-1, 1, {{"r", in(0), in(0)}}}}};
  CHECK(fault(plan) == "race at rank 1, chunk 0");
  plan.gpus[1][1].steps[0].block = 0;
  plan.gpus[1][1].steps[0].step = 0;
  CHECK(verdict(plan) == "valid");
}

TEST_CASE("what is added must be there: memory holds garbage before something is written") {
  XmlPlan plan = two_adders();
  plan.in_place = false;
  for (XmlBlock& block : plan.gpus[0]) block.steps[0].destination = block.steps[0].source = out(0);
  CHECK(verdict(plan) ==
        "missing at rank 0, chunk 0: GPU 0, thread block 0, step 0 (rrc) adds where nothing was "
        "written before: chunk 0");
}

TEST_CASE("a wait for a step keeps all before it in its thread block before, too") {
  // Thread block 0 of GPU 1 sends chunk 0 and then receives chunk 1; block 1 overwrites chunk 0
  // after the latter.
  XmlPlan plan{"broadcast", true, 2};
  plan.scratch = 1;
  plan.gpus = {{{1, -1, {send(in(0)), send(in(1))}, 1}, {1, -1, {send(in(0))}, 2}},
               {{2, 0, {{"r", in(0), in(0)}, send(in(0)), {"rcs", in(1), in(1), 1, -1, -1, 1}}, 1},
                {-1, 0, {{"r", in(0), in(0), 1, 0, 2}}, 2}},
               {{-1, 1, {{"r", in(0), in(0)}, {"r", in(1), in(1)}}, 1}}};
  CHECK(verdict(plan) == "valid");
  plan.gpus[1][1].steps[0].block = -1;
  CHECK(fault(plan) == "race at rank 1, chunk 0");
}

}  // namespace
}  // namespace syncsim::msccl_read_test
