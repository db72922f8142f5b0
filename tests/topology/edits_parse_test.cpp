#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/topology/edits.h"
#include "tests/topology/json_support.h"

namespace syncsim {
namespace {

using Action = Edit::Action;
using Target = Edit::Target;
using testing::refusal_of;

std::vector<Edit> read(std::string_view json) {
  return read_edit(JsonFile::parse(json, "s.json").root());
}

std::string refusal(std::string_view text) {
  return refusal_of([&] { parse_edit(text); });
}

std::string json_refusal(std::string_view json) {
  return refusal_of([&] { read(json); });
}

bool same(const Edit& a, const Edit& b) {
  return a.action == b.action && a.target == b.target && a.pattern == b.pattern &&
         a.bandwidth == b.bandwidth && a.latency == b.latency && a.factor == b.factor &&
         a.text == b.text;
}

}  // namespace

TEST_CASE("the text of an edit says action, target and figure") {
  const Edit set = parse_edit("link:gpu0-switch0 bandwidth=8 GB/s");
  CHECK(set.action == Action::set_bandwidth);
  CHECK(set.target == Target::link);
  CHECK(set.pattern == "gpu0-switch0");
  CHECK(set.bandwidth == Bandwidth{8e9});
  CHECK(set.text == "link:gpu0-switch0 bandwidth=8 GB/s");
  const Edit latency = parse_edit("link:a>b latency=2 us");
  CHECK(latency.action == Action::set_latency);
  CHECK(latency.latency == Time{2'000'000});
  const Edit scale = parse_edit("scale kind:nvlink bandwidth 0.5");
  CHECK(scale.action == Action::scale_bandwidth);
  CHECK(scale.target == Target::kind);
  CHECK(scale.pattern == "nvlink");
  CHECK(scale.factor == 0.5);
  CHECK(parse_edit("scale link:* latency 3").action == Action::scale_latency);
  const Edit remove = parse_edit("remove node:nic0");
  CHECK(remove.action == Action::remove);
  CHECK(remove.target == Target::node);
  CHECK(remove.pattern == "nic0");
}

TEST_CASE("blanks between the parts of an edit do not matter") {
  const Edit spaced = parse_edit("  link:a-b   bandwidth =  8 GB/s ");
  CHECK(spaced.pattern == "a-b");
  CHECK(spaced.bandwidth == Bandwidth{8e9});
  CHECK(parse_edit("scale\tkind:pcie  latency   2 ").factor == 2);
}

TEST_CASE("the JSON form of an edit equals its text form") {
  const std::vector<std::pair<std::string, std::string>> forms = {
      {R"({"link": "gpu0-switch0", "bandwidth": "8 GB/s"})", "link:gpu0-switch0 bandwidth=8 GB/s"},
      {R"({"link": "gpu0>switch0", "latency": "2 us"})", "link:gpu0>switch0 latency=2 us"},
      {R"({"kind": "pcie", "latency": "2 us"})", "kind:pcie latency=2 us"},
      {R"({"scale": "kind:nvlink", "bandwidth": 0.5})", "scale kind:nvlink bandwidth 0.5"},
      {R"({"scale": "link:gpu*", "latency": 2})", "scale link:gpu* latency 2"},
      {R"({"remove": "link:gpu0-gpu1"})", "remove link:gpu0-gpu1"},
      {R"({"remove": "node:nic0"})", "remove node:nic0"},
      {R"({"remove": "kind:pcie"})", "remove kind:pcie"}};
  for (const auto& [json, text] : forms) {
    CAPTURE(text);
    const std::vector<Edit> edits = read(json);
    REQUIRE(edits.size() == 1);
    CHECK(same(edits[0], parse_edit(text)));
  }
}

TEST_CASE("one JSON object sets or scales several figures, an edit each") {
  const std::vector<Edit> set =
      read(R"({"link": "a-b", "latency": "2 us", "bandwidth": "8 GB/s"})");
  REQUIRE(set.size() == 2);
  CHECK(same(set[0], parse_edit("link:a-b bandwidth=8 GB/s")));
  CHECK(same(set[1], parse_edit("link:a-b latency=2 us")));
  CHECK(read(R"({"scale": "kind:pcie", "bandwidth": 2, "latency": 0.5})").size() == 2);
}

TEST_CASE("malformed text is told what would be right") {
  const std::string forms =
      R"(write "link:a-b bandwidth=8 GB/s", "scale kind:nvlink latency 0.5" or "remove node:nic0")";
  CHECK(refusal("") == "the edit is empty; " + forms);
  CHECK(refusal("  ") == "the edit is empty; " + forms);
  CHECK(refusal("faster please") == R"("faster please" is no edit; )" + forms);
  CHECK(refusal("remov link:a-b") == R"(unknown edit "remov"; did you mean "remove"?)");
  CHECK(refusal("lnk:a-b latency=2 us") == R"(unknown edit target "lnk"; did you mean "link"?)");
  const std::string targets = R"( is no target of an edit; write "link:a-b", "node:nic0" or )"
                              R"("kind:nvlink")";
  CHECK(refusal("remove") == R"("")" + targets);
  CHECK(refusal("remove gpu0") == R"("gpu0")" + targets);
  CHECK(refusal("remove link:") == R"("link:")" + targets);
  CHECK(refusal("remove link:a-b now") ==
        R"("now" follows a complete removal; leave it out, or make it an edit of its own)");
  CHECK(refusal("remove link:a>b") == R"("a>b" is one direction, and cables are removed whole; )"
                                      R"(name the cable, as in "remove link:a-b")");
  CHECK(refusal("link:a-b") == R"("link:a-b" is not told what to change; )"
                               R"(write "link:a-b bandwidth=8 GB/s" or "link:a-b latency=2 us")");
  CHECK(refusal("link:a-b bandwith=8 GB/s") ==
        R"(unknown figure "bandwith"; did you mean "bandwidth"?)");
  CHECK(refusal("node:nic0 latency=2 us") ==
        R"(a node has no bandwidth or latency to change; name its links, as in "link:nic0-*")");
  CHECK(refusal("scale node:nic0 latency 2") ==
        R"(a node has no bandwidth or latency to change; name its links, as in "link:nic0-*")");
  CHECK(refusal("scale kind:nvlink 0.5") ==
        R"("scale kind:nvlink 0.5" lacks what to scale or by how much; )"
        R"(write "scale kind:nvlink bandwidth 0.5")");
}

TEST_CASE("a factor is a finite number above zero") {
  for (const std::string factor : {"0", "-1", "nan", "inf", "1e999", "half", "2x", "2 x", "50 %"})
    CHECK(refusal("scale kind:pcie bandwidth " + factor) ==
          "a figure cannot be scaled by " + factor + "; write a factor above zero, as in 0.5");
  CHECK(json_refusal(R"({"scale": "kind:pcie", "latency": 0})") ==
        "s.json:/latency: a figure cannot be scaled by 0; write a factor above zero, as in 0.5");
}

TEST_CASE("wrong values keep the words of the unit parser, and JSON tells the place") {
  CHECK(refusal("link:a-b bandwidth=8") == refusal_of([] { parse_bandwidth("8"); }));
  CHECK(refusal("link:a-b latency=2") == refusal_of([] { parse_time("2"); }));
  CHECK(json_refusal(R"({"link": "a-b", "bandwidth": "8"})") ==
        "s.json:/bandwidth: " + refusal_of([] { parse_bandwidth("8"); }));
}

TEST_CASE("a JSON edit has one subject and something to do with it") {
  CHECK(json_refusal(R"({"bandwidth": "8 GB/s"})") ==
        R"(s.json:/: an edit lacks what to change; add "link", "kind", "scale" or "remove")");
  CHECK(json_refusal(R"({"link": "a-b", "remove": "link:a-b"})") ==
        R"(s.json:/: an edit has either "link" or "remove"; write two edits)");
  CHECK(json_refusal(R"({"link": "a-b"})") ==
        R"(s.json:/: an edit changes no figure; add "bandwidth" or "latency")");
  CHECK(json_refusal(R"({"remove": "link:a-b", "latency": "2 us"})") ==
        R"(s.json:/latency: a removal takes no figures; write only "remove")");
  CHECK(json_refusal(R"({"remove": "a-b"})") ==
        R"(s.json:/remove: "a-b" is no target of an edit; )"
        R"(write "link:a-b", "node:nic0" or "kind:nvlink")");
  CHECK(json_refusal(R"({"scale": "node:nic0", "latency": 2})") ==
        "s.json:/scale: a node has no bandwidth or latency to change; "
        R"(name its links, as in "link:nic0-*")");
}

}  // namespace syncsim
