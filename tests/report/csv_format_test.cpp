// The CSV report: a row a point under the names of the JSON report's keys.

#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "sim/base/csv_reader.h"
#include "sim/report/formats.h"
#include "sim/report/formats/csv_text.h"
#include "tests/report/reports.h"

namespace syncsim::csv_format_test {
namespace {

using testing::textbook_report;
using Rows = std::vector<std::vector<std::string>>;

Rows read(const std::string& text) {
  std::istringstream stream(text);
  CsvReader reader(stream, "report.csv");
  Rows rows;
  while (reader.next()) rows.emplace_back(reader.fields().begin(), reader.fields().end());
  return rows;
}

Rows written(const std::vector<Report>& reports, bool links = false) {
  return read(write_csv(reports, {links}));
}

// Of row 1.
std::string cell(const Rows& rows, const std::string& column) {
  const auto at = std::find(rows[0].begin(), rows[0].end(), column);
  REQUIRE(at != rows[0].end());
  return rows[1][static_cast<std::size_t>(at - rows[0].begin())];
}

}  // namespace

TEST_CASE("a point is a row, with figures as JSON has them") {
  const Rows rows = written({textbook_report(), testing::empty_report()});
  CHECK(rows.size() == 3);
  CHECK(cell(rows, "topology") == "pcie_4gpu");
  CHECK(cell(rows, "parameters") == "root=auto");
  CHECK(cell(rows, "bytes") == "160000000");
  CHECK(cell(rows, "time_ps") == "60000000000");
  CHECK(cell(rows, "time_us") == "60000");
  CHECK(cell(rows, "busbw_GBps") == "4");
  CHECK(cell(rows, "efficiency") == "0.25");
  CHECK(cell(rows, "busiest_link") == "gpu0>switch0");
  CHECK(cell(rows, "busiest_link_GBps") == "8");
  CHECK(cell(rows, "utilization") == "0.5");
  CHECK(cell(rows, "phases") == "reduce 30000; broadcast 30000");
}

TEST_CASE("columns are keys of the JSON report") {
  const std::vector<Report> reports = {textbook_report()};
  const auto point = nlohmann::json::parse(write_json(reports, {}))["points"][0];
  const Rows rows = written(reports);
  const std::set<std::string> of_step = {"step_us",      "compute_us",        "communication_us",
                                         "exposed_us",   "overlap",           "scaling_efficiency",
                                         "replicas",     "step_deviation_us", "step_low_us",
                                         "step_high_us", "step_least_us",     "step_most_us",
                                         "lost_us",      "step_after_us",     "goodput"};
  for (const std::string& column : rows[0]) {
    CAPTURE(column);
    const bool of_busiest = column == "busiest_link_GBps" || column == "utilization";
    CHECK((of_busiest || of_step.contains(column) || point.contains(column)));
  }
}

TEST_CASE("every key of a JSON point is a column, but for lists of ops and candidates") {
  const std::vector<Report> reports = {textbook_report()};
  const std::vector<std::string> columns = written(reports)[0];
  const auto json = nlohmann::json::parse(write_json(reports, {}));
  for (const auto& [key, value] : json["points"][0].items()) {
    CAPTURE(key);
    const bool is_column = std::find(columns.begin(), columns.end(), key) != columns.end();
    CHECK(is_column != (key == "critical_path" || key == "candidates"));
  }
}

TEST_CASE("with links a row is a direction of a point") {
  const Rows rows = written({textbook_report()}, true);
  CHECK(rows.size() == 1 + textbook_report().links.size());
  CHECK(cell(rows, "strategy") == "central_gpu");
  CHECK(cell(rows, "link") == "gpu0-switch0");
  CHECK(cell(rows, "direction") == "gpu0>switch0");
  CHECK(cell(rows, "link_bytes") == "480000000");
  CHECK(cell(rows, "saturated_us") == "30000");
}

TEST_CASE("every row has as many fields as the head, whatever the texts hold") {
  Report odd = textbook_report();
  odd.facts.name = "a, \"b\"";
  odd.facts.edits = {"link:gpu0-switch0 bandwidth=8 GB/s", "remove node:x,y"};
  for (const bool links : {false, true}) {
    const Rows rows = written({odd, testing::empty_report()}, links);
    for (const auto& row : rows) CHECK(row.size() == rows[0].size());
    CHECK(cell(rows, "name") == "a, \"b\"");
    CHECK(cell(rows, "edits") == "link:gpu0-switch0 bandwidth=8 GB/s; remove node:x,y");
  }
}

TEST_CASE("nothing carried anything: no busiest link, and empty cells for it") {
  const Rows rows = written({testing::empty_report()});
  CHECK(cell(rows, "busiest_link").empty());
  CHECK(cell(rows, "utilization").empty());
}

TEST_CASE("no points, only the head") { CHECK(written({}).size() == 1); }

TEST_CASE("a field is in quotes where RFC 4180 asks for them") {
  CHECK(csv::field("plain text") == "plain text");
  CHECK(csv::field("a,b") == "\"a,b\"");
  CHECK(csv::field("say \"a\"") == "\"say \"\"a\"\"\"");
  CHECK(csv::field("two\nlines") == "\"two\nlines\"");
}

}  // namespace syncsim::csv_format_test
