// Sweeps: their rows, on stdout and in files.

#include <doctest/doctest.h>

#include <sstream>

#include "sim/base/csv_reader.h"
#include "tests/cli/refusals.h"
#include "tests/cli/sweeps.h"

namespace syncsim::testing::sweep_test {
namespace {

constexpr const char* kGrid = R"({"name": "slots", "topology": "pcie_4gpu", "strategy": "ring",
  "sweep": {"bytes": {"from": "1 MB", "to": "4 MB", "factor": 2},
            "edits": [[], {"name": "x8, \"slow\"", "edits": ["link:gpu0-switch0 bandwidth=8 GB/s"]}],
            "parameters.chunks": [1, 2]}})";

// One of two points that are refused, for its ranks.
constexpr const char* kRefused = R"({"topology": "pcie_4gpu", "strategy": "ring", "bytes": 64,
                                     "sweep": {"ranks": ["0-3", "0-4"]}})";

std::vector<Json> rows_of(const std::string& text) {
  std::vector<Json> rows;
  for (const std::string& line : lines_of(text)) rows.push_back(Json::parse(line));
  return rows;
}

using Record = std::vector<std::string>;

std::vector<Record> records_of(const std::string& text) {
  std::istringstream stream(text);
  CsvReader reader(stream, "rows.csv");
  std::vector<Record> records;
  while (reader.next()) records.emplace_back(reader.fields().begin(), reader.fields().end());
  return records;
}

std::string cell(const std::vector<Record>& records, std::size_t row, const std::string& column) {
  for (std::size_t i = 0; i < records.at(0).size(); ++i)
    if (records[0][i] == column) return records.at(row).at(i);
  throw std::runtime_error("no column " + column);
}

}  // namespace

TEST_CASE("a sweep's rows come in order of its points, whatever runs beside each other") {
  const TemporaryFolder folder;
  folder.write("s.json", kGrid);
  const Outcome serial = syncsim({"sweep", "s.json", "--jobs", "1"}, folder.path());
  CHECK(serial.exit_code == 0);
  CHECK(serial.err == "");
  CHECK(lines_of(serial.out).size() == 13);
  CHECK(syncsim({"sweep", "s.json", "--jobs", "5"}, folder.path()).out == serial.out);
  const Arguments to_file = {"sweep", "s.json", "--jobs", "3", "--out", "rows.csv"};
  const Outcome written = syncsim(to_file, folder.path());
  CHECK(written.exit_code == 0);
  CHECK(written.out + written.err == "");
  CHECK(read_text(folder.path() + "/rows.csv") == serial.out);
}

TEST_CASE("a row says what the run of its point says") {
  const TemporaryFolder folder;
  folder.write("s.json", kGrid);
  const Json points =
      json_of(syncsim({"run", "s.json", "--format", "json"}, folder.path())).at("points");
  const Outcome sweep = syncsim({"sweep", "s.json", "--format", "jsonl"}, folder.path());
  const std::vector<Json> rows = rows_of(sweep.out);
  REQUIRE(rows.size() == points.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    CHECK(rows[i]["point"] == i);
    CHECK(rows[i]["error"] == "");
    for (const char* key :
         {"topology",   "edits",      "strategy",   "parameters", "collective", "bytes",
          "datatype",   "ranks",      "rank_order", "root",       "rates",      "overhead_us",
          "reduction",  "seed",       "executor",   "scenario",   "time_ps",    "time_us",
          "algbw_GBps", "busbw_GBps", "bound_us",   "bound_kind", "efficiency", "busiest_link",
          "ops",        "checked"}) {
      CAPTURE(key);
      CHECK(rows[i].at(key) == points[i].at(key));
    }
  }
}

TEST_CASE("a row is enough to run its point again") {
  const TemporaryFolder folder;
  folder.write("s.json", kGrid);
  const std::vector<Json> rows =
      rows_of(syncsim({"sweep", "s.json", "--format", "jsonl"}, folder.path()).out);
  const Json& row = rows.at(11);
  Json again = Json::object();
  for (const char* key : {"topology", "edits", "strategy", "collective", "bytes", "datatype",
                          "executor", "rates", "reduction", "seed", "root", "events"})
    again[key] = row.at(key);
  again["parameters"] = row.at("asked_parameters");
  folder.write("again.json", again.dump());
  const Json point =
      json_of(syncsim({"run", "again.json", "--format", "json"}, folder.path()))["points"][0];
  CHECK(point["time_ps"] == row["time_ps"]);
  CHECK(point["edits"].size() == 1);
}

TEST_CASE("CSV and JSON lines say the same, under the same names") {
  const TemporaryFolder folder;
  folder.write("s.json", kGrid);
  const std::vector<Record> records = records_of(syncsim({"sweep", "s.json"}, folder.path()).out);
  const std::vector<Json> rows =
      rows_of(syncsim({"sweep", "s.json", "--format", "jsonl"}, folder.path()).out);
  REQUIRE(records.size() == rows.size() + 1);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const char* key : {"point", "bytes", "time_ps", "ops", "ranks"})
      CHECK(cell(records, i + 1, key) == rows[i].at(key).dump());
    for (const char* key : {"digest", "strategy", "edits_name", "topology", "scenario"})
      CHECK(cell(records, i + 1, key) == rows[i].at(key).get<std::string>());
    CHECK(std::stod(cell(records, i + 1, "busbw_GBps")) == rows[i]["busbw_GBps"].get<double>());
  }
  CHECK(cell(records, 12, "edits") == "link:gpu0-switch0 bandwidth=8 GB/s");
  CHECK(cell(records, 12, "asked_parameters") == "chunks=2");
  CHECK(cell(records, 12, "parameters") == "chunks=2 directions=one rings=auto");
  CHECK(cell(records, 12, "busiest_link") == "gpu0>switch0");
  CHECK(std::stod(cell(records, 12, "utilization")) ==
        rows[11]["busiest_link"]["utilization"].get<double>());
}

TEST_CASE("--format json prints one object with the rows as its points") {
  const TemporaryFolder folder;
  folder.write("s.json", kGrid);
  const Json object = json_of(syncsim({"sweep", "s.json", "--format", "json"}, folder.path()));
  const std::vector<Json> rows =
      rows_of(syncsim({"sweep", "s.json", "--format", "jsonl"}, folder.path()).out);
  CHECK(object["points"] == Json(rows));
  CHECK(object["whole"] == true);
}

TEST_CASE("a point that is refused gets a row that says why, and the sweep goes on") {
  const TemporaryFolder folder;
  folder.write("s.json", kRefused);
  const Outcome sweep = syncsim({"sweep", "s.json", "--format", "jsonl"}, folder.path());
  CHECK(sweep.exit_code == 2);
  CHECK(sweep.err == "syncsim: 1 of 2 points are refused; \"error\" says why\n");
  const std::vector<Json> rows = rows_of(sweep.out);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0]["time_ps"].is_number());
  CHECK(rows[1]["time_ps"] == nullptr);
  CHECK(rows[1]["error"] ==
        "s.json:/sweep/ranks/1: rank 4 does not exist on pcie_4gpu; use ranks 0 to 3");
  const std::vector<Record> records = records_of(syncsim({"sweep", "s.json"}, folder.path()).out);
  CHECK(cell(records, 2, "error") == rows[1]["error"].get<std::string>());
  CHECK(cell(records, 2, "time_ps") == "");
}

TEST_CASE("a machine that the scenario holds stands in its rows, whole") {
  const TemporaryFolder folder;
  folder.write("s.json", R"({"strategy": "ring", "bytes": 64, "topology": {"kind": "star",
      "gpus": 3, "link": {"kind": "pcie", "bandwidth": "1 GB/s"}}})");
  const std::vector<Json> rows =
      rows_of(syncsim({"sweep", "s.json", "--format", "jsonl"}, folder.path()).out);
  CHECK(rows.at(0)["topology"]["gpus"] == 3);
  CHECK(rows.at(0)["machine"] == "star of 3");
}

TEST_CASE("memory that is refused to all of a point's neighbours together is given to it alone") {
  const TemporaryFolder folder;
  folder.write("s.json", slow_sweep());
  const Arguments limited = {"sweep", "s.json", "--memory", "10 MB", "--jobs"};
  const Outcome serial = syncsim(with(limited, {"1"}), folder.path());
  CHECK(serial.exit_code == 0);
  const Outcome parallel = syncsim(with(limited, {"4"}), folder.path());
  CHECK(parallel.exit_code == 0);
  CHECK(parallel.out == serial.out);
  const Outcome refused =
      syncsim({"sweep", "s.json", "--memory", "500 kB", "--jobs", "4"}, folder.path());
  CHECK(refused.exit_code == 2);
  CHECK(refused.err == "syncsim: 10 of 10 points are refused; \"error\" says why\n");
}

TEST_CASE("options of a sweep that are none are refused") {
  const TemporaryFolder folder;
  folder.write("s.json", kRefused);
  folder.write("rows.csv", "");
  const auto refused = [&](const Arguments& more, const std::string& message) {
    check_refused(syncsim(with({"sweep", "s.json"}, more), folder.path()), message);
  };
  refused({"--jobs", "0"}, "--jobs: \"0\" is out of range; write one from 1 to 4096");
  refused({"--resume"}, "--resume: there is no file to go on with; name it with --out");
  refused({"--out", "rows.txt"},
          "--out: \"rows.txt\" ends neither in .csv nor in .jsonl; name it so, or give --format");
  refused({"--out", "rows.csv"},
          "--out: \"rows.csv\" is there already; name another file, or go on with this one by "
          "--resume");
  refused({"--out", "/dev/null", "--format", "csv"},
          "--out: \"/dev/null\" is no file; name a file to write");
  refused(
      {"--out", "nowhere/rows.csv"},
      "--out: \"nowhere/rows.csv\" cannot be written: No such file or directory; mend that, and "
      "go on with --resume");
  refused({"--format", "jsn"}, "--format: unknown format \"jsn\"; did you mean \"json\"?");
  refused({"--format", "json", "--out", "rows.json"},
          "--format: a file that grows by rows is csv or jsonl; write --format jsonl");
  check_refused(syncsim({"sweep", "no.json"}, folder.path()),
                "no.json: there is no such file; check the path");
}

}  // namespace syncsim::testing::sweep_test
