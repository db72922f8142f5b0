// `run --format json`: the keys that scripts rely on. They may be joined by others, never renamed.

#include <doctest/doctest.h>

#include <cstdint>
#include <set>

#include "sim/base/page_text.h"
#include "tests/cli/program.h"

namespace syncsim::testing::run_json_test {
namespace {

const Arguments kRing = {"run",     "--topology", "pcie_4gpu", "--strategy", "ring",
                         "--bytes", "160 MB",     "--format",  "json"};

Json only_point(const Arguments& arguments) {
  const Json json = json_of(syncsim(arguments));
  REQUIRE(json.size() == 1);
  REQUIRE(json["points"].size() == 1);
  return json["points"][0];
}

// Every key of `expected` stands in `actual` with that value; others may stand there too.
void check_holds(const Json& actual, const Json& expected) {
  for (const auto& [key, value] : expected.items()) {
    REQUIRE_MESSAGE(actual.contains(key), key);
    CHECK_MESSAGE(actual[key].dump() == value.dump(), key);
  }
}

std::set<std::string> keys_of(const Json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

}  // namespace

TEST_CASE("a point's keys and values: integers stay integers, 160 MB at 32/3 GB/s take 15 ms") {
  const Json point = only_point(kRing);
  check_holds(point,
              {{"name", ""},
               {"topology", "pcie_4gpu"},
               {"edits", Json::array()},
               {"strategy", "ring"},
               {"parameters", {{"chunks", "auto"}, {"directions", "one"}, {"rings", "auto"}}},
               {"collective", "allreduce"},
               {"bytes", 160'000'000},
               {"datatype", "float32"},
               {"ranks", 4},
               {"executor", "simulated"},
               {"rates", "line"},
               {"time_ps", 15'000'000'000},
               {"time_us", 15000.0},
               {"bound_us", 15000.0},
               {"bound_kind", "ports"},
               {"bound_binds", "the ports out of all ranks"},
               {"efficiency", 1.0},
               {"ops", 24}});
  // algbw = bytes / time, busbw = algbw x 2 (n-1)/n
  CHECK(point["algbw_GBps"].dump() == "10.6666666667");
  CHECK(point["busbw_GBps"].dump() == "16.0");
}

TEST_CASE("phases are named and timed") {
  const Json phases = only_point(kRing)["phases"];
  REQUIRE(phases.size() == 2);
  check_holds(phases[0], {{"name", "reduce-scatter"}, {"time_us", 7500.0}});
  check_holds(phases[1], {{"name", "all-gather"}, {"time_us", 7500.0}});
}

TEST_CASE("the busiest link is named with its direction, true rate and utilization") {
  check_holds(only_point(kRing)["busiest_link"], {{"link", "gpu0-switch0"},
                                                  {"direction", "gpu0>switch0"},
                                                  {"GBps", 16.0},
                                                  {"utilization", 1.0}});
}

TEST_CASE("the critical path leads from 0 to the end without gaps") {
  const Json point = only_point(kRing);
  const Json& path = point["critical_path"];
  REQUIRE(path.size() == 6);
  CHECK(keys_of(path[0]) == std::set<std::string>{"op", "kind", "from", "to", "channel", "phase",
                                                  "bytes", "start_us", "finish_us"});
  double reached = 0;
  for (const Json& op : path) {
    CHECK(op["start_us"].get<double>() == reached);
    reached = op["finish_us"].get<double>();
  }
  CHECK(reached == point["time_us"].get<double>());
}

TEST_CASE("links stand there when asked for, and only then") {
  CHECK_FALSE(only_point(kRing).contains("links"));
  const Json links = only_point(with(kRing, {"--links"}))["links"];
  REQUIRE_FALSE(links.empty());
  check_holds(links[0], {{"link", "gpu0-switch0"},
                         {"direction", "gpu0>switch0"},
                         {"bytes", 240'000'000},
                         {"GBps", 16.0},
                         {"capacity_GBps", 16.0},
                         {"utilization", 1.0}});
  // 2 (n-1)/n M leaves and reaches each of 4 gpus; nothing goes to the CPU.
  std::int64_t carried = 0;
  for (const Json& link : links) carried += link["bytes"].get<std::int64_t>();
  CHECK(carried == 4 * 2 * 240'000'000);
}

TEST_CASE("points stand in the order of the command line, sizes fastest") {
  const Json json =
      json_of(syncsim({"run", "--topology", "pcie_4gpu", "--strategy", "distributed,central_gpu",
                       "--bytes", "8 MB,16 MB", "--format", "json"}));
  std::string order;
  for (const Json& point : json["points"])
    order += point["strategy"].get<std::string>() + " " + point["bytes"].dump() + "; ";
  CHECK(order ==
        "distributed 8000000; distributed 16000000; central_gpu 8000000; central_gpu 16000000; ");
}

TEST_CASE("what was asked stands in the point: parameters, edits, collective, type, ranks, rates") {
  check_holds(
      only_point(with(
          kRing, {"--param", "chunks=8", "--edit", "scale kind:pcie bandwidth 0.5", "--collective",
                  "reduce_scatter", "--datatype", "int8", "--ranks", "2,0", "--rates", "usable"})),
      {{"edits", {"scale kind:pcie bandwidth 0.5"}},
       {"parameters", {{"chunks", "8"}, {"directions", "one"}, {"rings", "auto"}}},
       {"collective", "reduce-scatter"},
       {"datatype", "int8"},
       {"ranks", 2},
       {"rates", "usable"},
       // Each of 2 ranks sends 4 pieces of 20 MB at 6 GB/s, one after the other, each to the next
       // ps.
       {"time_ps", 4 * std::int64_t{3'333'333'334}}});
}

TEST_CASE("one rank and no bytes give zeros, never what JSON cannot say") {
  check_holds(only_point({"run", "--topology", "pcie_4gpu", "--strategy", "ring", "--bytes", "0 B",
                          "--ranks", "0", "--format", "json"}),
              {{"ranks", 1},
               {"time_ps", 0},
               {"algbw_GBps", 0.0},
               {"busbw_GBps", 0.0},
               {"bound_us", 0.0},
               {"efficiency", 1.0},
               {"busiest_link", nullptr}});
}

TEST_CASE("a node whose own capacity binds is the busiest link") {
  const TemporaryFolder folder;
  folder.write("m.json", R"({"name": "m",
    "link_types": {"x16": {"kind": "pcie", "bandwidth": "16 GB/s"}},
    "nodes": [{"id": "gpu[0-1]", "kind": "gpu"},
              {"id": "cpu0", "kind": "cpu", "transit_bandwidth": "4 GB/s"}],
    "links": [{"between": ["gpu[0-1]", "cpu0"], "type": "x16"}]})");
  const Json json = json_of(syncsim({"run", "--topology", "m.json", "--strategy", "distributed",
                                     "--bytes", "160 MB", "--links", "--format", "json"},
                                    folder.path()));
  const Json& point = json["points"][0];
  // 80 MB each way, reduced and sent back: 320 MB through the CPU
  CHECK(point["time_us"] == 80'000.0);
  CHECK(point["busiest_link"] ==
        Json{{"link", "cpu0"}, {"direction", "transit"}, {"GBps", 4.0}, {"utilization", 1.0}});
  CHECK(point["links"].size() == 5);
  CHECK(point["links"][4]["bytes"] == 320'000'000);
}

TEST_CASE("the rings that were found are told, and whether they are direct") {
  const auto notes = [](const Arguments& more) {
    return json_of(syncsim(with({"run", "--topology", "dgx1v", "--strategy", "ring", "--bytes",
                                 "160 MB", "--format", "json"},
                                more)))["points"][0]["notes"];
  };
  CHECK(notes({}) == Json{"rings: 0,3,2,1,5,6,7,4 x2; 0,1,3,7,5,4,6,2"});
  // 0 to 4 have direct links, but no ring of them
  CHECK(notes({"--ranks", "0-4"}) == Json{"rings: 0,1,2,3,4 (over routes)"});
}

TEST_CASE("staging whose limit is not known is told") {
  const Arguments run = {"run",        "--topology", "pcie_4gpu_rootports",
                         "--strategy", "ring",       "--bytes",
                         "1 MB",       "--edit",     "limit p2p LOC"};
  const std::string note =
      "staged through cpu0, whose transit is not known: no limit taken; "
      R"(set it with --edit "node:cpu0 transit_bandwidth=...")";
  CHECK(json_of(syncsim(with(run, {"--format", "json"})))["points"][0]["notes"][1] == note);
  CHECK(syncsim(run).out.find("\n" + within_page("  " + note + "\n")) != std::string::npos);
  const Arguments known = {"--edit", "node:cpu0 transit_bandwidth=24 GB/s"};
  CHECK(syncsim(with(run, known)).out.find("staged") == std::string::npos);
}

}  // namespace syncsim::testing::run_json_test
