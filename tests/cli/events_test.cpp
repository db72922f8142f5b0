// Links that change in mid-run, from the command line: results, and what is refused.

#include "tests/cli/refusals.h"

namespace syncsim::testing::events_test {
namespace {

const Arguments kRun = {"run",         "--topology", "pcie_4gpu", "--strategy",
                        "distributed", "--bytes",    "160 MB"};
const Arguments kFlows = {"flows", "--topology", "pcie_4gpu", "--flows", "f.csv"};

// 160 MB over a link of 16 GB/s.
struct Desk {
  Desk() { folder.write("f.csv", "start,source,destination,bytes\n0,gpu0,gpu1,160 MB\n"); }
  Outcome flows(const Arguments& more) const { return syncsim(with(kFlows, more), folder.path()); }
  TemporaryFolder folder;
};

Arguments event(const std::string& text) { return {"--event", text}; }

const Json kScenario = Json::parse(R"({
  "topology": "pcie_4gpu", "strategy": "ring", "bytes": "160 MB",
  "events": [{"at": "2 ms", "link": "gpu0-switch0", "bandwidth": "8 GB/s"}]
})");

}  // namespace

TEST_CASE("run with events, as text") {
  const Outcome outcome =
      syncsim(with(kRun, {"--event", "at 5 ms link:gpu0-switch0 bandwidth=0 GB/s", "--event",
                          "at 7 ms scale link:gpu0-switch0 bandwidth 0.5", "--links", "--audit"}));
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err == "");
  CHECK(outcome.out == read_text(SYNCSIM_SOURCE_DIR "/tests/golden/run_events.txt"));
}

TEST_CASE("run with events, as JSON: time, link and bandwidth of every change") {
  const Json json = json_of(syncsim(
      with(kRun, {"--event", "at 5 ms link:gpu0-switch0 bandwidth=8 GB/s", "--format", "json"})));
  const Json& point = json["points"][0];
  CHECK(point["time_ps"] == 25'000'000'000);
  CHECK(point["events"].dump() ==
        R"([{"time_ps":5000000000,"link":"gpu0>switch0","bandwidth_Bps":8000000000.0},)"
        R"({"time_ps":5000000000,"link":"switch0>gpu0","bandwidth_Bps":8000000000.0}])");
  CHECK(json_of(syncsim(with(kRun, {"--format", "json"})))["points"][0]["events"].dump() == "[]");
}

TEST_CASE("a flow of 160 MB over a link that falls to 8 GB/s at 5 ms ends at 15 ms, as text") {
  const Outcome outcome =
      Desk().flows({"--event", "at 5 ms link:gpu0-switch0 bandwidth=8 GB/s", "--audit"});
  CHECK(outcome.err == "");
  CHECK("\n" + outcome.out == R"(
pcie_4gpu: 1 flow from f.csv, line rates
  event: at 5 ms link:gpu0-switch0 bandwidth=8 GB/s
bytes          160 MB
makespan       15.0000 ms (from 0 ps to 15.0000 ms)
mean FCT       15.0000 ms
median FCT     15.0000 ms
p99 FCT        15.0000 ms
max FCT        15.0000 ms
mean slowdown  1.5000 times the flow alone on its route at the start's bandwidths
busiest link   gpu0>switch0 carries 10.6667 GB/s of 10.6667 GB/s (100.0 %)
)");
}

TEST_CASE("a flow over a link that is down from 5 to 7 ms ends at 12 ms, as JSON") {
  const Json json =
      json_of(Desk().flows({"--event", "at 5 ms kind:pcie bandwidth=0 GB/s", "--event",
                            "at 7 ms scale kind:pcie bandwidth 1", "--format", "json"}));
  CHECK(json["last_finish_ps"] == 12'000'000'000);
  CHECK(json["busiest_link"]["utilization"] == 1.0);
  CHECK(json["events"].size() == 20);
  CHECK(json["events"][0].dump() ==
        R"({"time_ps":5000000000,"link":"gpu0>switch0","bandwidth_Bps":0.0})");
}

TEST_CASE("runs and flows that can never end say who waits for what") {
  check_refused(Desk().flows(event("at 5 ms link:gpu0-switch0 bandwidth=0 GB/s")),
                "--event: the run never ends: 1 flow waits for links at 0 B/s, "
                "gpu0>switch0 (from 5 ms on) stalls [f.csv:2: gpu0 to gpu1]; "
                "give them a bandwidth again by a later event");
  check_refused(
      syncsim(with(kRun, event("at 5 ms link:gpu0>switch0 bandwidth=0 GB/s"))),
      "--event: the run never ends: 3 ops wait for links at 0 B/s, 15 more behind them, "
      "gpu0>switch0 (from 5 ms on) stalls "
      "[op 0: reduce of data chunk 1 from rank 0 (gpu0) to rank 1 (gpu1), channel 0, phase reduce] "
      "[op 1: reduce of data chunk 2 from rank 0 (gpu0) to rank 2 (gpu2), channel 0, phase reduce] "
      "[op 2: reduce of data chunk 3 from rank 0 (gpu0) to rank 3 (gpu3), channel 0, phase "
      "reduce]; give them a bandwidth again by a later event");
}

TEST_CASE("--event refuses what is no event, in run and in flows") {
  const Desk desk;
  const std::string forms =
      R"(; write "at 2 ms link:a-b bandwidth=8 GB/s" or "at 2 ms scale kind:nvlink bandwidth 0.5")";
  const auto refused = [&](const std::string& text, const std::string& message) {
    CAPTURE(text);
    check_refused(syncsim(with(kRun, event(text))), "--event: " + message);
    check_refused(desk.flows(event(text)), "--event: " + message);
  };
  refused("", "the event is empty" + forms);
  refused("link:gpu0-switch0 bandwidth=8 GB/s",
          R"("link:gpu0-switch0 bandwidth=8 GB/s" does not begin with "at" and a time)" + forms);
  refused("at -1 ms kind:pcie bandwidth=8 GB/s",
          R"(event "at -1 ms kind:pcie bandwidth=8 GB/s": "-1 ms" is negative; )"
          "write a time without a sign");
  refused("at 1 ms kind:pcie bandwidth=8",
          R"(event "at 1 ms kind:pcie bandwidth=8": "8" has no unit; write "8 GB/s")");
  refused("at 1 ms link:gpu0-gpu9 bandwidth=8 GB/s",
          R"(event "at 1 ms link:gpu0-gpu9 bandwidth=8 GB/s": no link is called "gpu0-gpu9"; )"
          "choose one of gpu0-switch0, gpu1-switch0, gpu2-switch0, gpu3-switch0, switch0-cpu0");
  check_refused(syncsim(with(kRun, {"--event", "at 1 ms kind:pcie bandwidth=8 GB/s", "--event",
                                    "at 1 ms link:gpu0>switch0 bandwidth=8 GB/s"})),
                "--event: gpu0>switch0 has another event at 1 ms; keep one of the two");
}

TEST_CASE("a scenario's wrong events are refused with file and pointer") {
  check_changes(
      kScenario, "s.json", {"run", "s.json"},
      {{"/events/0/at", "", R"(s.json:/events/0: "at" is missing; add "at": "2 ms")"},
       {"/events/0/at", R"("-2 ms")",
        R"(s.json:/events/0/at: "-2 ms" is negative; write a time without a sign)"},
       {"/events/0/at", "2",
        R"(s.json:/events/0/at: is the number 2; write a time with a unit, such as "2 us")"},
       {"/events/0/link", R"("gpu0-switch9")",
        R"(s.json:/events/0: event "at 2 ms link:gpu0-switch9 bandwidth=8 GB/s": no link is )"
        R"(called "gpu0-switch9"; did you mean "gpu0-switch0"?)"},
       {"/events/0/bandwidth", R"("-8 GB/s")",
        R"(s.json:/events/0/bandwidth: "-8 GB/s" is negative; write a bandwidth without a sign)"},
       {"/events/0/bandwidth", R"("2000000 TB/s")",
        R"(s.json:/events/0/bandwidth: "2000000 TB/s" is out of range; )"
        "write a bandwidth from 1 B/s to 1000000 TB/s"},
       {"/events/0/bandwith", R"("8 GB/s")",
        R"(s.json:/events/0/bandwith: unknown key "bandwith"; did you mean "bandwidth"?)"},
       {"/events/0/latency", R"("8 us")",
        "s.json:/events/0/latency: a latency does not change while a run goes on; "
        "change a bandwidth"},
       {"/events/1", R"("at 2 ms kind:pcie bandwidth=1 GB/s")",
        "s.json:/events/1: gpu0>switch0 has another event at 2 ms (s.json:/events/0); "
        "keep one of the two"},
       {"/event", "[]", R"(s.json:/event: unknown key "event"; did you mean "events"?)"}});
}

TEST_CASE("events of links that nothing uses, and of times after the end, are legal") {
  const auto time = [](const Arguments& more) {
    return json_of(syncsim(with(with(kRun, {"--format", "json"}), more)))["points"][0]["time_ps"];
  };
  CHECK(time(event("at 1 ms link:switch0-cpu0 bandwidth=0 GB/s")) == 15'000'000'000);
  CHECK(time(event("at 15 ms kind:pcie bandwidth=0 GB/s")) == 15'000'000'000);
}

}  // namespace syncsim::testing::events_test
