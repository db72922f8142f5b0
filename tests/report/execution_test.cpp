#include "sim/report/execution.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace syncsim::execution_test {
namespace {

using Json = nlohmann::ordered_json;

Report report(std::string executor, Time time) {
  Report result;
  result.facts.topology = "m";
  result.facts.strategy = "ring";
  result.facts.collective = {CollectiveKind::allreduce, 2, {8}};
  result.facts.executor = std::move(executor);
  set_time(result, time, {});
  result.phases = {{"work", {}, time}};
  return result;
}

Execution execution() {
  Execution result;
  result.measured = report("host", {3'000'000});
  result.simulated = report("simulated", {2'000'000});
  result.measurement.times = {{3'000'000}, {5'000'000}, {2'000'000}};
  result.measurement.workers = "2 threads";
  result.warmup = 1;
  result.tolerance = 0.15;
  result.measurement.wrong = WrongElement{1, "data", 17, 12, 5};
  return result;
}

}  // namespace

TEST_CASE("JSON adds to what a run says what was measured, and what is wrong") {
  const Execution one = execution();
  const Json point = Json::parse(execution_json({&one, 1}, {}))["points"][0];
  CHECK(point["executor"] == "host");
  CHECK(point["time_us"] == 3);
  CHECK(point["measured_us"] == 3);
  CHECK(point["measured_least_us"] == 2);
  CHECK(point["measured_most_us"] == 5);
  CHECK(point["measured_deviation_us"] == 1);
  CHECK(point["iterations_us"].dump() == "[3.0,5.0,2.0]");
  CHECK(point["simulated_us"] == 2);
  CHECK(point["deviation"] == 0.5);
  CHECK(point["data_correct"] == false);
  CHECK(point["wrong"].dump() ==
        R"({"rank":1,"buffer":"data","element":17,"expected":12,"found":5})");
  CHECK(point["expected_within"] == 0.15);
  CHECK(point["as_expected"] == false);
  CHECK(point["workers"] == "2 threads");
  CHECK(point["library"].is_null());
  CHECK(point["measurement_notes"].empty());
  CHECK(point["phases"][0]["simulated_us"] == 2);
  CHECK(point["phases"][0]["deviation"] == 0.5);
}

TEST_CASE("text says the same in a table") {
  const Execution one = execution();
  CHECK(execution_text({&one, 1}, {.compare = true}) ==
        "m: allreduce of float32, 2 ranks, for real by host with 2 threads, 3 iterations after 1 "
        "to warm up\n"
        "strategy                          size      measured   media"
        "n dev.        algbw        busbw   data\n"
        "ring                               8 B     3.0000 us     1.0"
        "000 us    0.00 GB/s    0.00 GB/s  WRONG\n"
        "  iterations took 2.0000 us to 5.0000 us\n"
        "  wrong: rank 1: element 17 of data is 5, not 12\n"
        "  whole: measured 3.0000 us, simulated 2.0000 us: +50.0 %\n"
        "  phase work: measured 3.0000 us, simulated 2.0000 us: +50.0 %\n"
        "  expected within 15.0 % of the simulated 2.0000 us: NO, +50.0 %\n");
}

TEST_CASE("a library's own run and remarks on how it ran stand below the line") {
  Execution one = execution();
  one.measurement.library = LibraryRun{"MPI_Allreduce", {{5'000'000}, {4'000'000}, {1'000'000}}};
  one.measurement.notes = {"GPU 0 to GPU 1: staged"};
  CHECK(execution_text({&one, 1}, {})
            .find("not 12\n"
                  "  GPU 0 to GPU 1: staged\n"
                  "  MPI_Allreduce took 4.0000 us: ours 0.75 times that\n") != std::string::npos);
  const Json point = Json::parse(execution_json({&one, 1}, {}))["points"][0];
  CHECK(point["library"].dump() ==
        R"({"name":"MPI_Allreduce","us":4.0,"iterations_us":[5.0,4.0,1.0]})");
  CHECK(point["measurement_notes"].dump() == R"(["GPU 0 to GPU 1: staged"])");
}

}  // namespace syncsim::execution_test
