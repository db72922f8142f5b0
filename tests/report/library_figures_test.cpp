#include "sim/report/library_figures.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

namespace syncsim::library_figures_test {
namespace {

using Json = nlohmann::ordered_json;

// 8 ranks: 1 GB in 10 ms is an algbw of 100 GB/s, and a busbw of 175 GB/s of an allreduce.
LibraryFigures figures() {
  LibraryFigures figures{.topology = "box", .datatype = "float32", .ranks = 8};
  figures.edits = {"disable p2p"};
  figures.library = {.library = "nccl",
                     .version = "2.19",
                     .launch = "graph",
                     .network = "none",
                     .channels = 4,
                     .assumed = {"the weather"}};
  figures.collectives = {{CollectiveKind::allreduce,
                          {{.bytes = {1'000'000'000},
                            .microseconds = 10'000,
                            .bound = 5'000,
                            .bound_kind = "ports",
                            .algorithm = "ring",
                            .protocol = "simple",
                            .channels = 4,
                            .binds = "gpu0>nvs0"}}},
                         {CollectiveKind::all_gather,
                          {{.bytes = {1024}, .microseconds = 10, .bound = 0, .binds = "latency"}}}};
  figures.notes = {"all-to-all is left out: nobody knows it"};
  return figures;
}

}  // namespace

TEST_CASE("bandwidths are of a call, as nccl-tests counts them") {
  const LibraryFigures all = figures();
  CHECK(all.algbw(all.collectives[0].sizes[0]) == doctest::Approx(100e9));
  CHECK(all.busbw(CollectiveKind::allreduce, all.collectives[0].sizes[0]) ==
        doctest::Approx(175e9));
  CHECK(all.busbw(CollectiveKind::all_gather, all.collectives[0].sizes[0]) ==
        doctest::Approx(87.5e9));
}

TEST_CASE("figures as text say what they are of, a table a collective, and what is left out") {
  CHECK(figures_text(figures()) ==
        "box: 8 ranks, float32, nccl 2.19, launch graph, at most 4 channels\n"
        "  edit: disable p2p\n"
        "  assumed: the weather\n"
        "\n"
        "allreduce, bandwidths in GB/s\n"
        "     size    busbw    algbw        time  least time  share  by                binds\n"
        "     1 GB   175.00   100.00  10.0000 ms   5.0000 ms   50 %  ring simple       gpu0>nvs0\n"
        "\n"
        "all-gather, bandwidths in GB/s\n"
        "     size    busbw    algbw        time  least time  share  by                binds\n"
        "    1 KiB     0.09     0.10  10.0000 us        0 ps    0 %  -                 latency\n"
        "\n"
        "all-to-all is left out: nobody knows it\n");
}

TEST_CASE("figures as JSON and CSV hold the same, null and empty where nothing is said") {
  const Json json = Json::parse(figures_json(figures()));
  CHECK(json["topology"] == "box");
  CHECK(json["version"] == "2.19");
  CHECK(json["channels"] == 4);
  CHECK(json["protocol"].is_null());
  CHECK(json["assumed"] == Json{"the weather"});
  CHECK(json["notes"].size() == 1);
  REQUIRE(json["rows"].size() == 2);
  CHECK(json["rows"][0].dump() ==
        R"({"collective":"allreduce","bytes":1000000000,"time_us":10000.0,"algbw_GBps":100.0,)"
        R"("busbw_GBps":175.0,"bound_us":5000.0,"bound_kind":"ports","efficiency":0.5,)"
        R"("algorithm":"ring","protocol":"simple","channels":4,"binds":"gpu0>nvs0"})");
  CHECK(json["rows"][1]["algorithm"].is_null());
  CHECK(figures_csv(figures()) ==
        "topology,ranks,datatype,collective,bytes,time_us,algbw_GBps,busbw_GBps,bound_us,"
        "bound_kind,efficiency,algorithm,protocol,channels,binds\n"
        "box,8,float32,allreduce,1000000000,10000.0,100.0,175.0,5000.0,ports,0.5,ring,simple,4,"
        "gpu0>nvs0\n"
        "box,8,float32,all-gather,1024,10.0,0.1024,0.0896,0.0,,0.0,,,,latency\n");
}

TEST_CASE("thresholds lie below what is expected by their margins, of time above it") {
  LibraryFigures all = figures();
  all.margins = {.warn = 0.2, .fail = 0.5};
  const Json json = Json::parse(figures_thresholds(all));
  CHECK(json["warn_margin"] == 0.2);
  CHECK(json["fail_margin"] == 0.5);
  CHECK(json["assumed"] == Json{"the weather"});
  REQUIRE(json["collectives"].size() == 2);
  CHECK(json["collectives"][0]["collective"] == "allreduce");
  CHECK(json["collectives"][0]["test"] == "all_reduce_perf");
  CHECK(json["collectives"][1]["test"] == "all_gather_perf");
  CHECK(json["collectives"][0]["thresholds"].dump() ==
        R"([{"bytes":1000000000,"expected_busbw_GBps":175.0,"warn_below_GBps":140.0,)"
        R"("fail_below_GBps":87.5,"expected_us":10000.0,"warn_above_us":12500.0,)"
        R"("fail_above_us":20000.0,"algorithm":"ring","protocol":"simple","binds":"gpu0>nvs0"}])");
}

TEST_CASE("columns of choices and of what binds") {
  CHECK(choice_text("ring", "ll") == "ring ll");
  CHECK(choice_text("ring", "") == "ring");
  CHECK(choice_text("", "") == "-");
  CHECK(binds_text("", 9) == "-");
  CHECK(binds_text("gpu0>nvs0", 9) == "gpu0>nvs0");
  CHECK(binds_text("gpu10>nvs0", 9) == "..10>nvs0");
}

}  // namespace syncsim::library_figures_test
