// The trace of a run.

#include "sim/report/formats/chrome_trace.h"

#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <vector>

#include "sim/report/formats/trace_text.h"
#include "tests/report/reports.h"
#include "tests/support/refusal.h"
#include "tests/support/trace.h"

namespace syncsim::chrome_trace_test {
namespace {

using testing::collective_of;
using testing::events_of;
using testing::gigabytes;
using testing::TraceJson;

// A schedule on a machine, run and drawn.
class Drawn {
 public:
  explicit Drawn(ChromeTrace::Points points = ChromeTrace::Points::one) : trace_(text_, points) {}

  void add(const Topology& machine, const Schedule& schedule, RunFacts facts) {
    PeakRates rates(&trace_);
    ExecutionOptions options;
    options.audit = true;
    options.rate_watch = &rates;
    trace_.begin_point(machine, Rates::line, {});
    const Timeline timeline = execute_simulated(schedule, machine, options);
    const LowerBound bound = lower_bound({machine, machine.ranks(), facts.collective});
    Report report = make_report(std::move(facts), machine, schedule, timeline, bound);
    add_critical_path(report, machine, schedule, timeline);
    trace_.end_point(report, machine, schedule, timeline);
    reports.push_back(std::move(report));
  }
  std::string text() {
    trace_.finish();
    return text_.str();
  }

  std::vector<Report> reports;

 private:
  std::ostringstream text_;
  ChromeTrace trace_;
};

// gpu0 sends chunk 0 to both others at once; then gpu1 sends gpu2 chunk 1.
void add_small(Drawn& drawn, const std::string& strategy = "by hand") {
  const Topology machine(testing::star(3, gigabytes(1)));
  const Collective collective = collective_of(CollectiveKind::broadcast, 3, 2'000);
  testing::HandMade plan(collective, 2);
  const OpId first = plan.copy(0, 1, 0);
  plan.copy(0, 2, 0);
  plan.edge(first, plan.copy(1, 2, 1));
  drawn.add(machine, plan.build(), testing::facts_of(machine, collective, strategy));
}

TraceJson small_trace() {
  Drawn drawn;
  add_small(drawn);
  return TraceJson::parse(drawn.text());
}

std::vector<std::string> names_of(const std::vector<TraceJson>& events) {
  std::vector<std::string> names;
  for (const TraceJson& event : events) names.push_back(event["name"]);
  return names;
}

std::vector<std::string> named(const TraceJson& trace, const std::string& what) {
  std::vector<std::string> names;
  for (const TraceJson& event : events_of(trace, "M"))
    if (event["name"] == what) names.push_back(event["args"]["name"]);
  return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a trace keeps Perfetto's rules") { testing::check_trace(small_trace()); }

TEST_CASE("a small trace, whole") {
  const Topology machine(testing::star(2, gigabytes(1)));
  const Collective collective = collective_of(CollectiveKind::broadcast, 2, 1'000);
  testing::HandMade plan(collective, 1);
  plan.copy(0, 1, 0);
  Drawn drawn;
  drawn.add(machine, plan.build(), testing::facts_of(machine, collective));
  CHECK(drawn.text() == R"({"displayTimeUnit":"ns","traceEvents":[
{"ph":"C","pid":2,"ts":0.000000,"name":"gpu0>switch0","args":{"GB/s":1,"used %":100}},
{"ph":"C","pid":2,"ts":0.000000,"name":"switch0>gpu1","args":{"GB/s":1,"used %":100}},
{"ph":"C","pid":2,"ts":1.000000,"name":"gpu0>switch0","args":{"GB/s":0,"used %":0}},
{"ph":"C","pid":2,"ts":1.000000,"name":"switch0>gpu1","args":{"GB/s":0,"used %":0}},
{"ph":"M","pid":1,"name":"process_name","args":{"name":"run: by hand, 1 kB on star"}},
{"ph":"M","pid":1,"name":"process_sort_index","args":{"sort_index":1}},
{"ph":"M","pid":2,"name":"process_name","args":{"name":"links"}},
{"ph":"M","pid":2,"name":"process_sort_index","args":{"sort_index":2}},
{"ph":"M","pid":3,"name":"process_name","args":{"name":"gpu0"}},
{"ph":"M","pid":3,"name":"process_sort_index","args":{"sort_index":3}},
{"ph":"M","pid":4,"name":"process_name","args":{"name":"gpu1"}},
{"ph":"M","pid":4,"name":"process_sort_index","args":{"sort_index":4}},
{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"phase work"}},
{"ph":"X","pid":1,"tid":1,"ts":0.000000,"dur":1.000000,"name":"work","cat":"phase","args":{}},
{"ph":"M","pid":1,"tid":2,"name":"thread_name","args":{"name":"critical path"}},
{"ph":"X","pid":1,"tid":2,"ts":0.000000,"dur":1.000000,"name":"copy gpu0>gpu1","cat":"critical","args":{"op":0}},
{"ph":"M","pid":4,"tid":3,"name":"thread_name","args":{"name":"channel 0"}},
{"ph":"X","pid":4,"tid":3,"ts":0.000000,"dur":1.000000,"name":"copy chunk 0 from gpu0","cat":"work","args":{"op":0,"bytes":1000,"chunk":0,"chunks":1,"rate_GBps":1,"phase":"work","waited_us":0.000000,"route":"gpu0>switch0, switch0>gpu1"}}
]}
)");
}

TEST_CASE("counters' integrals are the links' bytes") {
  Drawn drawn;
  add_small(drawn);
  const auto carried = testing::carried(TraceJson::parse(drawn.text()));
  for (const LinkReport& link : drawn.reports[0].links) {
    const auto counter = carried.find(link.label());
    const double bytes = counter == carried.end() ? 0 : counter->second;
    CHECK(bytes == doctest::Approx(link.bytes).epsilon(1e-9));
  }
}

TEST_CASE("slices that overlap on a channel lie side by side") {
  const Topology machine(testing::star(3, gigabytes(1)));
  const Collective collective = collective_of(CollectiveKind::gather, 3, 3'000);
  testing::HandMade plan(collective, 3);
  plan.copy(1, 0, 1);
  plan.copy(2, 0, 2);
  Drawn drawn;
  drawn.add(machine, plan.build(), testing::facts_of(machine, collective));
  const TraceJson trace = TraceJson::parse(drawn.text());
  testing::check_trace(trace);
  CHECK(named(trace, "thread_name") ==
        Names{"phase work", "critical path", "channel 0", "channel 0 (2)"});
}

TEST_CASE("an arrow leads from an op to the one that waited for it, on another track") {
  const TraceJson trace = small_trace();
  const auto starts = events_of(trace, "s");
  const auto ends = events_of(trace, "f");
  REQUIRE(starts.size() == 1);
  REQUIRE(ends.size() == 1);
  CHECK(testing::trace_ps(starts[0]["ts"]) == 2'000'000 - 1);  // the first copy takes 2 us
  CHECK(testing::trace_ps(ends[0]["ts"]) == 2'000'000);
}

TEST_CASE("what ops are called: signals, sums in place, other buffers, several chunks") {
  const Topology machine(testing::star(3, gigabytes(1)));
  const Collective collective = collective_of(CollectiveKind::allreduce, 3, 3'000);
  testing::HandMade plan(collective, 3);
  const std::uint8_t scratch = plan.buffer(testing::even_buffer("scratch", 3, 1'000));
  plan.signal(0, 1);
  plan.compute(0);
  plan.copy(0, 1, 0, 2);
  plan.add(OpKind::copy, 0, {0, 2}, 2, {scratch, 2});
  plan.add(OpKind::reduce, 2, {scratch, 2}, 2, {0, 2});
  Drawn drawn;
  drawn.add(machine, plan.build(), testing::facts_of(machine, collective));
  Names names = names_of(events_of(TraceJson::parse(drawn.text()), "X"));
  std::sort(names.begin(), names.end());
  for (const char* name : {"signal from gpu0", "compute", "copy chunks 0-1 from gpu0",
                           "copy scratch chunk 2 from gpu0", "reduce chunk 2 in place"}) {
    CAPTURE(name);
    CHECK(std::binary_search(names.begin(), names.end(), name));
  }
}

TEST_CASE("several points are groups of processes of their own, named after them") {
  Drawn drawn(ChromeTrace::Points::several);
  add_small(drawn, "one");
  add_small(drawn, "two");
  const TraceJson trace = TraceJson::parse(drawn.text());
  testing::check_trace(trace);
  const Names names = named(trace, "process_name");
  CHECK(names == Names{"run: one, 2 kB on star", "one, 2 kB on star: links",
                       "one, 2 kB on star: gpu0", "one, 2 kB on star: gpu1",
                       "one, 2 kB on star: gpu2", "run: two, 2 kB on star",
                       "two, 2 kB on star: links", "two, 2 kB on star: gpu0",
                       "two, 2 kB on star: gpu1", "two, 2 kB on star: gpu2"});
}

TEST_CASE("names are escaped, whatever they hold") {
  for (const char* name : {"plain", "a \"b\" \\c", "tab\tline\n", "Grüße", "\xff"}) {
    CAPTURE(name);
    CHECK(TraceJson::parse(trace::quoted(name)).is_string());
  }
  CHECK(TraceJson::parse(trace::quoted("a \"b\" \\c\n")) == "a \"b\" \\c\n");
  Drawn drawn;
  add_small(drawn, "\"odd\" \\ name");
  CHECK(named(TraceJson::parse(drawn.text()), "process_name").front() ==
        "run: \"odd\" \\ name, 2 kB on star");
}

TEST_CASE("times are exact to the picosecond") {
  CHECK(trace::time(Time{0}) == "0.000000");
  CHECK(trace::time(Time{1}) == "0.000001");
  CHECK(trace::time(Time{15'000'000'000'000'001}) == "15000000000.000001");
}

TEST_CASE("no points: an empty trace") {
  CHECK(TraceJson::parse(Drawn().text())["traceEvents"].empty());
}

TEST_CASE("a trace that would pass the memory is refused before it is drawn") {
  const Topology machine(testing::star(2, gigabytes(1)));
  const Collective collective = collective_of(CollectiveKind::broadcast, 2, 1'000);
  testing::HandMade plan(collective, 1);
  plan.copy(0, 1, 0);
  const Schedule schedule = plan.build();
  const Timeline timeline = execute_simulated(schedule, machine, {});
  const Report report =
      testing::report_of(testing::facts_of(machine, collective), machine, schedule);
  std::ostringstream text;
  ChromeTrace trace(text, ChromeTrace::Points::one, {10, "10 B are free"});
  CHECK(testing::refusal_of([&] { trace.end_point(report, machine, schedule, timeline); }) ==
        "the trace needs about 16 B (1 ops), 10 B are free; leave out --trace, or allow more with "
        "--memory");
}

}  // namespace syncsim::chrome_trace_test
