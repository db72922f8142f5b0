// syncsim figures: what it prints, and what it refuses.

#include "tests/cli/refusals.h"

namespace syncsim::testing::figures_test {
namespace {

const Arguments kShort = {"figures",     "dgx_a100",     "--sizes",
                          "1 MiB,1 GiB", "--collective", "all_reduce,alltoall"};

}  // namespace

TEST_CASE("figures prints a table a collective, also as JSON and CSV") {
  const Outcome text = syncsim(kShort);
  CHECK(text.exit_code == 0);
  CHECK(text.err == "");
  CHECK(text.out.starts_with("dgx_a100: 8 ranks, float32, "));
  for (const char* part : {"\nallreduce, bandwidths in GB/s\n", "\nall-to-all, bandwidths",
                           "\n    1 MiB ", "\n    1 GiB "})
    CHECK_MESSAGE(text.out.find(part) != text.out.npos, text.out);
  const Json json = json_of(syncsim(with(kShort, {"--format", "json"})));
  REQUIRE(json["rows"].size() == 4);
  CHECK(json["rows"][0]["collective"] == "allreduce");
  CHECK(json["rows"][3]["collective"] == "all-to-all");
  CHECK(json["rows"][3]["bytes"] == 1 << 30);
  const Outcome csv = syncsim(with(kShort, {"--format", "csv"}));
  CHECK(csv.out.starts_with("topology,ranks,datatype,collective,bytes,time_us,"));
  CHECK(csv.out.find("\ndgx_a100,8,float32,allreduce,1048576,") != csv.out.npos);
}

TEST_CASE("figures take the machine's edits and ranks, and the library's terms") {
  const Json json = json_of(syncsim(with(kShort, {"--format", "json", "--ranks", "0-3", "--edit",
                                                  "scale kind:nvlink bandwidth "
                                                  "0.5",
                                                  "--launch", "graph", "--protocol", "simple",
                                                  "--channels", "8", "--algorithm", "ring"})));
  CHECK(json["ranks"] == 4);
  CHECK(json["edits"] == Json{"scale kind:nvlink bandwidth 0.5"});
  CHECK(json["launch"] == "graph");
  CHECK(json["protocol"] == "simple");
  CHECK(json["channels"] == 8);
  CHECK(json["algorithm"] == "ring");
}

TEST_CASE("thresholds are figures less their margins") {
  const Json figures = json_of(syncsim(with(kShort, {"--format", "json"})));
  const auto first_of = [](const Arguments& more) {
    const Json json = json_of(syncsim(with(with(kShort, {"--format", "thresholds"}), more)));
    CHECK(json["collectives"].size() == 2);
    return json["collectives"][0]["thresholds"][0];
  };
  const double busbw = figures["rows"][0]["busbw_GBps"];
  const Json usual = first_of({});
  CHECK(usual["bytes"] == 1 << 20);
  CHECK(usual["expected_busbw_GBps"] == busbw);
  CHECK(usual["warn_below_GBps"].get<double>() == doctest::Approx(0.9 * busbw));
  CHECK(usual["fail_below_GBps"].get<double>() == doctest::Approx(0.75 * busbw));
  const Json wide = first_of({"--warn", "20 %", "--fail", "40 %"});
  CHECK(wide["warn_below_GBps"].get<double>() == doctest::Approx(0.8 * busbw));
  CHECK(wide["fail_below_GBps"].get<double>() == doctest::Approx(0.6 * busbw));
}

TEST_CASE("figures refuse what they cannot use, where it stands") {
  const auto refused = [](const Arguments& arguments, const std::string& message) {
    CAPTURE(message);
    check_refused(syncsim(with({"figures"}, arguments)), message);
  };
  refused({}, "figures: TOPOLOGY is required; see syncsim figures --help");
  refused({"dgx_a10"}, R"(TOPOLOGY: unknown topology "dgx_a10"; did you mean "dgx_a100"?)");
  const auto option = [&](const Arguments& more, const std::string& message) {
    refused(with({"dgx_a100"}, more), message);
  };
  option({"--sizes", "0 B"}, "--sizes: 0 B take no time; give sizes above 0");
  option({"--sizes", "1 MB,,2 MB"}, R"(--sizes: the size is empty; write "16 MB")");
  option({"--collective", "allredu"},
         R"(--collective: unknown collective "allredu"; did you mean "allreduce"?)");
  option({"--collective", "all_reduce,allreduce"},
         "--collective: allreduce is given twice; give it once");
  option({"--ranks", "0"}, "--ranks: one rank has nobody to talk to; choose two or more");
  option({"--ranks", "0-8"}, "--ranks: rank 8 does not exist on dgx_a100; use ranks 0 to 7");
  option({"--format", "xml"},
         R"(--format: unknown format "xml"; choose one of csv, json, text, thresholds)");
  option({"--warn", "5 %"}, "--warn: only thresholds have margins; add --format thresholds");
  const auto margins = [&](const Arguments& more, const std::string& message) {
    option(with({"--format", "thresholds"}, more), message);
  };
  margins({"--warn", "30 %"},
          "--warn: a warning 30 % below comes after the failure 25 % below; let --warn be less "
          "than --fail");
  margins({"--fail", "5 %"},
          "--fail: a warning 10 % below comes after the failure 5 % below; let --warn be less "
          "than --fail");
  margins({"--fail", "100 %"},
          R"(--fail: "100 %" is no margin; write one above 0 % and below 100 %)");
  margins({"--warn", "0 %"}, R"(--warn: "0 %" is no margin; write one above 0 % and below 100 %)");
  margins({"--warn", "10"}, R"(--warn: "10" has no unit; write "10 %")");
}

}  // namespace syncsim::testing::figures_test
