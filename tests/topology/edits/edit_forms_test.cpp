// Text and JSON of edits: what both say, and what is refused before there is a machine.

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/topology/edits/edits_support.h"

namespace syncsim::edit_forms_test {
namespace {

using testing::edited;
using testing::json_edit_refusal;
using testing::parse_refusal;
using testing::read_edit_of;
using testing::refusal_of;
using testing::two_socket_server;
using testing::written;

std::string refusal(std::string_view text) { return parse_refusal(text); }

// JSON, and the text that says the same.
const std::vector<std::pair<std::string, std::string>> kForms = {
    {R"({"link": "gpu0-plx0", "bandwidth": "8 GB/s"})", "link:gpu0-plx0 bandwidth=8 GB/s"},
    {R"({"link": "gpu0>plx0", "latency": "3 us"})", "link:gpu0>plx0 latency=3 us"},
    {R"({"kind": "pcie", "latency": "3 us"})", "kind:pcie latency=3 us"},
    {R"({"kind": "pcie", "latency": "3 us", "bandwidth": "8 GB/s"})",
     "kind:pcie latency=3 us bandwidth=8 GB/s"},
    {R"({"node": "cpu*", "transit_bandwidth": "40 GB/s"})", "node:cpu* transit_bandwidth=40 GB/s"},
    {R"({"node": "cpu0", "peer_cost": 1.2, "reduce_bandwidth": "9 GB/s"})",
     "node:cpu0 peer_cost=1.2 reduce_bandwidth=9 GB/s"},
    {R"({"link": "gpu0-gpu1", "count": 3})", "link:gpu0-gpu1 count=3"},
    {R"({"link": "gpu*-plx*", "width": "x8"})", "link:gpu*-plx* width=x8"},
    {R"({"kind": "pcie", "gen": 4, "width": 8})", "kind:pcie gen=4 width=8"},
    {R"({"scale": "kind:nvlink", "bandwidth": 0.5})", "scale kind:nvlink bandwidth 0.5"},
    {R"({"scale": "link:gpu*", "latency": 2, "bandwidth": 0.25})",
     "scale link:gpu* latency 2 bandwidth 0.25"},
    {R"({"oversubscribe": "link:plx*-cpu*", "ratio": 2})", "oversubscribe link:plx*-cpu* 2"},
    {R"({"remove": "link:gpu0-gpu1"})", "remove link:gpu0-gpu1"},
    {R"({"remove": "node:nic0"})", "remove node:nic0"},
    {R"({"remove": "kind:nvlink"})", "remove kind:nvlink"},
    {R"({"add": "link:gpu0-gpu2", "kind": "nvlink", "bandwidth": "25 GB/s"})",
     "add link:gpu0-gpu2 kind=nvlink bandwidth=25 GB/s"},
    {R"({"add": "link:gpu0-plx1", "kind": "pcie", "bandwidth": "8 GB/s", "usable": "6 GB/s",
         "latency": "1 us", "overhead": "5 us", "count": 2, "width": "x8", "gen": 3})",
     "add link:gpu0-plx1 kind=pcie bandwidth=8 GB/s usable=6 GB/s latency=1 us overhead=5 us "
     "count=2 width=x8 gen=3"},
    {R"({"add": "link:gpu0-gpu2", "like": "link:gpu2-gpu3"})",
     "add link:gpu0-gpu2 like link:gpu2-gpu3"},
    {R"({"add": "node:nic8", "kind": "nic"})", "add node:nic8 kind=nic"},
    {R"({"add": "node:gpu8", "like": "node:gpu3"})", "add node:gpu8 like node:gpu3"},
    {R"({"add": "node:nic8", "like": "node:nic0", "at": "plx1"})",
     "add node:nic8 like node:nic0 at plx1"},
    {R"({"move": "nic0", "to": "plx1"})", "move nic0 plx1"},
    {R"({"move": "link:gpu0-gpu1", "to": "gpu2"})", "move link:gpu0-gpu1 gpu2"},
    {R"({"disable": "p2p"})", "disable p2p"},
    {R"({"disable": "gdr"})", "disable gdr"},
    {R"({"enable": "acs"})", "enable acs"},
    {R"({"enable": "nvb"})", "enable nvb"},
    {R"({"enable": "pxn"})", "enable pxn"},
    {R"({"limit": "p2p", "to": "PXB"})", "limit p2p PXB"},
    {R"({"use": "nic1", "for": "gpu0"})", "use nic1 for gpu0"},
    {R"({"ranks": ["gpu[2-3]", "gpu0"]})", "ranks gpu[2-3],gpu0"},
    {R"({"ranks": "gpu3,gpu1"})", "ranks gpu3,gpu1"}};

}  // namespace

TEST_CASE("the JSON form of an edit has the text form as its text, and gives the same machine") {
  const std::string before = written(two_socket_server());
  for (const auto& [json, text] : kForms) {
    CAPTURE(text);
    const Edit edit = read_edit_of(json);
    CHECK(edit.text == text);
    const std::string after = written(apply_edits(two_socket_server(), std::vector{edit}));
    CHECK(after == written(edited(two_socket_server(), {text})));
    CHECK(after != before);
  }
}

TEST_CASE("blanks between the parts of an edit do not matter, and small words may be left out") {
  const std::vector<std::pair<std::string, std::string>> same = {
      {"  link:gpu0-plx0   bandwidth =  8 GB/s ", "link:gpu0-plx0 bandwidth=8 GB/s"},
      {"link:gpu0-plx0 bandwidth 8 GB/s", "link:gpu0-plx0 bandwidth=8 GB/s"},
      {"set link:gpu0-plx0 bandwidth=8 GB/s", "link:gpu0-plx0 bandwidth=8 GB/s"},
      {"kind:pcie bandwidth = 8GB/s latency= 1 us", "kind:pcie bandwidth=8 GB/s latency=1 us"},
      {"scale\tkind:pcie  latency   2 ", "scale kind:pcie latency 2"},
      {"scale kind:pcie latency=2", "scale kind:pcie latency 2"},
      {"move nic0 to plx1", "move nic0 plx1"},
      {"move node:nic0 node:plx1", "move nic0 plx1"},
      {"limit p2p to PXB", "limit p2p PXB"},
      {"ranks gpu3,  gpu[0-1]", "ranks gpu3,gpu[0-1]"},
      {"kind:pcie width=8", "kind:pcie width=x8"},
      {"use node:nic1 for node:gpu0", "use nic1 for gpu0"}};
  for (const auto& [loose, tight] : same) {
    CAPTURE(loose);
    CHECK(written(edited(two_socket_server(), {loose})) ==
          written(edited(two_socket_server(), {tight})));
  }
}

TEST_CASE("malformed text is told what would be right") {
  const std::string forms =
      R"(write "link:a-b bandwidth=8 GB/s", "scale kind:nvlink latency 0.5" or "remove node:nic0")";
  CHECK(refusal("") == "the edit is empty; " + forms);
  CHECK(refusal("  ") == "the edit is empty; " + forms);
  CHECK(refusal("faster please") == R"("faster please" is no edit; )" + forms);
  const std::vector<std::pair<std::string, std::string>> slips = {
      {"remov", "remove"}, {"scal", "scale"},    {"ad", "add"},
      {"mvoe", "move"},    {"enabel", "enable"}, {"disabel", "disable"},
      {"limt", "limit"},   {"us", "use"},        {"oversubscirbe", "oversubscribe"},
      {"rank", "ranks"}};
  for (const auto& [slip, verb] : slips)
    CHECK(refusal(slip + " x") == "unknown edit \"" + slip + "\"; did you mean \"" + verb + "\"?");
  CHECK(refusal("lnk:a-b latency=2 us") == R"(unknown edit target "lnk"; did you mean "link"?)");
  CHECK(refusal("remove") == R"("remove" does not say what; write "remove node:nic0")");
  const std::string targets = R"( is no target of an edit; write "link:a-b", "node:nic0" or )"
                              R"("kind:nvlink")";
  CHECK(refusal("remove gpu0") == R"("gpu0")" + targets);
  CHECK(refusal("remove link:") == R"("link:")" + targets);
  CHECK(refusal("remove link:a-b now") ==
        R"("now" follows a complete edit; leave it out, or make it an edit of its own)");
  CHECK(refusal("remove link:a>b") == R"("a>b" is one direction, and cables are removed whole; )"
                                      R"(name the cable, as in "remove link:a-b")");
}

TEST_CASE("arguments are known, given once, and not empty") {
  CHECK(refusal("link:a-b") ==
        R"("link:a-b" changes no figure; write "link:a-b bandwidth=8 GB/s")");
  CHECK(refusal("link:a-b bandwith=8 GB/s") ==
        R"(unknown key "bandwith"; did you mean "bandwidth"?)");
  CHECK(refusal("link:a-b bandwidth=8 GB/s latncy=2 us") ==
        R"(unknown key "latncy"; did you mean "latency"?)");
  CHECK(refusal("link:a-b latency=1 us latency=2 us") ==
        R"("latency" is given twice; give it once)");
  CHECK(refusal("link:a-b latency=") ==
        R"("latency" is given no value; write "link:a-b bandwidth=8 GB/s")");
  CHECK(refusal("move nic0 to") == R"("to" is given no value; write "move nic0 plx1")");
  CHECK(refusal("move nic0") == R"("move nic0" lacks "to"; write "move nic0 plx1")");
  CHECK(refusal("move nic0 plx1 now=1") == R"(unknown key "now"; choose one of to)");
  CHECK(refusal("oversubscribe link:a-b") == R"("oversubscribe link:a-b" lacks "ratio"; )"
                                             R"(write "oversubscribe link:leaf*-spine* 2")");
  CHECK(refusal("limit p2p") == R"("limit p2p" lacks "to"; write "limit p2p PXB")");
  CHECK(refusal("use nic1") == R"("use nic1" lacks "for"; write "use nic1 for gpu0")");
  CHECK(refusal("add link:a-b") == R"("add link:a-b" lacks "kind"; )"
                                   R"(write "add link:gpu0-gpu1 kind=nvlink bandwidth=25 GB/s")");
  CHECK(refusal("add link:a-b kind=nvlink") ==
        R"("add link:a-b kind=nvlink" lacks "bandwidth"; )"
        R"(write "add link:gpu0-gpu1 kind=nvlink bandwidth=25 GB/s")");
  CHECK(refusal("scale kind:nvlink 0.5") ==
        R"(unknown key "0.5"; choose one of bandwidth, latency)");
}

TEST_CASE("figures are of links") {
  for (const std::string text :
       {"node:nic0 latency=2 us", "scale node:nic0 latency 2", "oversubscribe node:nic0 2"})
    CHECK(refusal(text) ==
          R"(a node has no bandwidth or latency to change; name its links, as in "link:nic0-*")");
  CHECK(json_edit_refusal(R"({"scale": "node:nic0", "latency": 2})") ==
        "s.json:/scale: a node has no bandwidth or latency to change; "
        R"(name its links, as in "link:nic0-*")");
}

TEST_CASE("a factor is a finite number above zero, and a ratio at least 1") {
  for (const std::string factor : {"0", "-1", "nan", "inf", "1e999", "half", "2x", "2 x", "50 %"})
    CHECK(refusal("scale kind:pcie bandwidth " + factor) ==
          "a figure cannot be scaled by " + factor + "; write a factor above zero, as in 0.5");
  CHECK(json_edit_refusal(R"({"scale": "kind:pcie", "latency": 0})") ==
        "s.json:/latency: a figure cannot be scaled by 0; write a factor above zero, as in 0.5");
  for (const std::string ratio : {"0.5", "0"})
    CHECK(refusal("oversubscribe kind:pcie " + ratio) ==
          "a ratio of " + ratio + " oversubscribes nothing; write a ratio of 1 or more, as in 2");
  for (const std::string ratio : {"3:1", "inf", "-2"})
    CHECK(refusal("oversubscribe kind:pcie " + ratio) ==
          "\"" + ratio + "\" is no ratio; write a ratio of 1 or more, as in 2");
}

TEST_CASE("wrong values keep the words of the unit parser, and JSON tells the place") {
  CHECK(refusal("link:a-b bandwidth=8") == refusal_of([] { parse_bandwidth("8"); }));
  CHECK(refusal("link:a-b latency=2") == refusal_of([] { parse_time("2"); }));
  for (const std::string bandwidth : {R"("8")", "8"})
    CHECK(json_edit_refusal(R"({"link": "a-b", "bandwidth": )" + bandwidth + "}") ==
          "s.json:/bandwidth: " + refusal_of([] { parse_bandwidth("8"); }));
  CHECK(json_edit_refusal(R"({"add": "link:a-b", "kind": "pci", "bandwidth": "8 GB/s"})") ==
        R"(s.json:/kind: unknown link kind "pci"; did you mean "pcie"?)");
}

TEST_CASE("a JSON edit has one subject and something to do with it") {
  CHECK(json_edit_refusal(R"({"bandwidth": "8 GB/s"})") ==
        "s.json:/: an edit lacks what to change; "
        R"(add "link", "kind", "node" or a verb, as in "remove": "node:nic0")");
  CHECK(json_edit_refusal(R"({"link": "a-b", "remove": "link:a-b"})") ==
        R"(s.json:/: an edit has either "link" or "remove"; write two edits)");
  CHECK(json_edit_refusal(R"({"move": "nic0", "to": "plx0", "kind": "pcie"})") ==
        R"(s.json:/: an edit has either "kind" or "move"; write two edits)");
  CHECK(json_edit_refusal(R"({"link": "a-b"})") ==
        R"(s.json:/: "link:a-b" changes no figure; write "link:a-b bandwidth=8 GB/s")");
  CHECK(json_edit_refusal(R"({"remove": "link:a-b", "latency": "2 us"})") ==
        R"(s.json:/latency: unknown key "latency"; choose one of remove)");
  CHECK(json_edit_refusal(R"({"remove": "a-b"})") ==
        R"(s.json:/remove: "a-b" is no target of an edit; )"
        R"(write "link:a-b", "node:nic0" or "kind:nvlink")");
  for (const std::string verb : {"remove", "ranks", "kind"})
    CHECK(json_edit_refusal(R"({")" + verb + R"(": 3})") ==
          "s.json:/" + verb + ": is the number 3; write a string");
  CHECK(json_edit_refusal(R"({"move": "nic0"})") ==
        R"(s.json:/: "move nic0" lacks "to"; write "move nic0 plx1")");
  CHECK(json_edit_refusal(R"({"ranks": []})") ==
        R"(s.json:/ranks: the list is empty; write ["gpu[0-3]"])");
  CHECK(json_edit_refusal(R"({"link": "a-b", "bandwidth": ["8 GB/s"]})") ==
        "s.json:/bandwidth: is a list; write a string");
}

TEST_CASE("what is wrong with an edit's text is told with the text, cut, and once") {
  CHECK(refusal_of([] { parse_edit("kind:pcie count=0"); }) ==
        R"(edit "kind:pcie count=0": "0" is out of range; write one from 1 to 2147483647)");
  CHECK(refusal_of([] { parse_edit("remov node:nic0"); }) ==
        R"(edit "remov node:nic0": unknown edit "remov"; did you mean "remove"?)");
  CHECK(refusal_of([] { parse_edit("faster"); }).starts_with(R"("faster" is no edit; )"));
  const std::string all =
      refusal_of([] { parse_edit("kind:pcie count=0 gen=3 width=" + std::string(100'000, '1')); });
  CHECK(all.starts_with(R"(edit "kind:pcie count=0 gen=3 width=1111111111)"));
  CHECK(all.size() < 200);
}

TEST_CASE("the JSON form where text goes is told the text form") {
  CHECK(refusal_of([] { parse_edit(R"({"remove": "node:gpu0"})"); }) ==
        R"("{"remove": "node:gpu0"}" is in the JSON form of edits; )"
        R"(write the text form, "remove node:gpu0")");
  for (const std::string json : {"{", R"({"remove": 3})", R"({"kind": "pcie", "count": 0})"})
    CHECK(refusal_of([&] { parse_edit(json); }) ==
          "\"" + json + "\" is in the JSON form of edits; " +
              R"(write the text form, as in "remove node:nic0")");
}

}  // namespace syncsim::edit_forms_test
