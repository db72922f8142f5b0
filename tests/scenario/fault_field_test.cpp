// How faults and failures may be written.

#include "sim/scenario/fault_field.h"

#include <doctest/doctest.h>

#include "tests/support/refusal.h"

namespace syncsim::testing::fault_field_test {
namespace {

JsonReader json(const std::string& text) {
  return JsonFile::parse(R"({"x": )" + text + "}", "s.json").root().required("x");
}

Fault fault(const std::string& text) {
  FaultField field;
  read_fault(json(text), field);
  return *field.fault;
}

std::string refused(const std::string& text) {
  return refusal_of([&] { fault(text); });
}

}  // namespace

TEST_CASE("a fault as text and as an object are one") {
  const Fault text = fault(R"("step 7 at 5 ms rank:3")");
  const Fault object = fault(R"({"rank": 3, "step": 7, "at": "5 ms"})");
  for (const Fault& each : {text, object}) {
    CHECK(each.kind == Fault::Kind::rank);
    CHECK(each.rank == 3);
    CHECK(each.step == 7);
    CHECK(each.at == parse_time("5 ms"));
    CHECK(each.text == "rank 3");
  }
  CHECK(fault(R"("server:s1/cpu0")").server == "s1/cpu0");
  CHECK(fault(R"("step 2 link:a-b")").step == 2);
  CHECK(fault(R"("at 5ms link:a-b")").at == parse_time("5 ms"));
}

TEST_CASE("a link is dead unless it keeps a bandwidth") {
  CHECK(fault(R"("link:a-b")").text == "link:a-b bandwidth=0 B/s");
  CHECK(fault(R"({"link": "a-b"})").text == "link:a-b bandwidth=0 B/s");
  CHECK(fault(R"("at 1 s kind:nvlink bandwidth=8 GB/s")").text == "kind:nvlink bandwidth=8 GB/s");
  CHECK(fault(R"({"link": "a-b", "step": 1, "bandwidth": "8 GB/s"})").text ==
        "link:a-b bandwidth=8 GB/s");
  const Fault scaled = fault(R"("step 3 at 5 ms scale link:a-* bandwidth 0.5")");
  CHECK(scaled.text == "scale link:a-* bandwidth 0.5");
  CHECK(scaled.step == 3);
  CHECK(scaled.at == parse_time("5 ms"));
}

TEST_CASE("a checkpoint is a time, two, or a node") {
  FaultField field;
  read_checkpoint(json(R"("2 s")"), field);
  CHECK(field.checkpoints.write == parse_time("2 s"));
  CHECK(field.checkpoints.read == parse_time("2 s"));
  read_checkpoint(json(R"({"write": "3 s", "read": "1 min"})"), field);
  CHECK(field.checkpoints.write == parse_time("3 s"));
  CHECK(field.checkpoints.read == parse_time("60 s"));
  read_checkpoint(json(R"({"to": "cpu0", "bytes": "1 GB"})"), field);
  CHECK(field.checkpoint_to->string() == "cpu0");
  CHECK(field.checkpoint_bytes == Bytes{1'000'000'000});
  CHECK(refusal_of([&] { read_checkpoint(json(R"({"to": "cpu0", "write": "1 s"})"), field); }) ==
        "s.json:/x/write: unknown key \"write\"; choose one of to, bytes");
}

TEST_CASE("wrong faults are told where they stand") {
  const std::string kForms =
      "; write such as \"step 7 at 5 ms link:gpu0-gpu1\", with rank:3 or server:cpu0 in its place";
  CHECK(refused(R"("step x rank:1")") ==
        "s.json:/x: \"step x rank:1\": \"x\" is no whole number; write one from 0 to 1000000000");
  CHECK(refused(R"("step 10000000000 rank:1")") ==
        "s.json:/x: \"step 10000000000 rank:1\": \"10000000000\" is out of range; write one from 0 "
        "to 1000000000");
  CHECK(refused(R"("soon rank:1")") ==
        "s.json:/x: \"soon rank:1\" does not say when and what" + kForms);
  CHECK(refused(R"("at 5 rank:1")").starts_with("s.json:/x: \"5\" has no unit"));
  CHECK(refused(R"("rank:-1")") ==
        "s.json:/x: \"rank:-1\": \"-1\" is out of range; write one from 0 to 16777215");
  CHECK(refused(R"({"rank": 1, "server": "x"})") ==
        "s.json:/x/server: unknown key \"server\"; choose one of rank, step, at");
}

}  // namespace syncsim::testing::fault_field_test
