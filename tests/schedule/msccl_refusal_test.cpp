// What is no MSCCL plan is refused at its line and column, whatever it says, in bounded memory.

#include <doctest/doctest.h>

#include <map>
#include <string>

#include "sim/schedule/msccl_xml.h"
#include "tests/schedule/msccl_text.h"
#include "tests/support/refusal.h"

namespace syncsim::msccl_refusal_test {
namespace {

using namespace testing;

std::string refusal(const std::string& text, const MscclUse& use = {}) {
  return refusal_of([&] { read_msccl(text, "p.xml", use); });
}

// Of the exchange of two GPUs, whose first step stands in line 4, with one piece of text replaced.
std::string refusal_with(const std::string& from, const std::string& to) {
  std::string text = exchange().text();
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return refusal(text.replace(at, from.size(), to));
}

TEST_CASE("what is no MSCCL plan is refused") {
  CHECK(refusal("<system/>") ==
        "p.xml:1:1: <system> is no plan; give MSCCL XML, which begins with <algo ...>");
  CHECK(refusal(exchange().text() + "<algo/>") ==
        "p.xml:15:1: stands beside the root, <algo>; keep one of them");
  CHECK(refusal("<!DOCTYPE a><algo/>").find("remove it: plans have none, and no entities") !=
        std::string::npos);
  CHECK(refusal("<algo>").starts_with("p.xml:1:"));
}

TEST_CASE("channels and protocols that the MSCCL runtime does not have are refused") {
  CHECK(refusal_with("chan=\"0\"", "chan=\"1\"") ==
        "p.xml:3:1: chan is 1, but nchannels is 1; number channels from 0, below nchannels");
  CHECK(refusal_with("nchannels=\"1\"", "nchannels=\"0\"") ==
        "p.xml:1:1: nchannels is \"0\", which does not do; write a whole number from 1 to 4096");
  CHECK(refusal_with("proto=\"Simple\"", "proto=\"Simpel\"") ==
        "p.xml:1:1: proto is \"Simpel\", which MSCCL does not know; write Simple, LL or LL128");
  CHECK(refusal_with("proto=\"Simple\"", "proto=\"LL128\"") == "accepted");
}

TEST_CASE("a GPU's buffers are no larger than it says, where it says so") {
  const auto text_with = [](const std::string& i_chunks) {
    std::string text = exchange().text();
    for (const auto& [from, to] :
         std::map<std::string, std::string>{{"nchunksperloop=\"1\"", "nchunksperloop=\"2\""},
                                            {"i_chunks=\"1\"", "i_chunks=\"" + i_chunks + "\""},
                                            {"srcoff=\"0\"", "srcoff=\"1\""}}) {
      const auto at = text.find(from);
      REQUIRE(at != std::string::npos);
      text.replace(at, from.size(), to);
    }
    return refusal(text);
  };
  CHECK(text_with("1") ==
        "p.xml:4:1: chunk 1 of buffer i does not exist; there is 1; stay within the buffer");
  for (const std::string i_chunks : {"0", "2"})  // 0: not said
    CHECK(text_with(i_chunks).find("does not exist") == std::string::npos);
}

TEST_CASE("attributes that are missing or out of range are refused at their element") {
  CHECK(refusal_with(" coll=\"allreduce\"", "") ==
        "p.xml:1:1: this <algo> has no coll; write it as coll=\"...\"");
  CHECK(
      refusal_with("nchunksperloop=\"1\"", "nchunksperloop=\"99999999999\"") ==
      "p.xml:1:1: nchunksperloop is \"99999999999\", which does not do; write a whole number from "
      "1 to 1048576");
  CHECK(refusal_with("ngpus=\"2\"", "ngpus=\"3\"") ==
        "p.xml:1:1: ngpus is 3, and there are 2; describe every GPU once");
  CHECK(refusal_with("gpu id=\"1\"", "gpu id=\"0\"") ==
        "p.xml:8:1: is GPU 0 for the second time; describe every GPU once");
  CHECK(refusal_with("send=\"1\"", "send=\"2\"") ==
        "p.xml:3:1: send is \"2\", which does not do; write a whole number from -1 to 1");
  CHECK(refusal_with("send=\"1\"", "send=\"0\"") ==
        "p.xml:3:1: GPU 0 is its own peer; use cpy and re within a GPU");
  CHECK(refusal_with("send=\"1\"", "send=\"-1\"") ==
        "p.xml:4:1: \"s\" sends, and its thread block has no GPU to send to; give the <tb> its "
        "send");
  CHECK(refusal_with("recv=\"1\"", "recv=\"-1\"") ==
        "p.xml:5:1: \"rrc\" receives, and its thread block has no GPU to receive from; give the "
        "<tb> its recv");
  CHECK(refusal_with("type=\"s\"", "type=\"put\"") ==
        "p.xml:4:1: unknown step type \"put\"; choose one of s, r, rcs, rrc, rrs, rrcs, cpy, re, "
        "nop");
  CHECK(refusal_with("srcbuf=\"i\"", "srcbuf=\"x\"") ==
        "p.xml:4:1: srcbuf is \"x\", which does not do; write i, o or s");
  CHECK(
      refusal_with("srcoff=\"0\"", "srcoff=\"-1\"") ==
      "p.xml:4:1: srcoff is \"-1\", which does not do; write a whole number from 0 to 2147483647");
  CHECK(refusal_with("srcoff=\"0\"", "srcoff=\"1\"") ==
        "p.xml:4:1: chunk 1 of buffer i does not exist; there is 1; stay within the buffer");
  CHECK(refusal_with("cnt=\"1\"", "cnt=\"0\"") ==
        "p.xml:4:1: cnt is \"0\", which does not do; write a whole number from 1 to 1048576");
  CHECK(refusal_with("step s=\"1\"", "step s=\"0\"") ==
        "p.xml:5:1: step 0 comes after step 0; number the steps of a thread block upwards");
  CHECK(refusal_with("depid=\"-1\" deps=\"-1\"", "depid=\"0\" deps=\"7\"") ==
        "p.xml:4:1: it waits for step 7 of thread block 0, which does not exist; name a step of "
        "this GPU, or -1");
  CHECK(refusal_with("depid=\"-1\" deps=\"-1\"", "depid=\"4\" deps=\"0\"") ==
        "p.xml:4:1: it waits for step 0 of thread block 4, which does not exist; name a step of "
        "this GPU, or -1");
  CHECK(refusal_with("<tb ", "<block ").find("has no place in <gpu>") == std::string::npos);
}

TEST_CASE("elements without a place are refused, not passed over") {
  CHECK(refusal_with("<gpu id=\"0\"", "<copy/><gpu id=\"0\"") ==
        "p.xml:2:1: \"copy\" has no place in <algo>; write <gpu ...> there alone");
  CHECK(refusal_with("</tb>", "<op/></tb>") ==
        "p.xml:6:1: \"op\" has no place in <tb>; write <step ...> there alone");
}

TEST_CASE("two thread blocks cannot share a connection, nor an id") {
  XmlPlan plan = exchange();
  plan.gpus[0].push_back({1, -1, {send(in(0))}});
  CHECK(refusal(plan.text()) ==
        "p.xml:7:1: shares its connection on channel 0 with thread block 0; give each of the two a "
        "channel of its own");
  std::string text = plan.text();
  text.replace(text.find("tb id=\"1\""), 9, "tb id=\"0\"");
  CHECK(refusal(text) == "p.xml:7:1: is thread block 0 for the second time; number them from 0");
}

TEST_CASE("collectives that MSCCL has not, and chunks that ranks do not divide, are refused") {
  XmlPlan plan = exchange();
  plan.collective = "gather";
  CHECK(refusal(plan.text()) ==
        "p.xml: MSCCL has no gather; it has allreduce, allgather, reduce_scatter, alltoall, "
        "broadcast and reduce; write .json");
  plan.collective = "allreduc";
  CHECK(refusal(plan.text()) ==
        R"(p.xml:1:1: unknown collective "allreduc"; did you mean "allreduce"?)");
  plan.collective = "allgather";
  CHECK(refusal(plan.text()) == "p.xml: 1 chunk of allgather on 2 ranks; give a multiple of 2");
}

TEST_CASE("bytes that the chunks do not divide are refused") {
  const std::string text = ring_allreduce(3).text();
  CHECK(refusal(text, {.bytes = Bytes{16}, .datatype = "float32"}) ==
        "p.xml: 16 B in 3 chunks of float32; give a multiple of 12 B");
  CHECK(refusal(text, {.bytes = Bytes{24}, .datatype = "float32"}) == "accepted");
}

TEST_CASE("huge buffers and counts are refused before they take memory") {
  XmlPlan plan = ring_allreduce(128);
  plan.scratch = 1'048'576;
  CHECK(refusal(plan.text()).find("chunks, of which the steps move") != std::string::npos);
  XmlPlan long_steps{"allreduce", true, 1'048'576, {{{-1, -1, {}}}, {{-1, -1, {}}}}};
  for (int i = 0; i < 20; ++i)
    long_steps.gpus[0][0].steps.push_back({"cpy", in(0), in(0), 1'048'576});
  CHECK(refusal(long_steps.text()).find("chunks, of which the steps move 20971520") !=
        std::string::npos);
}

}  // namespace
}  // namespace syncsim::msccl_refusal_test
