// The sentences of an explanation.

#include "sim/report/explanation.h"

#include <doctest/doctest.h>

#include "sim/report/explain_words.h"
#include "tests/report/reports.h"

namespace syncsim::explanation_test {
namespace {

using testing::textbook_report;

constexpr Time kBefore{60'000'000'000};

TriedChange tried(ChangeKind kind, const std::string& what, std::int64_t ms) {
  const Time time{ms * 1'000'000'000};
  return {kind, what, {}, time, seconds(kBefore) / seconds(time), "--edit \"x\"", kBefore};
}

}  // namespace

TEST_CASE("the link that is full for longest binds, with those that share it") {
  CHECK(binding_sentence(textbook_report()) ==
        "gpu0>switch0 binds, 16 GB/s in that direction: it is full for 30.0000 ms of 60.0000 ms, "
        "and 3 flows share it: gpu0>gpu1, gpu0>gpu2, gpu0>gpu3; 1 other is full as long.");
  Report report = textbook_report();
  LinkReport& link = report.links[0];
  link.saturated = report.time;
  link.flows.resize(1);
  CHECK(binding_sentence(report) ==
        "gpu0>switch0 binds, 16 GB/s in that direction: it is full for 60.0000 ms of 60.0000 ms, "
        "and it carries gpu0>gpu1 alone.");
  link.flows.assign(6, {"gpu0", "gpu1", 1, 1});
  CHECK(binding_sentence(report).ends_with(
      "6 flows share it: gpu0>gpu1, gpu0>gpu1, gpu0>gpu1 and 3 more."));
  link.flows.clear();
  CHECK(binding_sentence(report).ends_with("and the background fills it."));
}

TEST_CASE("where no link is full for 1 % of the time, the critical path says where it goes") {
  Report report = textbook_report();
  for (LinkReport& link : report.links) link.saturated = Time{report.time.ps / 101};
  report.critical_path.resize(1);
  report.critical_path[0].start = {};
  report.critical_path[0].finish = {6'000'000'000};
  CHECK(binding_sentence(report) ==
        "No link binds: the busiest, gpu0>switch0, is used to 50.0 %; on the critical path of 1 "
        "ops bytes move for 6.0000 ms of 60.0000 ms, the rest is latency, overhead and waiting for "
        "turns.");
  report.links.clear();
  CHECK(binding_sentence(report) == "No link binds: nothing is carried.");
}

TEST_CASE("nothing to do is explained too") {
  CHECK(binding_sentence(testing::empty_report()) == "Nothing binds: nothing takes time.");
  CHECK(bound_sentence(testing::empty_report()) == "The lower bound is 0: nothing has to move.");
}

TEST_CASE("the distance to the lower bound, and what that rests on") {
  Report report = textbook_report();
  CHECK(bound_sentence(report) ==
        "It takes 4.00 times the lower bound, 15.0000 ms (the ports out of all ranks: what the "
        "ranks have to send and receive at least, over their own links).");
  report.bound = {15e-3, "cut", "ranks 0-1 | 2-3, 2 links of 25 GB/s"};
  CHECK(
      bound_sentence(report).ends_with("(ranks 0-1 | 2-3, 2 links of 25 GB/s: what has to cross "
                                       "there, over the links that cross)."));
  report.efficiency = 1;
  CHECK(bound_sentence(report).ends_with("no strategy in which the same nodes add up is faster."));
  for (const char* kind : {"latency", "volume", "partition (by structure)"}) {
    CAPTURE(kind);
    report.bound.kind = kind;
    CHECK(bound_sentence(report).find("the least") + bound_sentence(report).find("together") !=
          2 * std::string::npos);
  }
}

TEST_CASE("the change that helps most is named, a single link before all of its kind") {
  CHECK(change_sentence(kBefore, {tried(ChangeKind::link, "gpu0-switch0", 30),
                                  tried(ChangeKind::kind, "every pcie link", 30)}) ==
        "Doubling gpu0-switch0 alone would take it from 60.0000 ms to 30.0000 ms (2.00x).");
}

TEST_CASE("beside all links of a kind, or latencies, what single links do") {
  const TriedChange kind = tried(ChangeKind::kind, "every pcie link", 30);
  CHECK(change_sentence(kBefore, {tried(ChangeKind::link, "a-b", 60),
                                  tried(ChangeKind::link, "c-d", 60), kind}) ==
        "Doubling every pcie link would take it from 60.0000 ms to 30.0000 ms (2.00x); none of the "
        "2 busiest links alone helps by 1 %.");
  CHECK(change_sentence(kBefore, {tried(ChangeKind::link, "a-b", 60), kind}) ==
        "Doubling every pcie link would take it from 60.0000 ms to 30.0000 ms (2.00x); a-b alone "
        "helps by less than 1 %.");
  CHECK(change_sentence(kBefore, {tried(ChangeKind::link, "a-b", 50), kind}) ==
        "Doubling every pcie link would take it from 60.0000 ms to 30.0000 ms (2.00x); of single "
        "links a-b helps most, from 60.0000 ms to 50.0000 ms (1.20x).");
  CHECK(change_sentence(kBefore, {tried(ChangeKind::latency, "every latency", 30)}) ==
        "Halving every latency would take it from 60.0000 ms to 30.0000 ms (2.00x).");
}

TEST_CASE(
    "of a change that lays all anew, what the machine as it is gains by that is not counted") {
  TriedChange anew = tried(ChangeKind::link, "a-b", 30);
  anew.without = Time{36'000'000'000};
  anew.speedup = 1.2;
  CHECK(change_sentence(kBefore, {anew, tried(ChangeKind::link, "c-d", 40)}) ==
        "Doubling c-d alone would take it from 60.0000 ms to 40.0000 ms (1.50x).");
  CHECK(change_sentence(kBefore, {anew}) ==
        "Doubling a-b alone would take it from 60.0000 ms to 30.0000 ms (1.20x of the 36.0000 ms "
        "that what is then laid takes without it).");
}

TEST_CASE("a late rank is named first, and what the time would be were it there") {
  Report report = textbook_report();
  report.facts.start = {{1, Time{0}}, {2, Time{5'000'000'000}}};
  CHECK(late_sentence(report, {}) == "");
  report.critical_path.resize(1);
  CriticalOp& wait = report.critical_path.front();
  wait.op = 0;
  wait.to = "gpu2";
  wait.phase = "late start";
  wait.finish = {5'000'000'000};
  CHECK(late_sentence(report, {}) ==
        "Rank 2 (gpu2) comes 5 ms late, and the critical path of 60.0000 ms begins with that. ");
  CHECK(late_sentence(report, {tried(ChangeKind::start, "rank 2 on time", 55)}) ==
        "Rank 2 (gpu2) comes 5 ms late, and the critical path of 60.0000 ms begins with that; with "
        "rank 2 on time it takes 55.0000 ms. ");
  CHECK(late_sentence(report, {tried(ChangeKind::start, "rank 2 on time", 60)}) == "");
  report.critical_path.clear();
  CHECK(late_sentence(report, {tried(ChangeKind::start, "all ranks on time", 55)}) ==
        "Late ranks hold it up; with all ranks on time it takes 55.0000 ms. ");
}

TEST_CASE("where nothing helps, that is said") {
  const std::string none =
      "No single change helps by 1 %: neither twice the bandwidth of one of the busiest links or "
      "of all of a kind, nor half the latencies.";
  CHECK(change_sentence(kBefore, {}) == none);
  CHECK(change_sentence(kBefore, {tried(ChangeKind::link, "a-b", 60)}) == none);
  CHECK(change_sentence(kBefore, {tried(ChangeKind::link, "a-b", 61)}) == none);
}

}  // namespace syncsim::explanation_test
