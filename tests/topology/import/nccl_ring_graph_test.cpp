// Rings in graph files of NCCL.

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "tests/topology/import/ring_log_support.h"

namespace syncsim::nccl_ring_graph_test {
namespace {

using testing::rings_in;
using testing::rings_refusal;

// A channel between two nics, or, with none, on one node.
std::string channel(const std::string& gpus, const std::string& net = "") {
  std::string text = "<channel>\n" + net;
  for (const char gpu : gpus) text += std::string("<gpu dev=\"") + gpu + "\"/>";
  return text + net + "</channel>\n";
}

std::string graphs(const std::vector<std::string>& channels, const std::string& more = "") {
  std::string text = "<graphs version=\"1\">\n<graph id=\"1\" pattern=\"1\" nchannels=\"1\">" +
                     channel("3210") + "</graph>\n<graph id=\"0\" pattern=\"4\" nchannels=\"" +
                     std::to_string(channels.size()) + "\"" + more + ">\n";
  for (const std::string& each : channels) text += each;
  return text + "</graph>\n</graphs>\n";
}

const std::string kNet = "<net dev=\"0\"/>";

// The ring graph stands in line 5, its first channel in line 6.
std::string bad(const std::string& line, const std::string& message) {
  return "nccl.log:" + line + ": " + message;
}

}  // namespace

TEST_CASE("the graph of pattern 4 holds the rings, a channel each") {
  CHECK(rings_in(graphs({channel("0123"), channel("0321"), channel("3210")}), 4) ==
        "0,1,2,3; 0,3,2,1 x2");
}

TEST_CASE("dev is decimal, or hexadecimal after 0x, and the lowest is rank 0") {
  const auto one = [](const std::string& a, const std::string& b, const std::string& c) {
    return graphs({"<channel><gpu dev=\"" + a + "\"/><gpu dev=\"" + b + "\"/><gpu dev=\"" + c +
                   "\"/></channel>"});
  };
  CHECK(rings_in(one("4", "6", "5"), 3) == "0,2,1");
  CHECK(rings_in(one("9", "11", "10"), 3) == "0,2,1");
  CHECK(rings_in(one("0x9", "0xb", "0xa"), 3) == "0,2,1");
  CHECK(rings_in(one("0x100000000000001", "0", "0x1"), 3) == "0,1,2");
}

TEST_CASE("a rank that every GPU has goes before dev") {
  const std::string gpus = R"(<channel><gpu dev="0" rank="2"/><gpu dev="1" rank="0"/>)";
  CHECK(rings_in(graphs({gpus + R"(<gpu dev="2" rank="1"/></channel>)"}), 3) == "0,1,2");
  CHECK(rings_in(graphs({gpus + R"(<gpu dev="2"/></channel>)"}), 3) == "0,1,2");
  CHECK(rings_in(graphs({R"(<channel><gpu dev="0" rank="0x1"/><gpu dev="2" rank="0"/>)"
                         R"(<gpu dev="1" rank="2"/></channel>)"}),
                 3) == "0,2,1");
}

TEST_CASE("several nodes repeat a channel with nets, one node after the other") {
  CHECK(rings_in(graphs({channel("01", kNet), channel("10", kNet)}), 6) ==
        "0,1,2,3,4,5; 0,3,2,5,4,1");
  CHECK(rings_in(graphs({channel("0", kNet)}), 3) == "0,1,2");
}

TEST_CASE("a file with nets does for one node too") {
  CHECK(rings_in(graphs({channel("021", kNet)}), 3) == "0,2,1");
}

TEST_CASE("with crossnic 2 odd nodes take the channel beside, where channels are in pairs") {
  const std::vector<std::string> two = {channel("01", kNet), channel("10", kNet)};
  CHECK(rings_in(graphs(two, " crossnic=\"2\""), 4) == "0,1,3,2; 0,2,3,1");
  CHECK(rings_in(graphs(two, " crossnic=\"1\""), 4) == "0,1,2,3; 0,3,2,1");
  CHECK(rings_in(graphs({channel("01", kNet)}, " crossnic=\"2\""), 4) == "0,1,2,3");
}

TEST_CASE("comments, a declaration and a byte order mark may stand around the graphs") {
  CHECK(rings_in("\xef\xbb\xbf<?xml version=\"1.0\"?>\n<!-- x -->\n" + graphs({channel("01")}),
                 2) == "0,1");
}

TEST_CASE("XML that holds no rings says what would") {
  const std::string right = "; give what NCCL_GRAPH_DUMP_FILE wrote";
  CHECK(rings_refusal("\n<system version=\"1\"/>", 4) ==
        bad("2:1", "<system> holds no rings" + right + ": <graphs>"));
  CHECK(rings_refusal("<graphs><graph id=\"1\" pattern=\"1\"/></graphs>", 4) ==
        bad("1:1", "holds no ring, a graph of pattern 4" + right));
  CHECK(rings_refusal("<graphs><graph></graphs>", 4) ==
        bad("1:18",
            "malformed XML: an element is not closed by its own tag; mend it there, or write the "
            "file anew"));
  CHECK(rings_refusal("<!DOCTYPE graphs [<!ENTITY a \"b\">]><graphs/>", 4) ==
        bad("1:11",
            "there is a document type declaration; remove it: topology files have none, and no "
            "entities"));
  CHECK(rings_refusal("<graphs a=\"\xff\"/>", 4) ==
        bad("1:12", "a byte is not UTF-8; save the file as UTF-8"));
}

TEST_CASE("there is one ring graph, with as many channels as it says") {
  const std::string second = "<graph pattern=\"4\"/></graphs>";
  std::string two = graphs({channel("01")});
  two.replace(two.find("</graphs>"), 9, second);
  CHECK(rings_refusal(two, 2) == bad("9:1", "is a second graph of pattern 4, the ring; keep one"));
  CHECK(rings_refusal("<graphs/>\n<graphs/>", 2) ==
        bad("2:1", "stands beside the root, <graphs>; keep one of them"));
  std::string wrong = graphs({channel("01")});
  wrong.replace(wrong.rfind("nchannels=\"1\""), 13, "nchannels=\"2\"");
  CHECK(rings_refusal(wrong, 2) ==
        bad("5:1",
            "nchannels is \"2\", but the graph's channels number 1; make them agree, with "
            "one channel at least"));
  CHECK(rings_refusal(graphs({}), 2) ==
        bad("5:1",
            "nchannels is \"0\", but the graph's channels number 0; make them agree, with "
            "one channel at least"));
  CHECK(rings_refusal(graphs(std::vector<std::string>(1001, channel("01"))), 2) ==
        bad("5:1", "the graph holds 1001 channels; give at most 1000"));
}

TEST_CASE("each channel passes every GPU of the node once") {
  const std::string once = "; name every GPU of the node once";
  CHECK(rings_refusal(graphs({channel("0121")}), 4) ==
        bad("7:43", "the channel names dev 1 twice" + once));
  CHECK(rings_refusal(graphs({channel("01"), channel("02")}), 2) ==
        bad("8:1", "the channel passes other GPUs than the first one" + once));
  CHECK(rings_refusal(graphs({channel("01"), channel("012")}), 2) ==
        bad("8:1", "the channel passes other GPUs than the first one" + once));
  CHECK(rings_refusal(graphs({channel("")}), 2) == bad("6:1", "the channel holds no gpu" + once));
  CHECK(rings_refusal(graphs({"<channel><gpu/></channel>"}), 2) ==
        bad("6:10", "this gpu has no dev; write such as <gpu dev=\"0\"/>"));
  for (const std::string dev : {"", "x", "-1", "1.5", "0x", "99999999999999999999"})
    CHECK(rings_refusal(graphs({"<channel><gpu dev=\"" + dev + "\"/></channel>"}), 2) ==
          bad("6:10", "\"" + dev + "\" is no dev; write a whole number, such as \"0\" or \"0xa\""));
}

TEST_CASE("the rings fit the run") {
  CHECK(rings_refusal(graphs({channel("012", kNet)}), 4) ==
        bad("6:1",
            "the rings pass 3 GPUs, but the run has 4 ranks; choose as many ranks as ran, "
            "or a multiple over several nodes"));
  CHECK(rings_refusal(graphs({channel("01")}), 4) ==
        bad("6:1",
            "the rings stay on 2 GPUs without a net, but the run has 4 ranks; choose as "
            "many ranks as ran"));
  CHECK(rings_refusal(
            graphs({R"(<channel><gpu dev="0" rank="4"/><gpu dev="1" rank="5"/></channel>)"}), 2) ==
        bad("6:1",
            "the rings name rank 5, but the node's are 0 to 1; give the file of the first "
            "node"));
  const std::vector<std::string> many(1000, channel("01", kNet));
  CHECK(rings_refusal(graphs(many), 200'000) ==
        bad("6:1",
            "1000 channels on 200000 ranks are more than 100000000 steps; use fewer ranks or "
            "channels"));
}

TEST_CASE("a graph file that is too long is not read") {
  CHECK(rings_refusal("<graphs>" + std::string(8'000'000, ' '), 2) ==
        "nccl.log: has more than 8000000 bytes, too many for rings; give what "
        "NCCL_GRAPH_DUMP_FILE wrote");
}

namespace {

// With as many nics at every rank.
std::string with_nics(const std::string& text, int ranks, int nics) {
  const std::vector<int> counts(static_cast<std::size_t>(ranks), nics);
  return rings_text(read_nccl_rings(text, "nccl.log", ranks, counts));
}

std::string nics_refusal(const std::string& text, int ranks, int nics) {
  return testing::refusal_of([&] { with_nics(text, ranks, nics); });
}

std::string between(const std::string& in, const std::string& gpus, const std::string& out) {
  std::string text = channel(gpus);
  text.insert(text.find('\n') + 1, "<net dev=\"" + in + "\"/>");
  return text.insert(text.find("</channel>"), "<net dev=\"" + out + "\"/>");
}

}  // namespace

TEST_CASE("a channel's nets are the nics by which it comes to every node and goes from it") {
  CHECK(with_nics(graphs({between("0", "01", "0x1"), between("2", "10", "3")}), 4, 4) ==
        "nic0>0,1>nic1,nic0>2,3>nic1; 0>nic3,nic2>3,2>nic3,nic2>1");
  CHECK(with_nics(graphs({between("1", "0", "0")}), 2, 2) == "nic1>0>nic0,nic1>1>nic0");
}

TEST_CASE("channels with other nics are other rings, with the same a multiplicity") {
  const std::string one = between("0", "01", "0");
  CHECK(with_nics(graphs({one, between("1", "01", "1"), one}), 4, 2) ==
        "nic0>0,1>nic0,nic0>2,3>nic0 x2; nic1>0,1>nic1,nic1>2,3>nic1");
}

TEST_CASE("a node beside takes the nics of the channel that it takes") {
  const std::vector<std::string> two = {between("0", "01", "1"), between("2", "10", "3")};
  CHECK(with_nics(graphs(two, " crossnic=\"2\""), 4, 4) ==
        "nic0>0,1>nic1,nic2>3,2>nic3; 0>nic3,nic0>2,3>nic1,nic2>1");
}

TEST_CASE("nets are not used on one node, nor where nothing is known of nics") {
  CHECK(with_nics(graphs({between("0", "01", "1")}), 2, 2) == "0,1");
  CHECK(with_nics(graphs({between("9", "01", "9")}), 2, 0) == "0,1");
  CHECK(rings_in(graphs({between("9", "01", "9")}), 4) == "0,1,2,3");
  CHECK(with_nics(graphs({channel("01"), between("0", "01", "0")}), 4, 1) ==
        "0,1,2,3; nic0>0,1>nic0,nic0>2,3>nic0");
}

TEST_CASE("where a machine has no nics, net 0 stands for none") {
  CHECK(with_nics(graphs({between("0", "01", "0")}), 4, 0) == "0,1,2,3");
  CHECK(nics_refusal(graphs({between("0", "01", "1")}), 4, 0) ==
        bad("7:43",
            "NIC 1 is none of rank 1's box, which has 0; give a machine with NICs, or name "
            "0"));
}

TEST_CASE("a net that is no nic of the box is refused at its place") {
  CHECK(nics_refusal(graphs({between("0", "01", "0"), between("4", "01", "0")}), 4, 4) ==
        bad("9:1", "NIC 4 is none of rank 0's box, which has 4; name one of 0 to 3"));
  CHECK(nics_refusal(graphs({between("0", "01", "x")}), 4, 4) ==
        bad("7:43", "\"x\" is no dev; write a whole number, such as \"0\" or \"0xa\""));
  CHECK(nics_refusal(graphs({between("9", "01", "0")}), 2, 1) ==  // on one node
        bad("7:1", "NIC 9 is none of rank 0's box, which has 1; name one of 0 to 0"));
  CHECK(nics_refusal(graphs({between("0", "01", "9")}), 2, 1) ==
        bad("7:43", "NIC 9 is none of rank 1's box, which has 1; name one of 0 to 0"));
  std::string without = graphs({between("0", "01", "0")});
  without.erase(without.find("<net dev=\"0\"") + 4, 8);
  CHECK(nics_refusal(without, 4, 4) ==
        bad("7:1", "this net has no dev; write such as <net dev=\"0\"/>"));
}

}  // namespace syncsim::nccl_ring_graph_test
