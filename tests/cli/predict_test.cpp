// syncsim predict: what it prints, its exit codes, and what it refuses.

#include "tests/cli/refusals.h"

namespace syncsim::testing::predict_test {
namespace {

const Arguments kOnDgx = {"predict", "--topology", "dgx_a100", "--measured", "table.csv"};

struct Desk {
  TemporaryFolder folder;
  Outcome run(const Arguments& arguments) const { return syncsim(arguments, folder.path()); }
  Json json(const Arguments& arguments) const {
    return json_of(run(with(arguments, {"--format", "json"})));
  }
  // table.csv: what the model itself says, so many times as long.
  void write_table(double times) const {
    folder.write(
        "table.csv",
        "size,time,collective\n1024,1,allreduce\n4096,1,allreduce\n67108864,1,allreduce\n");
    std::string text = "size,time,collective\n";
    const Json predicted = json(kOnDgx);
    for (const Json& row : predicted["rows"])
      text += row["bytes"].dump() + "," + Json(row["predicted_us"].get<double>() * times).dump() +
              ",allreduce\n";
    folder.write("table.csv", text);
  }
};

constexpr const char* kPaste = R"(# nThread 1 nGpus 8 minBytes 1024 maxBytes 1024
# Collective test starting: all_reduce_perf
# Using devices
#  Rank  0 Group  0 Pid   4711 on   node1 device  0 [0x1a] NVIDIA A100
#  Rank  1 Group  0 Pid   4711 on   node1 device  1 [0x1b] NVIDIA A100
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
     1048576        262144     float     sum      -1    345.1    3.04    3.04      0    350.2    2.99    2.99      0
)";

}  // namespace

TEST_CASE("predict sets a table beside the model, in text, JSON and CSV") {
  const Desk desk;
  desk.write_table(1);
  const Outcome text = desk.run(kOnDgx);
  CHECK(text.exit_code == 0);
  CHECK(text.err == "");
  CHECK(text.out.starts_with("dgx_a100: allreduce of float32, 8 ranks"));
  for (const char* part :
       {"\n     1 KiB ", "  1.00  ", "  as expected\n", "\nup to 64 KiB ",
        "\nconclusion: as expected\n", "\n3 rows, mean error 0.0 %, worst 0.0 %\n"})
    CHECK_MESSAGE(text.out.find(part) != text.out.npos, text.out);
  const Json json = desk.json(kOnDgx);
  CHECK(json["topology"] == "dgx_a100");
  CHECK(json.contains("library"));
  CHECK(json["assumed"].is_array());
  CHECK(json["rows"].size() == 3);
  CHECK(json["rows"][0]["bytes"] == 1024);
  CHECK(json["rows"][0]["ratio"].get<double>() == doctest::Approx(1));
  CHECK(json["rows"][0]["verdict"] == "as expected");
  CHECK(json["mean_abs_error"].get<double>() == doctest::Approx(0).epsilon(1e-9));
  CHECK(json["tables"][0]["ranges"].size() == 2);
  CHECK(json["tables"][0]["verdict"] == "as expected");
  const Outcome csv = desk.run(with(kOnDgx, {"--format", "csv"}));
  CHECK(csv.out.starts_with("topology,collective,datatype,ranks,bytes,measured_us,predicted_us,"));
  CHECK(csv.out.find("\ndgx_a100,allreduce,float32,8,1024,") != csv.out.npos);
}

TEST_CASE("the exit code is 1 beyond --tolerance, and only there") {
  const Desk desk;
  desk.write_table(1.2);
  CHECK(desk.run(kOnDgx).exit_code == 0);
  const Outcome good = desk.run(with(kOnDgx, {"--tolerance", "within 25 %"}));
  CHECK(good.exit_code == 0);
  CHECK(good.out.ends_with("\nwithin 25.0 %: yes\n"));
  const Outcome bad = desk.run(with(kOnDgx, {"--tolerance", "within 15 %"}));
  CHECK(bad.exit_code == 1);
  CHECK(bad.err == "syncsim: 3 rows beyond 15 % of the model\n");
  CHECK(bad.out.ends_with("\nwithin 15.0 %: NO, 3 rows beyond\n"));
  CHECK(bad.out.find("unexplained by topology") != bad.out.npos);
  desk.write_table(0.5);
  const Json fast = desk.json(kOnDgx);
  CHECK(fast["rows"][0]["verdict"] == "faster than the model");
  CHECK(fast["rows_beyond"] == 3);
}

TEST_CASE("files that say their machine need no more, and options win over them") {
  const std::string file =
      SYNCSIM_SOURCE_DIR "/scenarios/measured/a100-pcie-x4-nonvlink-all_reduce.json";
  const Json json = json_of(syncsim({"predict", "--measured", file, "--format", "json"}));
  CHECK(json["topology"] == "a100_pcie_quad");
  CHECK(json["rows"].size() == 25);
  const Json other = json_of(
      syncsim({"predict", "--measured", file, "--topology", "dgx_a100", "--ranks", "0-3", "--edit",
               "remove kind:nvlink", "--launch", "process_per_gpu", "--format", "json"}));
  CHECK(other["topology"] == "dgx_a100");
  CHECK(other["tables"][0]["ranks"] == 4);
  CHECK(other["edits"] == Json{"remove kind:nvlink"});
  CHECK(other["launch"] == "process_per_gpu");
}

TEST_CASE("a paste of several collectives is a table each, also from standard input") {
  const Desk desk;
  const std::string row = "  1048576  262144  float  sum  -1  345.1  3.04  3.04  0\n";
  desk.folder.write("log.txt", "# Collective test starting: all_reduce_perf\n" + row +
                                   "# Collective test starting: all_gather_perf\n" + row);
  const Json json = desk.json({"predict", "--topology", "dgx_a100", "--measured", "log.txt"});
  REQUIRE(json["tables"].size() == 2);
  CHECK(json["tables"][0]["collective"] == "allreduce");
  CHECK(json["tables"][1]["collective"] == "all-gather");
  CHECK(json["rows"].size() == 2);
  CHECK(json["rows"][1]["collective"] == "all-gather");
  const Json one = desk.json(
      {"predict", "--topology", "dgx_a100", "--measured", "log.txt", "--collective", "all_gather"});
  CHECK(one["tables"].size() == 1);
}

TEST_CASE("predict refuses what it cannot use, where it stands") {
  const Desk desk;
  desk.folder.write("table.csv", "size,time\n1024,10\n");
  desk.folder.write("odd.csv", "size,time,collective\n1023,10,allreduce\n");
  desk.folder.write("cube.csv", "size,time,collective\n4,10,hypercube\n");
  desk.folder.write("heads.csv", "size,time\n");
  desk.folder.write("empty.txt", "");
  desk.folder.write("paste.txt", kPaste);
  desk.folder.write("rows.json", R"({"collective": "all_reduce", "rows": []})");
  const auto refused = [&](const Arguments& arguments, const std::string& message) {
    CAPTURE(message);
    check_refused(desk.run(with({"predict"}, arguments)), message);
  };
  const Arguments dgx = {"--topology", "dgx_a100", "--measured"};
  refused(with(dgx, {"table.csv"}),
          "table.csv:2: the table does not say its collective; name it with --collective");
  refused(with(dgx, {"odd.csv"}),
          "odd.csv:2: 1023 B is no multiple of float32's 4 bytes; write 1020 B or 1 KiB");
  refused(with(dgx, {"cube.csv"}),
          "cube.csv:2: unknown collective \"hypercube\"; choose one of all-gather, all-to-all, "
          "allreduce, barrier, broadcast, gather, reduce, reduce-scatter, scatter, send-recv");
  refused(with(dgx, {"empty.txt"}),
          "empty.txt: is empty; give it what another tool says of the machine");
  refused(with(dgx, {"heads.csv"}),
          "heads.csv: holds no row of more than 0 bytes; give sizes and their times");
  refused(with(dgx, {"rows.json"}),
          "rows.json: holds no row of more than 0 bytes; give sizes and their times");
  refused(with(dgx, {"none.txt"}), "none.txt: there is no such file; name a measured table");
  refused(with(dgx, {"paste.txt"}),
          "paste.txt:8: the table is of 2 ranks, dgx_a100 has 8; name a machine of as many, or "
          "choose some with --ranks");
  const Arguments known = {"--collective", "allreduce", "--measured", "table.csv"};
  refused(known, "--topology: a machine is needed; name the one that the table was measured on");
  refused(with(known, {"--topology", "dgx_a10"}),
          R"(--topology: unknown topology "dgx_a10"; did you mean "dgx_a100"?)");
  const auto option = [&](const Arguments& more, const std::string& message) {
    refused(with(with(known, {"--topology", "dgx_a100"}), more), message);
  };
  option({"--library", "ncc"}, R"(--library: unknown library "ncc"; did you mean "nccl"?)");
  option({"--library-version", "new"},
         R"(--library-version: "new" is no version of a library; write such as 2.19.3)");
  option({"--launch", "grap"}, R"(--launch: unknown launch "grap"; did you mean "graph"?)");
  option({"--network", "tcpx"}, R"(--network: unknown network "tcpx"; did you mean "tcp"?)");
  option({"--channels", "0"}, R"(--channels: "0" is out of range; write one from 1 to 1024)");
  option({"--protocol", "simpel"},
         R"(--protocol: unknown protocol "simpel"; did you mean "simple"?)");
  option({"--algorithm", "tre"},
         R"(--algorithm: "tre" is no algorithm; write ring, tree, nvls, nvls_tree or pat, or a )"
         "strategy's name");
  option({"--tolerance", "30 %"},
         R"(--tolerance: "30 %" is no expectation; write such as "within 15 %")");
  option({"--format", "xml"}, R"(--format: unknown format "xml"; choose one of csv, json, text)");
  option({"--ranks", "0-8"}, "--ranks: rank 8 does not exist on dgx_a100; use ranks 0 to 7");
}

TEST_CASE("a machine that the model does not apply to is refused at its option") {
  const Desk desk;
  desk.folder.write("plain.csv", "size,time,collective\n4096,10,allreduce\n");
  const Outcome outcome =
      desk.run({"predict", "--topology", "pcie_4gpu", "--measured", "plain.csv"});
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out == "");
  CHECK(outcome.err.starts_with("syncsim: --topology: "));
  CHECK(outcome.err.find("architecture") != outcome.err.npos);
}

}  // namespace syncsim::testing::predict_test
