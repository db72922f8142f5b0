// `run` with its tables for other programs, its explanation and its trace.

#include <doctest/doctest.h>

#include <filesystem>
#include <iomanip>
#include <sstream>

#include "sim/base/csv_reader.h"
#include "sim/report/nccl_tests_table.h"
#include "tests/cli/refusals.h"
#include "tests/support/trace.h"

namespace syncsim::testing::run_reports_test {
namespace {

const Arguments kRing = {"run",        "--topology", SYNCSIM_SHELF "/pcie_4gpu.json",
                         "--strategy", "ring",       "--bytes",
                         "160 MB"};

// As a shell takes options and values in quotes apart.
Arguments words_of(const std::string& options) {
  Arguments words;
  std::istringstream text(options);
  for (std::string word; text >> std::quoted(word);) words.push_back(word);
  return words;
}

}  // namespace

TEST_CASE("--format csv: a row a point, in the order of the command line") {
  const Outcome outcome = syncsim({"run", "--topology", "pcie_4gpu", "--strategy",
                                   "ring,central_gpu", "--bytes", "160 MB", "--format", "csv"});
  CHECK(outcome.err == "");
  std::istringstream text(outcome.out);
  CsvReader reader(text, "out.csv");
  std::string times;
  while (reader.next()) times += std::string(reader.fields()[12]) + " ";
  CHECK(times == "time_ps 15000000000 60000000000 ");
}

TEST_CASE("--format nccl-tests is read back as a table of nccl-tests") {
  const Outcome outcome = syncsim({"run", "--topology", "dgx1v", "--strategy", "ring", "--bytes",
                                   "1 MiB,128 MiB", "--format", "nccl-tests"});
  CHECK(outcome.err == "");
  const NcclTestsTable table = read_nccl_tests(outcome.out, "out.txt");
  REQUIRE(table.rows.size() == 2);
  CHECK(table.rows[1].bytes == Bytes{134'217'728});
  CHECK(table.rows[1].out_of_place->busbw == 75);
  CHECK(*table.average_busbw == doctest::Approx(75).epsilon(1e-4));  // 1 MiB divides unevenly
}

TEST_CASE("every change that --explain tries is given as options, which give its time") {
  const Arguments late = {
      "run",        "--topology", "pcie_8gpu", "--strategy", "ring",    "--bytes",
      "1 MB",       "--no-check", "--format",  "json",       "--edit",  "kind:pcie latency=1 us",
      "--overhead", "10 us",      "--start",   "2-3=50 us",  "--start", "5=40 us"};
  const Json point = json_of(syncsim(with(late, {"--explain"})))["points"][0];
  CHECK(point["explain"]["tried"].size() >= 8);
  for (const Json& change : point["explain"]["tried"]) {
    CAPTURE(change["options"]);
    const Outcome outcome = syncsim(with(late, words_of(change["options"])));
    CHECK(outcome.err == "");
    CHECK(json_of(outcome)["points"][0]["time_ps"] == change["time_ps"]);
  }
}

TEST_CASE("--explain adds three sentences to the text, and a key to JSON") {
  const std::string plain = syncsim(kRing).out;
  const std::string text = syncsim(with(kRing, {"--explain"})).out;
  CHECK(text.starts_with(plain));
  CHECK(text.find("\n  > It is at the lower bound") != text.npos);
  const Json point = json_of(syncsim(with(kRing, {"--explain", "--format", "json"})))["points"][0];
  CHECK(point["explain"]["change"].get<std::string>().starts_with("Doubling every pcie link"));
  CHECK_FALSE(point.contains("links"));
}

TEST_CASE("--trace writes a trace beside the report, which stays the same") {
  const TemporaryFolder folder;
  const Outcome outcome = syncsim(with(kRing, {"--trace", "t.json"}), folder.path());
  CHECK(outcome.err == "");
  CHECK(outcome.out == syncsim(kRing).out);
  const Json trace = Json::parse(read_text(folder.path() + "/t.json"));
  check_trace(trace);
  CHECK(carried(trace).at("gpu0>switch0") == doctest::Approx(240e6).epsilon(1e-9));
}

TEST_CASE("several points are in one trace, and a run that fails leaves none") {
  const TemporaryFolder folder;
  const Arguments two = {"run",        "--topology", SYNCSIM_SHELF "/pcie_4gpu.json",
                         "--strategy", "ring",       "--bytes",
                         "1 MB,2 MB",  "--trace",    "t.json"};
  CHECK(syncsim(two, folder.path()).exit_code == 0);
  const std::string whole = read_text(folder.path() + "/t.json");
  check_trace(Json::parse(whole));
  CHECK(whole.find("run: ring, 2 MB on ") != whole.npos);
  CHECK(syncsim(with(two, {"--ranks", "0-9"}), folder.path()).exit_code == 2);
  CHECK(read_text(folder.path() + "/t.json") == whole);
}

TEST_CASE("a trace that cannot be written is told before anything runs") {
  const TemporaryFolder folder;
  const Outcome outcome = syncsim(with(kRing, {"--trace", "no/such/t.json"}), folder.path());
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out == "");
  CHECK(outcome.err.starts_with("syncsim: --trace: "));
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("tables fit 100 columns") {
  const std::vector<Arguments> commands = {
      {"run", "--topology", "dgx_a100", "--strategy", "ring", "--bytes", "1 GB", "--links"},
      {"compare", "--topology", "hgx_h100", "--bytes", "1 GB"}};
  for (const Arguments& command : commands) {
    std::istringstream lines(syncsim(command).out);
    for (std::string line; std::getline(lines, line);) {
      CAPTURE(line);
      const bool is_prose = line.starts_with("left out") || line.starts_with("lower bound");
      CHECK((is_prose || line.size() <= 100));
    }
  }
}

TEST_CASE("csv and nccl-tests are listed among the formats") {
  const Json formats = json_of(syncsim({"list", "formats", "--format", "json"}));
  std::string names;
  for (const Json& row : formats.begin().value()) names += row["name"].get<std::string>() + " ";
  for (const char* name : {"csv ", "nccl-tests "}) CHECK(names.find(name) != names.npos);
}

}  // namespace syncsim::testing::run_reports_test
