// Machines calibrated with what files say.

#include "sim/scenario/calibration/calibrate.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "sim/topology/topology_json.h"
#include "sim/topology/topology_writer.h"
#include "tests/support/refusal.h"
#include "tests/support/runs.h"

namespace syncsim::testing::calibrate_test {
namespace {

using Json = nlohmann::ordered_json;

TableTerms terms(const std::string& strategy = "", const std::string& edit = "") {
  TableTerms terms;
  terms.point.topology = "pcie_4gpu";
  terms.point.strategy = strategy;
  terms.point.places = {{"topology", "--topology"}, {"strategy", "--strategy"}};
  if (!edit.empty()) terms.point.edits = {parse_edit(edit)};
  return terms;
}

CalibrationSettings settings(std::vector<FigureKind> kinds = {}) {
  CalibrationSettings settings;
  settings.run.shelf = SYNCSIM_SHELF;
  settings.kinds = std::move(kinds);
  return settings;
}

std::int64_t usable_picoseconds(const Topology& machine, const Task& task) {
  ExecutionOptions options;
  options.rates = Rates::usable;
  return picoseconds(machine, task, options);
}

// What execute would write of this strategy, were a machine of these figures measured.
Json run_on(const Topology& machine, const std::string& strategy, std::int64_t bytes) {
  const Task task{strategy, {CollectiveKind::allreduce, 4, {bytes}}};
  const double us = static_cast<double>(usable_picoseconds(machine, task)) * 1e-6;
  return {{"topology", "mine"},
          {"strategy", strategy},
          {"parameters", Json::object()},
          {"collective", "allreduce"},
          {"bytes", bytes},
          {"datatype", "float32"},
          {"ranks", 4},
          {"rank_order", Json::array()},
          {"root", 0},
          {"overhead_us", 0},
          {"reduction", "on-arrival"},
          {"seed", 0},
          {"start", Json::array()},
          {"measured_us", us},
          {"data_correct", true},
          {"chosen", nullptr}};
}

Topology truth() {
  const std::vector<Edit> edits = {parse_edit("kind:pcie bandwidth=11.5 GB/s latency=2.25 us")};
  return apply_edits(shelf_machine("pcie_4gpu"), edits);
}

Json runs() {
  Json points = Json::array();
  for (const char* strategy : {"ring", "distributed"})
    for (const std::int64_t bytes : {4'000, 64'000, 1'000'000, 16'000'000})
      points.push_back(run_on(truth(), strategy, bytes));
  return {{"points", points}};
}

Calibration of(const std::string& text, const TableTerms& with = terms(),
               const CalibrationSettings& how = settings()) {
  return calibrate({{"runs.json", text}}, with, how);
}

std::string refused(const std::string& text, const TableTerms& with = terms(),
                    const CalibrationSettings& how = settings()) {
  return refusal_of([&] { of(text, with, how); });
}

const FittedFigure& named(const Calibration& calibration, const std::string& name) {
  for (const FittedFigure& figure : calibration.figures)
    if (figure.figure.name() == name) return figure;
  throw InternalError("no " + name);
}

}  // namespace

TEST_CASE("runs of two strategies give the figures they were made with, and predict other sizes") {
  const Calibration found = of(runs().dump());
  CHECK(named(found, "bandwidth of pcie").figure.value ==
        doctest::Approx(8.625e9).epsilon(1e-6));  // 3/4 of the line
  CHECK(named(found, "latency of pcie").figure.value == doctest::Approx(2.25e-6).epsilon(1e-6));
  CHECK(found.error(false).points == 6);
  CHECK(found.error(true).points == 2);
  CHECK(found.error(true).worst < 1e-5);
  CHECK(found.points[2].held_out);
  CHECK(found.points[2].place == "runs.json:/points/2");
  CHECK(found.points[2].name == "ring");
  CHECK(found.machine.source().ends_with(
      "; calibrated: bandwidth of pcie, latency of pcie fitted to 6 points of runs.json, mean "
      "error 0.00 %, 0.00 % on 2 held out"));
}

TEST_CASE("the machine as written and read gives the very times that are told") {
  const Calibration found = of(runs().dump());
  const Topology again = written_machine(topology_json(found.machine));
  for (const CalibratedPoint& point : found.points)
    CHECK(usable_picoseconds(again, {point.name, {point.collective, 4, point.bytes}}) ==
          point.simulated.ps);
}

TEST_CASE("points measured several times count once, with the median") {
  Json all = runs();
  for (const double factor : {0.5, 1.5}) {
    Json again = all["points"][0];
    again["measured_us"] = again["measured_us"].get<double>() * factor;
    all["points"].push_back(again);
  }
  const Calibration found = of(all.dump());
  REQUIRE(found.points.size() == 8);
  CHECK(found.points[0].times == 3);
  CHECK(found.error(false).worst < 1e-5);
}

TEST_CASE("two sizes leave none to hold out, which is told and is no error") {
  Json two = runs();
  two["points"] = {two["points"][0], two["points"][3]};
  const Calibration found = of(two.dump());
  CHECK(named(found, "latency of pcie").figure.value == doctest::Approx(2.25e-6).epsilon(1e-6));
  CHECK(found.notes ==
        std::vector<std::string>{"nothing is held out: that takes 4 sizes of a series or more"});
  CalibrationSettings expecting = settings();
  expecting.tolerance = 0.05;
  CHECK(refused(two.dump(), terms(), expecting) ==
        "--expect: nothing is held out that could be within it; give more sizes, or leave --expect "
        "out");
}

TEST_CASE("a choice is what it chose") {
  Json all = runs();
  for (Json& point : all["points"]) {
    point["chosen"] = {{"strategy", point["strategy"]}, {"parameters", Json::object()}};
    point["strategy"] = "auto";
  }
  CHECK(of(all.dump()).points[0].name == "ring");
}

TEST_CASE("edits come first, and a table takes the strategy that is said") {
  const std::string table = "size,time,collective\n160000000,48000,allreduce\n";
  const Calibration found =
      of(table, terms("ring", "kind:pcie bandwidth=8 GB/s"), settings({FigureKind::bandwidth}));
  const FittedFigure& figure = named(found, "bandwidth of pcie");
  CHECK(figure.before == 6e9);                         // 3/4 of the line
  CHECK(figure.figure.value == doctest::Approx(5e9));  // 2 x 3/4 x 160 MB in 48 ms
  const std::string places = "size,time,in_place_time\n160000000,40000,20000\n";
  TableTerms in_place = terms("ring");
  in_place.has_collective = in_place.in_place = true;
  CHECK(named(of(places, in_place, settings({FigureKind::bandwidth})), "bandwidth of pcie")
            .figure.value == doctest::Approx(12e9));
}

TEST_CASE("a bandwidth that ends at the line rate is told, for something else may be faster") {
  const std::string table = "size,time,collective\n160000000,10000,allreduce\n";
  const Calibration found = of(table, terms("ring"), settings({FigureKind::bandwidth}));
  CHECK(named(found, "bandwidth of pcie").figure.value == 16e9);
  CHECK(found.notes.back() ==
        "the bandwidth of pcie ends at the line rate: what was measured may be faster, as another "
        "strategy or more rings are, or --above-line be needed");
}

TEST_CASE("matrices of p2pBandwidthLatencyTest give rates and latencies of pairs") {
  const std::string matrices = R"(P2P Connectivity Matrix
     D\D     0     1
     0       1     1
     1       1     1
Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)
   D\D     0      1
     0 700.00  12.50
     1  12.50 700.00
Bidirectional P2P=Enabled Bandwidth Matrix (GB/s)
   D\D     0      1
     0 700.00  25.00
     1  25.00 700.00
P2P=Enabled Latency (P2P Writes) Matrix (us)
   GPU     0      1
     0   1.50   3.00
     1   3.00   1.50
)";
  TableTerms pair = terms();
  pair.point.edits = {parse_edit("remove node:gpu2"), parse_edit("remove node:gpu3")};
  const Calibration found = of(matrices, pair);
  // 40 MB in 3.2 ms, of which two hops' latencies are 3 us.
  CHECK(named(found, "bandwidth of pcie").figure.value == doctest::Approx(12.51e9).epsilon(1e-3));
  CHECK(named(found, "latency of pcie").figure.value == doctest::Approx(1.5e-6).epsilon(1e-3));
  REQUIRE(found.points.size() == 5);
  CHECK(found.points[0].name == "gpu0>gpu1");
  CHECK(found.points[0].place == "runs.json:7:16");
  CHECK(found.points[1].name == "gpu0-gpu1");
  CHECK(found.points[2].bytes == Bytes{4});
  CHECK(refused(matrices, terms()) ==
        "runs.json:7:16: the matrices are of 2 gpus and pcie_4gpu has 4; name the machine that was "
        "measured with --topology");
}

TEST_CASE("a schedule that follows the machine's figures is kept, and that is told") {
  // chunks=auto of a chain depends on overheads, which the fit changes.
  Json points = Json::array();
  Topology::Parts slow = shelf_machine("pcie_4gpu").parts();
  for (Link& link : slow.links) link.overhead = {40'000'000};
  const Topology machine(std::move(slow));
  for (const std::int64_t bytes : {64'000, 1'000'000, 16'000'000})
    points.push_back(run_on(machine, "chain", bytes));
  const Calibration found = of(Json{{"points", points}}.dump());
  const auto told = [](const std::string& note) {
    return note.find("what it chooses by the machine's figures is kept") != note.npos;
  };
  CHECK(std::count_if(found.notes.begin(), found.notes.end(), told) == 1);
}

TEST_CASE("files that do not say enough, or too much, are refused") {
  const std::string row = "size,time\n4096,20\n";
  CHECK(refused(row) ==
        "runs.json:2: a table does not say which strategy ran; name it with --strategy");
  CHECK(refused(row, terms("ring")) ==
        "runs.json:2: the table does not say its collective; name it with --collective");
  TableTerms broadcast = terms("ring");
  broadcast.has_collective = true;
  broadcast.point.collective = CollectiveKind::broadcast;
  CHECK(refused("size,time,collective\n4096,20,allreduce\n", broadcast) ==
        "runs.json:2: the table is of allreduce, --collective says broadcast; leave one of them "
        "out");
  CHECK(refused(runs().dump(), terms("ring")) ==
        "--strategy: every file says its own points; leave it out");
  CHECK(refused("size,time,collective\n4096,20,allreduce\n", terms("auto")) ==
        "--strategy: \"auto\" does not say what ran; name the strategy that did");
  CHECK(refused(R"({"collective": "allreduce", "gpus": 8, "rows": [{"bytes": 4, "time_us": 5}]})",
                terms("ring")) ==
        "runs.json:/rows/0: 8 ranks were measured, and 4 take part; name the machine that was "
        "measured, or its ranks with --ranks");
  CHECK(refused("size,time,collective\n4098,20,allreduce\n", terms("ring")) ==
        "runs.json:2: 4098 B is no multiple of float32's 4 bytes; write 4 KiB or 4.1 kB");
  CHECK(refused("{}") ==
        "runs.json:/: holds neither \"points\" nor \"rows\"; give what execute --format json "
        "writes, or a measured table");
  CHECK(refused("") == "runs.json: is empty; give it what another tool says of the machine");
}

TEST_CASE("runs that are no measurement are refused at their place") {
  const auto changed = [](const char* pointer, const char* value) {
    Json all = runs();
    all[Json::json_pointer(pointer)] = Json::parse(value);
    return refused(all.dump());
  };
  CHECK(changed("/points/1/data_correct", "false") ==
        "runs.json:/points/1/data_correct: its data was wrong; leave the point out");
  CHECK(changed("/points/1/measured_us", "0") ==
        "runs.json:/points/1/measured_us: is not above 0; leave the point out");
  CHECK(changed("/points/1/step", "{}") ==
        "runs.json:/points/1: is a training step; calibrate on collectives, leave it out");
  CHECK(changed("/points/1/strategy", "\"rign\"") ==
        "runs.json:/points/1/strategy: unknown strategy \"rign\"; did you mean \"ring\"?");
  CHECK(changed("/points/1/parameters", R"({"chunk": "3"})") ==
        "runs.json:/points/1/parameters/chunk: unknown ring parameter \"chunk\"; did you mean "
        "\"chunks\"?");
  CHECK(changed("/points/1/bytes", "0") ==
        "runs.json:/points/1: takes no time in the model; leave it out");
  Json simulated = runs();
  simulated["points"][0].erase("measured_us");
  CHECK(refused(simulated.dump()) ==
        "runs.json:/points/0: \"measured_us\" is missing; add \"measured_us\": 61.5");
}

TEST_CASE("figures that the machine has not are refused") {
  CHECK(refused(runs().dump(), terms(), settings({FigureKind::transit})) ==
        "--fit: no node of pcie_4gpu has a transit bandwidth; leave it out, or give it one to "
        "begin with");
}

}  // namespace syncsim::testing::calibrate_test
