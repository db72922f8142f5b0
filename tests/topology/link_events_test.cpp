// Events of links: both ways to write them, what they do to a machine, and what they refuse.

#include "sim/topology/link_events.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/base/quote.h"
#include "tests/support/link_events.h"
#include "tests/support/machines.h"
#include "tests/topology/json_support.h"

namespace syncsim::link_events_test {
namespace {

using testing::gigabytes;
using testing::refusal_of;

// Two gpus on a switch: links 0 and 1 are gpu0's, 2 and 3 gpu1's, 16 GB/s of which 12 are usable.
Topology machine(bool half_duplex = false) {
  Topology::Parts parts = testing::star(2);
  for (Link& link : parts.links) {
    link.usable = gigabytes(12);
    link.half_duplex = half_duplex;
  }
  return Topology(parts);
}

LinkEvent read(std::string_view json) {
  return read_link_event(JsonFile::parse(json, "s.json").root());
}

EventfulMachine eventful(const std::vector<std::string>& texts, const Topology& of = machine()) {
  return with_events(of, testing::link_events(texts));
}

// After `event "...": `, which must be there unless the rest quotes the text.
std::string text_refusal(std::string_view text) {
  const std::string all = refusal_of([&] { parse_link_event(text); });
  const std::string prefix = "event " + in_quotes(text) + ": ";
  if (all.starts_with(prefix)) return all.substr(prefix.size());
  CHECK((text.empty() || all.starts_with(in_quotes(text))));
  return all;
}

std::string json_refusal(std::string_view json) {
  return refusal_of([&] { read(json); });
}

std::string refusal(const std::vector<std::string>& texts, const Topology& of = machine()) {
  return refusal_of([&] { eventful(texts, of); });
}

const std::string kForms =
    R"(; write "at 2 ms link:a-b bandwidth=8 GB/s" or "at 2 ms scale kind:nvlink bandwidth 0.5")";

}  // namespace

TEST_CASE("an event says a time and an edit, as text or as JSON") {
  const LinkEvent text = parse_link_event("at 2 ms link:gpu0-switch0 bandwidth=8 GB/s");
  CHECK(text.at == Time{2'000'000'000});
  CHECK(text.edit.target.pattern == "gpu0-switch0");
  CHECK(edited_links(text.edit, machine()).at(0).second.bandwidth == Bandwidth{8e9});
  CHECK(text.text == "at 2 ms link:gpu0-switch0 bandwidth=8 GB/s");
  const LinkEvent json = read(R"({"at": "2 ms", "link": "gpu0-switch0", "bandwidth": "8 GB/s"})");
  CHECK(json.text == text.text);
  CHECK(json.at == text.at);
  CHECK(edited_links(json.edit, machine()).at(1).second.bandwidth == Bandwidth{8e9});
  CHECK(json.place == "s.json:/");
  CHECK(read(R"("at 2 ms link:a-b bandwidth=8 GB/s")").text == "at 2 ms link:a-b bandwidth=8 GB/s");
  CHECK(read(R"({"at": "0 ps", "kind": "pcie", "bandwidth": "0 GB/s"})").text ==
        "at 0 ps kind:pcie bandwidth=0 GB/s");
  CHECK(read(R"({"at": "1 s", "scale": "link:gpu*", "bandwidth": 0.5})").text ==
        "at 1 s scale link:gpu* bandwidth 0.5");
}

TEST_CASE("a time is written with or without a blank before its unit") {
  CHECK(parse_link_event("at 2ms kind:pcie bandwidth=1 GB/s").at == Time{2'000'000'000});
  CHECK(parse_link_event(" at  1.5  us  scale  kind:pcie  bandwidth 0 ").at == Time{1'500'000});
}

TEST_CASE("a change is what the edit would make of the link, line rate and usable") {
  const auto changes = eventful({"at 2 ms link:gpu0>switch0 bandwidth=8 GB/s"}).changes;
  REQUIRE(changes.size() == 1);
  CHECK(changes[0].at == Time{2'000'000'000});
  CHECK(changes[0].link == 0);
  CHECK(changes[0].rate(Rates::line) == gigabytes(8));
  CHECK(changes[0].rate(Rates::usable) == gigabytes(6));
  CHECK(changes[0].place == "event 1");
}

TEST_CASE("changes come in order of time and link, and factors are of the machine's figures") {
  const auto changes =
      eventful({"at 3 ms scale link:gpu1-switch0 bandwidth 1", "at 2 ms kind:pcie bandwidth=0 GB/s",
                "at 3 ms scale link:gpu0>switch0 bandwidth 0.25"})
          .changes;
  REQUIRE(changes.size() == 7);
  for (LinkId link = 0; link < 4; ++link) {
    CHECK(changes[link].link == link);
    CHECK(changes[link].bandwidth == Bandwidth{0});
    CHECK(changes[link].usable == Bandwidth{0});
  }
  CHECK(changes[4].link == 0);
  CHECK(changes[4].bandwidth == gigabytes(4));
  CHECK(changes[5].link == 2);
  CHECK(changes[5].bandwidth == gigabytes(16));
}

TEST_CASE("the machine at the start is the one that the edit makes, but for links at 0") {
  const std::string change = "link:gpu0-switch0 bandwidth=5 GB/s";
  const Topology start =
      eventful({"at 0 s " + change, "at 1 ps scale kind:pcie bandwidth 2"}).start;
  const Topology edited = apply_edits(machine(), std::vector{parse_edit(change)});
  for (LinkId link = 0; link < 4; ++link) {
    CHECK(start.links()[link].bandwidth == edited.links()[link].bandwidth);
    CHECK(start.links()[link].usable == edited.links()[link].usable);
  }
  const EventfulMachine down = eventful({"at 0 s kind:pcie bandwidth=0 GB/s"});
  CHECK(down.start.links()[0].bandwidth == gigabytes(16));
  CHECK(down.changes.size() == 4);
}

TEST_CASE("without events a machine stays as it is") {
  const EventfulMachine same = eventful({});
  CHECK(same.changes.empty());
  CHECK(same.start.links()[0].bandwidth == gigabytes(16));
}

TEST_CASE("the text of an event is refused with what is wrong") {
  CHECK(text_refusal("") == "the event is empty" + kForms);
  CHECK(text_refusal("2 ms link:a-b bandwidth=8 GB/s") ==
        R"("2 ms link:a-b bandwidth=8 GB/s" does not begin with "at" and a time)" + kForms);
  CHECK(text_refusal("at 2 ms") == R"("at 2 ms" does not say which bandwidth changes)" + kForms);
  CHECK(text_refusal("at 2 ms faster") ==
        R"("at 2 ms faster" does not say which bandwidth changes)" + kForms);
  CHECK(text_refusal("at 2 link:a-b bandwidth=8 GB/s") == R"("2" has no unit; write "2 us")");
  CHECK(text_refusal("at -2 ms link:a-b bandwidth=8 GB/s") ==
        R"("-2 ms" is negative; write a time without a sign)");
  CHECK(text_refusal("at 2 ms link:a-b bandwidth=-8 GB/s") ==
        R"("-8 GB/s" is negative; write a bandwidth without a sign)");
  CHECK(text_refusal("at 2 ms link:a-b bandwidth=2000000 TB/s") ==
        R"("2000000 TB/s" is out of range; write a bandwidth from 1 B/s to 1000000 TB/s)");
  CHECK(text_refusal("at 2 ms scale kind:pcie bandwidth -1") ==
        "a figure cannot be scaled by -1; write a factor of zero or more, as in 0.5");
  CHECK(text_refusal("at 2 ms link:a-b latency=1 us") ==
        "a latency does not change while a run goes on; change a bandwidth");
  CHECK(text_refusal("at 2 ms remove link:a-b") ==
        "nothing can be removed while a run goes on; "
        "set a bandwidth of 0 GB/s: what has to pass there waits");
  for (const std::string width : {"width=x8", "gen=3", "count=2"})
    CHECK(text_refusal("at 2 ms link:a-b " + width) ==
          "a " + width.substr(0, width.find('=')) +
              " does not change while a run goes on; change a bandwidth");
  for (const std::string verb :
       {"add", "move", "enable", "disable", "limit", "use", "ranks", "oversubscribe"})
    CHECK(text_refusal("at 2 ms " + verb + " x") ==
          "\"" + verb +
              "\" does nothing while a run goes on; "
              R"(change a bandwidth, as in "scale kind:nvlink bandwidth 0.5")");
  CHECK(text_refusal("at 2 ms node:a bandwidth=1 GB/s") ==
        R"(a node has no bandwidth or latency to change; name its links, as in "link:a-*")");
}

TEST_CASE("an event's JSON is refused at its place") {
  CHECK(json_refusal("3") ==
        "s.json:/: is the number 3; "
        R"(write an event such as "at 2 ms link:a-b bandwidth=8 GB/s", or an object {...})");
  CHECK(json_refusal(R"({"link": "a-b", "bandwidth": "8 GB/s"})") ==
        R"(s.json:/: "at" is missing; add "at": "2 ms")");
  CHECK(json_refusal(R"({"at": "1 s", "link": "a-b"})") ==
        R"(s.json:/: "link:a-b" changes no figure; write "link:a-b bandwidth=8 GB/s")");
  CHECK(json_refusal(R"({"at": "1 s", "scale": "link:a-b"})") ==
        R"(s.json:/: "scale link:a-b" changes no figure; write "scale kind:nvlink bandwidth 0.5")");
  CHECK(json_refusal(R"({"at": "1 s", "bandwidth": "8 GB/s"})") ==
        R"(s.json:/: an event lacks what to change; add "link", "kind" or "scale")");
  CHECK(json_refusal(R"({"at": "1 s", "lnk": "a-b", "bandwidth": "8 GB/s"})") ==
        R"(s.json:/lnk: unknown key "lnk"; did you mean "link"?)");
  CHECK(json_refusal(R"({"at": "1 s", "link": "a-b", "kind": "pcie", "bandwidth": "8 GB/s"})") ==
        R"(s.json:/: an event has either "link" or "kind"; write two events)");
  CHECK(json_refusal(R"({"at": 3, "link": "a-b", "bandwidth": "8 GB/s"})") ==
        R"(s.json:/at: is the number 3; write a time with a unit, such as "2 us")");
  CHECK(json_refusal(R"({"at": "-1 s", "link": "a-b", "bandwidth": "8 GB/s"})") ==
        R"(s.json:/at: "-1 s" is negative; write a time without a sign)");
  CHECK(json_refusal(R"({"at": "1 s", "link": "a-b", "bandwidth": 8})") ==
        R"(s.json:/bandwidth: "8" has no unit; write "8 GB/s")");
  CHECK(json_refusal(R"({"at": "1 s", "link": "a-b", "bandwidth": "-8 GB/s"})") ==
        R"(s.json:/bandwidth: "-8 GB/s" is negative; write a bandwidth without a sign)");
  CHECK(json_refusal(R"({"at": "1 s", "link": "a-b", "bandwith": "8 GB/s"})") ==
        R"(s.json:/bandwith: unknown key "bandwith"; did you mean "bandwidth"?)");
  CHECK(json_refusal(R"({"at": "1 s", "link": "a-b", "latency": "1 us"})") ==
        "s.json:/latency: a latency does not change while a run goes on; change a bandwidth");
  CHECK(json_refusal(R"({"at": "1 s", "move": "nic0", "to": "plx0"})") ==
        R"(s.json:/move: "move" does nothing while a run goes on; )"
        R"(change a bandwidth, as in "scale kind:nvlink bandwidth 0.5")");
  CHECK(json_refusal(R"({"at": "1 s", "remove": "link:a-b"})") ==
        "s.json:/remove: nothing can be removed while a run goes on; "
        "set a bandwidth of 0 GB/s: what has to pass there waits");
  CHECK(json_refusal(R"({"at": "1 s", "scale": "kind:pcie", "bandwidth": -1})") ==
        "s.json:/bandwidth: a figure cannot be scaled by -1; "
        "write a factor of zero or more, as in 0.5");
}

TEST_CASE("events that do not fit the machine are refused at their place") {
  CHECK(refusal({"at 1 s link:gpu0-switch9 bandwidth=8 GB/s"}) ==
        R"(event 1: event "at 1 s link:gpu0-switch9 bandwidth=8 GB/s": no link is called )"
        R"("gpu0-switch9"; did you mean "gpu0-switch0"?)");
  CHECK(refusal({"at 1 s scale kind:pcie bandwidth 1e300"}) ==
        R"(event 1: event "at 1 s scale kind:pcie bandwidth 1e300": the bandwidth of )"
        "gpu0>switch0 would be inf B/s; keep it from 1 B/s to 1000000 TB/s");
  CHECK(refusal({"at 1 s scale kind:pcie bandwidth 1e-12"}) ==
        R"(event 1: event "at 1 s scale kind:pcie bandwidth 1e-12": the bandwidth of )"
        "gpu0>switch0 would be 0.016 B/s; keep it from 1 B/s to 1000000 TB/s");
  CHECK(eventful({"at 1 s scale kind:pcie bandwidth 0"}, machine()).changes.size() == 4);
  const std::string many = "at 1 s link:" + std::string(100, 'a') + " bandwidth=8 GB/s";
  CHECK(refusal({many}).starts_with("event 1: event " + in_quotes(many) + ": no link is called "));
}

TEST_CASE("a link has one event of one time, whichever ways they name it") {
  CHECK(refusal({"at 1 s link:gpu0-switch0 bandwidth=8 GB/s", "at 2 s kind:pcie bandwidth=8 GB/s",
                 "at 1000 ms link:switch0>gpu0 bandwidth=8 GB/s"}) ==
        "event 3: switch0>gpu0 has another event at 1 s (event 1); keep one of the two");
}

TEST_CASE("a half-duplex cable changes whole") {
  const Topology half = machine(true);
  CHECK(eventful({"at 1 s link:gpu0-switch0 bandwidth=8 GB/s"}, half).changes.size() == 2);
  CHECK(refusal({"at 1 s link:gpu0>switch0 bandwidth=8 GB/s"}, half) ==
        R"(event 1: event "at 1 s link:gpu0>switch0 bandwidth=8 GB/s": gpu0>switch0 is one )"
        R"(direction of a half-duplex cable; name the cable, as in "link:gpu0-switch0")");
  CHECK(refusal({"at 1 s link:switch0>gpu* bandwidth=8 GB/s"}, half) ==
        R"(event 1: event "at 1 s link:switch0>gpu* bandwidth=8 GB/s": switch0>gpu0 is one )"
        R"(direction of a half-duplex cable; name the cable, as in "link:gpu0-switch0")");
}

}  // namespace syncsim::link_events_test
