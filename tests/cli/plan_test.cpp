// syncsim plan, verify, and plans that run.

#include <doctest/doctest.h>

#include <string>

#include "sim/base/page_text.h"
#include "tests/cli/refusals.h"

namespace syncsim::testing::plan_test {
namespace {

const Arguments kRing = {"plan", "--topology", "pcie_4gpu", "--strategy",
                         "ring", "--bytes",    "160 MB"};

Arguments run_of(const std::string& strategies, const std::string& bytes = "160 MB") {
  return {"run",     "--topology", "pcie_4gpu", "--strategy", strategies,
          "--bytes", bytes,        "--format",  "json"};
}

// A folder with the ring's plan in both formats.
struct Plans {
  Plans() {
    for (const char* name : {"ring.json", "ring.xml"})
      REQUIRE(syncsim(with(kRing, {"--out", name}), folder.path()).exit_code == 0);
  }
  Outcome operator()(const Arguments& arguments) const { return syncsim(arguments, folder.path()); }
  std::string text(const std::string& name) const { return read_text(folder.path() + "/" + name); }
  // Writes NAME with the first `from` replaced.
  void damage(const std::string& name, const std::string& from, const std::string& to) const {
    std::string damaged = text(name);
    const auto at = damaged.find(from);
    REQUIRE(at != std::string::npos);
    folder.write("bad-" + name, damaged.replace(at, from.size(), to));
  }
  TemporaryFolder folder;
};

TEST_CASE("plan says what it wrote, verify that it is right") {
  const Plans plans;
  const std::string what = "allreduce of 160 MB on 4 ranks, 24 ops, 4 chunks, 6 steps\n";
  CHECK(plans(with(kRing, {"--out", "again.json"})).out == "again.json: " + what);
  CHECK(plans.text("again.json") == plans.text("ring.json"));
  CHECK(plans({"verify", "ring.json"}).out == "valid: ring.json: " + what);
  CHECK(plans({"verify", "ring.xml"}).out ==
        "valid: ring.xml: allreduce on 4 ranks, 24 ops, 4 chunks, 6 steps\n");
  CHECK(json_of(plans({"verify", "ring.json", "--format", "json"})) ==
        Json::parse(R"({"valid": true, "plan": "ring.json", "format": "json",
          "collective": "allreduce", "bytes": 160000000, "ranks": 4, "ops": 24, "chunks": 4,
          "steps": 6})"));
}

TEST_CASE("one op takes one step, and says so") {
  const Plans plans;
  CHECK(plans({"plan", "--topology", "pcie_4gpu", "--ranks", "0,1", "--strategy", "one_shot",
               "--collective", "broadcast", "--bytes", "1 MB", "--out", "one.json"})
            .out == "one.json: broadcast of 1 MB on 2 ranks, 1 op, 1 chunk, 1 step\n");
}

TEST_CASE("a plan's path may hold commas, among other strategies") {
  const Plans plans;
  plans.folder.write("a,b.json", plans.text("ring.json"));
  const Json points = json_of(plans(run_of("ring,plan:a,b.json,plan:ring.xml")))["points"];
  REQUIRE(points.size() == 3);
  CHECK(points[1]["strategy"] == "plan:a,b.json");
  CHECK(points[2]["strategy"] == "plan:ring.xml");
}

TEST_CASE("an empty plan is told what it may be") {
  const Plans plans;
  plans.folder.write("empty.xml", "");
  check_refused(plans({"verify", "empty.xml"}),
                "empty.xml: the file is empty; give a plan: .json or MSCCL .xml");
}

TEST_CASE("a plan runs as long as its strategy, in either format, and is called by its file") {
  const Plans plans;
  const Json points = json_of(plans(run_of("ring,plan:ring.json,plan:ring.xml")))["points"];
  REQUIRE(points.size() == 3);
  CHECK(points[1]["strategy"] == "plan:ring.json");
  CHECK(points[2]["strategy"] == "plan:ring.xml");
  for (const Json& point : points) {
    CHECK(point["time_ps"] == 15'000'000'000);
    CHECK(point["bound_us"] == points[0]["bound_us"]);
  }
}

TEST_CASE("a plan of other bytes is stretched") {
  const Plans plans;
  const Json points = json_of(plans(run_of("plan:ring.json", "16 MB,320 MB")))["points"];
  CHECK(points[0]["time_ps"] == 1'500'000'000);
  CHECK(points[1]["time_ps"] == 30'000'000'000);
  check_refused(plans(with(run_of("plan:ring.json", "6 B"), {"--datatype", "int8"})),
                "ring.json: the plan is for 160 MB, and cannot be stretched to 6 B: buffer data "
                "would be cut within a byte; give the plan's bytes, or a whole multiple of them");
  check_refused(plans(run_of("plan:ring.json", "40 B")),
                "ring.json: the plan cuts buffer data at 10 B, inside an element of float32; give "
                "the datatype that the plan was made for, or other bytes");
}

TEST_CASE("a wrong plan is told with its first wrong rank and chunk, exit code 1") {
  const Plans plans;
  // The first copy of the all-gather adds instead.
  plans.damage("ring.json", "[\"copy\",", "[\"reduce\",");
  const Outcome outcome = plans({"verify", "bad-ring.json", "--format", "json"});
  CHECK(outcome.exit_code == 1);
  const Json wrong = json_of(outcome);
  CHECK(wrong["valid"] == false);
  CHECK(wrong["kind"] == "doubled");
  CHECK(wrong["rank"] == 0);
  CHECK(wrong["chunk"] == 0);
  CHECK(wrong["op"] == 12);
  const Outcome text = plans({"verify", "bad-ring.json"});
  CHECK(text.exit_code == 1);
  CHECK(text.out == within_page("wrong (doubled): bad-ring.json: " +
                                wrong["message"].get<std::string>() + "\n"));
  check_refused(plans(run_of("plan:bad-ring.json")),
                "bad-ring.json: the plan is wrong: " + wrong["message"].get<std::string>() +
                    "; mend it; \"syncsim verify\" proves a plan");
}

TEST_CASE("an XML without one receive is wrong at the rank that lacks it") {
  const Plans plans;
  const std::string xml = plans.text("ring.xml");
  const auto end = xml.find("    </tb>");
  const auto line = xml.rfind("      <step", end);
  plans.damage("ring.xml", xml.substr(line, end - line), "");
  const Outcome outcome = plans({"verify", "bad-ring.xml", "--format", "json"});
  CHECK(outcome.exit_code == 1);
  CHECK(json_of(outcome)["kind"] == "missing");
  CHECK(json_of(outcome)["rank"] == 0);
  CHECK(json_of(outcome)["chunk"] == 2);
}

TEST_CASE("what is no plan is refused at its place") {
  const Plans plans;
  plans.damage("ring.json", "[\"reduce\",0,", "[\"reduce\",-1,");
  check_refused(plans({"verify", "bad-ring.json"}),
                "bad-ring.json:/ops/0/1: -1 is no source; write a whole number from 0 to "
                "4294967295");
  plans.damage("ring.xml", "type=\"s\"", "type=\"t\"");
  check_refused(plans({"verify", "bad-ring.xml"}),
                "bad-ring.xml:4:7: unknown step type \"t\"; choose one of s, r, rcs, rrc, rrs, "
                "rrcs, cpy, re, nop");
  plans.folder.write("empty.json", "");
  check_refused(plans({"verify", "empty.json"}),
                "empty.json: the file is empty; give a plan: .json or MSCCL .xml");
  check_refused(plans({"verify", "none.json"}),
                "none.json: there is no such file; name a plan: .json or MSCCL .xml");
  check_refused(plans({"verify", "ring.json", "--collective", "broadcast"}),
                "ring.json: the plan computes allreduce, not broadcast; give the collective "
                "allreduce");
}

TEST_CASE("plan refuses what one file cannot hold, and writes nothing") {
  const Plans plans;
  const Arguments plan = {"plan",   "--topology", "pcie_4gpu", "--bytes",
                          "160 MB", "--out",      "x.json"};
  check_refused(plans(plan),
                "--strategy: a strategy is needed; write such as: syncsim plan --topology "
                "pcie_4gpu --strategy ring --bytes \"160 MB\" --out ring.xml");
  check_refused(plans(with(plan, {"--strategy", "ring,chain"})),
                "2 plans for one file; give one strategy and one size");
  check_refused(plans(with(kRing, {"--out", "x.txt"})),
                "--out: \"x.txt\" ends neither in .json nor in .xml; name the plan so");
  check_refused(plans({"plan", "--topology", "pcie_4gpu", "--bytes", "160 MB", "--strategy",
                       "central_cpu", "--out", "x.xml"}),
                "--out: MSCCL cannot express this: cpu0 helps, which is no rank; choose another "
                "strategy, or write .json");
  check_refused(plans(with(plan, {"--strategy", "parameter_server", "--param", "update=3 ms"})),
                "--out: a plan cannot say what compute ops do to data; leave out updates");
  CHECK_FALSE(std::filesystem::exists(plans.folder.path() + "/x.xml"));
  CHECK_FALSE(std::filesystem::exists(plans.folder.path() + "/x.json"));
}

TEST_CASE("a plan that does not fit its point is refused") {
  const Plans plans;
  check_refused(plans(with(run_of("plan:ring.json"), {"--ranks", "0-2"})),
                "ring.json: the plan is for 4 ranks, the point has 3; choose 4 ranks, or make the "
                "plan anew");
  check_refused(plans(with(run_of("plan:ring.xml"), {"--collective", "broadcast"})),
                "ring.xml:1:1: the plan computes allreduce, not broadcast; give the collective "
                "allreduce");
  check_refused(plans(with(run_of("plan:ring.json"), {"--param", "chunks=2"})),
                "--param: a plan takes no parameter, \"chunks\" neither; leave it out, or name a "
                "strategy");
  check_refused(plans(with(run_of("plan:ring.json"), {"--rings", "r.txt"})),
                "--rings: a plan takes no file of rings; name the strategy \"ring\"");
  check_refused(plans(run_of("plan:")), "--strategy: \"plan:\" names no file; write plan:FILE");
}

TEST_CASE("ranks of a plan keep their nodes by name, and go by number elsewhere") {
  const Plans plans;
  const Arguments order = {"--ranks", "0,2,1,3", "--param", "rings=0,1,2,3"};
  REQUIRE(plans(with(with(kRing, {"--out", "order.json"}), order)).exit_code == 0);
  const Json links = json_of(plans(with(run_of("plan:order.json"), {"--links"})))["points"][0];
  CHECK(links["time_ps"] == 15'000'000'000);
  const Json elsewhere =
      json_of(plans({"run", "--topology", "dgx1v", "--ranks", "4-7", "--strategy", "plan:ring.json",
                     "--bytes", "160 MB", "--format", "json"}));
  CHECK(elsewhere["points"][0]["strategy"] == "plan:ring.json");
  REQUIRE(plans({"plan", "--topology", "pcie_4gpu", "--strategy", "central_cpu", "--bytes",
                 "160 MB", "--out", "cpu.json"})
              .exit_code == 0);
  check_refused(plans({"run", "--topology", "mi250", "--ranks", "0-3", "--strategy",
                       "plan:cpu.json", "--bytes", "160 MB"}),
                "cpu.json: helper cpu0 of the plan is no node of mi250; run it on a machine that "
                "has it, or make the plan anew");
}

TEST_CASE("a plan becomes a plan of the other format, and is ranked among the strategies") {
  const Plans plans;
  const Arguments convert = {"plan",    "--topology", "pcie_4gpu", "--strategy", "plan:ring.json",
                             "--bytes", "160 MB",     "--out",     "two.xml"};
  REQUIRE(plans(convert).exit_code == 0);
  CHECK(plans({"verify", "two.xml"}).exit_code == 0);
  const Json ranking = json_of(plans({"compare", "--topology", "pcie_4gpu", "--bytes", "160 MB",
                                      "--plan", "two.xml", "--format", "json"}))["ranking"];
  const auto is_plan = [](const Json& each) { return each["strategy"] == "plan:two.xml"; };
  CHECK(std::count_if(ranking.begin(), ranking.end(), is_plan) == 1);
  check_refused(
      plans({"compare", "--topology", "pcie_4gpu", "--bytes", "160 MB", "--plan", "three.xml"}),
      "--plan: three.xml: there is no such file; name a plan: .json or MSCCL .xml");
}

}  // namespace
}  // namespace syncsim::testing::plan_test
