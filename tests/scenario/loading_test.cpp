// Batches that come over the machine's links before each forward: 48 ms of compute and then 15 ms
// of gradients, on four GPUs with links of 16 GB/s, which the CPU has one of.

#include "sim/scenario/loading_field.h"

#include <doctest/doctest.h>

#include "sim/scenario/run.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/training_limits.h"
#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"

namespace syncsim::testing::loading_test {
namespace {

RunSettings settings() {
  RunSettings settings;
  settings.shelf = SYNCSIM_SHELF;
  return settings;
}

Point point_of(const std::string& fields) {
  const std::string text = R"({"strategy": "ring", "model": {"layers": 16, "bytes": "160 MB",
    "forward": "16 ms", "backward": "32 ms"}, "buckets": "one", "overlap": false)" +
                           fields + "}";
  return read_scenario(JsonFile::parse(text, "s.json").root()).points.front();
}

Report report_of(const std::string& fields, const std::string& machine = "pcie_4gpu") {
  return run_point(point_of(R"(, "topology": ")" + machine + "\"" + fields), settings());
}

Report loaded(const std::string& loading, const std::string& more = "") {
  return report_of(R"(, "loading": )" + loading + more);
}

doctest::Approx about(double value) { return doctest::Approx(value).epsilon(1e-9); }

double bytes_over(const Report& report, const std::string& link) {
  for (const LinkReport& each : report.links)
    if (each.label() == link) return each.bytes;
  return -1;
}

}  // namespace

TEST_CASE("batches that come behind compute cost nothing") {
  // 4 x 192 MB take 48 ms.
  for (const char* batch : {"\"16 MB\"", "\"192 MB\"", R"({"bytes": "192 MB", "from": "cpu0"})"})
    CHECK(loaded(batch).time == parse_time("63 ms"));
}

TEST_CASE("a step is no shorter than the CPU's link needs for the batches") {
  // 4 x 320 MB / 16 GB/s; gradients go beside them, at 12 GB/s.
  const Report report = loaded("\"320 MB\"");
  CHECK(report.time == parse_time("80 ms"));
  CHECK(report.step->compute == parse_time("48 ms"));
  CHECK(report.step->communication == parse_time("80 ms"));
  CHECK(report.step->ranks[0].waits.transfer == parse_time("32 ms"));
}

TEST_CASE("gradients share links with batches") {
  // 60 ms of batches from the begin of forward on: for the last 12 of them the gradients get 12
  // GB/s of 16, and then 6 ms more.
  CHECK(seconds(loaded("\"240 MB\"").time) == about(66e-3));
}

TEST_CASE("what is not loaded ahead comes while the rank waits") {
  const Report report = loaded(R"({"bytes": "16 MB", "ahead": 0})");
  CHECK(report.time == parse_time("67 ms"));
  CHECK(report.step->exposed == parse_time("19 ms"));
  CHECK(report.step->communication == parse_time("19 ms"));
  CHECK(report.step->overlap == 0);
}

TEST_CASE("what is loaded further ahead bridges a link that is lost for a while") {
  // Forward begins at 4 ms and then every 63; the third batch begins to come at 67 or at 0.
  const auto finish = [](const std::string& ahead) {
    return loaded(R"({"bytes": "16 MB", "ahead": )" + ahead + "}",
                  R"(, "steps": 4, "events": ["at 66 ms link:switch0-cpu0 bandwidth=1 kB/s",
                      "at 200 ms link:switch0-cpu0 bandwidth=16 GB/s"])")
        .step->ranks[0]
        .finish;
  };
  CHECK(seconds(finish("3")) == about(4e-3 + 3 * 63e-3 + 48e-3));
  CHECK(seconds(finish("1")) == doctest::Approx(204e-3 + 63e-3 + 48e-3).epsilon(1e-6));
}

TEST_CASE("each rank's batches come from its nearest CPU, or from where it is said") {
  const std::string steps = R"(, "steps": 2)";
  const std::string bytes = steps + R"(, "loading": {"bytes": "10 MB")";
  const Report none = report_of(steps, "pcie_8gpu");
  const Report near = report_of(bytes + "}", "pcie_8gpu");
  const Report far = report_of(bytes + R"(, "from": "cpu1"})", "pcie_8gpu");
  const auto more = [&](const Report& report, const std::string& link) {
    return bytes_over(report, link) - bytes_over(none, link);
  };
  // Three batches for four ranks: one is for the step behind the last.
  CHECK(more(near, "cpu0>plx0") == about(120e6));
  CHECK(more(near, "cpu1>plx1") == about(120e6));
  CHECK(more(near, "cpu1>cpu0") == 0);
  CHECK(more(far, "cpu1>plx1") == about(120e6));
  CHECK(more(far, "cpu1>cpu0") == about(120e6));
  // Of several machines each has its own.
  const std::string link = "node1/cpu0>node1/cpu1";
  const Report boxes = report_of(bytes + R"(, "from": "node*/cpu0"})", "dgx1v_x2");
  CHECK(bytes_over(boxes, link) - bytes_over(report_of(bytes + "}", "dgx1v_x2"), link) ==
        about(120e6));
}

TEST_CASE("a single step loads its own batch alone") {
  // 4 ms, 48 ms, 15 ms.
  CHECK(loaded("\"16 MB\"", R"(, "steps": 1)").time == parse_time("67 ms"));
}

TEST_CASE("a rank that has its batches itself waits for none") {
  const Report report = loaded(R"({"bytes": "320 MB", "from": "gpu0"})", R"(, "ranks": "0")");
  CHECK(report.time == parse_time("48 ms"));
}

TEST_CASE("batches are proved with whatever else a step has") {
  for (const std::string fields :
       {R"(, "sharding": "parameters")", R"(, "sharding": "gradients", "early_forward": true)",
        R"(, "reduction": "staged", "bucket_order": "priority")"})
    for (const std::string ahead : {"0", "1", "3"}) {
      CAPTURE(fields);
      const Report report = loaded(R"({"bytes": "320 MB", "ahead": )" + ahead + "}", fields);
      CHECK(report.time >= parse_time("80 ms"));
    }
}

TEST_CASE("on a network of no cost batches take no time") {
  const Point point = point_of(R"(, "topology": "pcie_4gpu", "loading": "320 MB")");
  const Time free = step_on_infinite_network(point, settings());
  CHECK(free >= parse_time("48 ms"));
  CHECK(free < parse_time("48000001 ns"));
}

TEST_CASE("flows of the background share links with gradients") {
  // For 5 ms the ring's first message from gpu0 to gpu1 has half of its link, which is 2.5 ms.
  const TemporaryFolder folder;
  folder.write("flows.csv", "start,source,destination,bytes\n111 ms,gpu0,gpu1,40 MB\n");
  Point point = point_of(R"(, "topology": "pcie_4gpu", "parameters": {"rings": "0,1,2,3"})");
  CHECK(run_point(point, settings()).time == parse_time("63 ms"));
  point.background = folder.path() + "/flows.csv";
  CHECK(run_point(point, settings()).time == parse_time("65500 us"));
}

TEST_CASE("wrong loading is refused where it stands") {
  const auto wrong = [](const std::string& loading, const std::string& machine = "pcie_4gpu") {
    return refusal_of([&] { report_of(R"(, "loading": )" + loading, machine); });
  };
  CHECK(wrong("\"0 B\"") ==
        "s.json:/loading: is no size of a batch; write one above 0, up to 1 PB");
  CHECK(wrong(R"({"bytes": "2 PB"})").starts_with("s.json:/loading/bytes: "));
  CHECK(wrong(R"({"ahead": 1})") ==
        "s.json:/loading: \"bytes\" is missing; add \"bytes\": \"77 MB\"");
  CHECK(wrong(R"({"bytes": "1 MB", "form": "cpu0"})") ==
        "s.json:/loading/form: unknown key \"form\"; did you mean \"from\"?");
  CHECK(wrong(R"({"bytes": "1 MB", "ahead": -1})") ==
        "s.json:/loading/ahead: -1 is out of range; write a whole number from 0 to 1000");
  CHECK(wrong(R"({"bytes": "1 MB", "ahead": 4})") ==
        "s.json:/loading: loads 4 steps ahead of the 3 that are run; run more steps, or load fewer "
        "ahead");
  CHECK(wrong(R"({"bytes": "1 MB", "from": "cpu7"})").starts_with("s.json:/loading/from: "));
  CHECK(wrong(R"({"bytes": "1 MB", "from": "switch0"})") ==
        "s.json:/loading/from: \"switch0\" holds no batches; name a CPU or a GPU");
  CHECK(
      wrong(R"({"bytes": "1 MB", "from": "cpu*"})", "pcie_8gpu") ==
      "s.json:/loading/from: \"cpu*\" stands for 2 cpus in the box of gpu0; name one of each box, "
      "as in \"node*/cpu0\"");
  CHECK(wrong("\"1 MB\"", "tpu_v4_4x4x4") ==
        "s.json:/loading: gpu0 has no CPU in its machine to load batches from; name a node, as in "
        "{\"bytes\": \"77 MB\", \"from\": \"cpu0\"}");
}

}  // namespace syncsim::testing::loading_test
