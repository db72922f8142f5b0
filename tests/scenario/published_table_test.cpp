#include "sim/scenario/published_table.h"

#include <doctest/doctest.h>

#include <set>
#include <string>

#include "tests/support/refusal.h"

namespace syncsim::published_table_test {
namespace {

constexpr const char* kShipped = SYNCSIM_SOURCE_DIR "/scenarios/measured";

PublishedTable read(const std::string& more, const std::string& rows) {
  const std::string text =
      R"({"machine": "a box", "collective": "all_reduce")" + more + R"(, "rows": )" + rows + "}";
  return read_published_table(JsonFile::parse(text, "t.json").root(), "t");
}

std::string refusal(const std::string& more, const std::string& rows) {
  return testing::refusal_of([&] { read(more, rows); });
}

const std::string kRow = R"([{"bytes": 8, "time_us": 1.5}])";

}  // namespace

TEST_CASE("the ecosystem's form is enough: machine, collective, rows") {
  const PublishedTable table =
      read("", R"([{"bytes": 8, "time_us": 1.5, "algbw_GBps": 0, "busbw_GBps": 0},
                   {"bytes": 16, "time_us": 2}])");
  CHECK(table.machine == "a box");
  CHECK(table.point.collective == CollectiveKind::allreduce);
  CHECK(table.point.topology.empty());
  CHECK(table.rows.size() == 2);
  CHECK(table.rows[1].bytes == Bytes{16});
  CHECK(table.rows[1].microseconds == 2);
  CHECK(table.terms.launch == Launch::unknown);
  CHECK_FALSE(table.terms.network.has_value());
}

TEST_CASE("a table says on what its figures were taken, and why to be careful") {
  const PublishedTable table = read(
      R"(, "topology": "dgx_a100_x2", "edits": ["remove node:node*/nic1"], "ranks": "0-3",
          "datatype": "float64", "library": "nccl", "version": "2.21", "launch": "one_process",
          "network": "efa", "channels": 2, "protocol": "simple", "algorithm": "hierarchical",
          "care": "untuned", "source": "s", "notes": "")",
      kRow);
  CHECK(table.point.topology == "dgx_a100_x2");
  CHECK(table.point.edits.size() == 1);
  CHECK(table.point.ranks.size() == 4);
  CHECK(table.point.datatype == "float64");
  CHECK(table.terms.version == "2.21");
  CHECK(table.terms.launch == Launch::one_process);
  CHECK(table.terms.network == Network::efa);
  CHECK(table.terms.pins.channels == 2);
  CHECK(table.terms.pins.protocol == NcclProtocol::simple);
  CHECK(table.terms.algorithm == "hierarchical");
  CHECK(table.care == "untuned");
  CHECK(table.notes.empty());
}

TEST_CASE("wrong tables are refused at their place") {
  CHECK(refusal("", "[]") == R"(t.json:/rows: no rows; write [{"bytes": 1024, "time_us": 12.5}])");
  CHECK(refusal("", R"([{"bytes": 8, "time_us": 0}])") ==
        "t.json:/rows/0/time_us: a time of 0; write one above 0, or leave the row out");
  CHECK(refusal("", R"([{"bytes": 0, "time_us": 1}])") ==
        "t.json:/rows/0/bytes: a row of no bytes; leave it out");
  CHECK(refusal("", R"([{"bytes": 8, "in_place_us": 1}])") ==
        R"(t.json:/rows/0: has no out-of-place time; add such as "time_us": 12.5)");
  CHECK(refusal("", R"([{"bytes": 8, "time_us": 1}, {"bytes": 8, "time_us": 2}])") ==
        "t.json:/rows/1: is not larger than the row before; write sizes in ascending order");
  CHECK(refusal(R"(, "network": "tcpx")", kRow) ==
        R"(t.json:/network: unknown network "tcpx"; did you mean "tcp"?)");
  CHECK(refusal(R"(, "ranks": "0-")", kRow).starts_with("t.json:/ranks: "));
  CHECK(testing::refusal_of([] {
          load_published_tables(SYNCSIM_SOURCE_DIR "/sim");
        }).ends_with("/sim: holds no tables; name a directory of measured tables (*.json)"));
}

TEST_CASE(
    "every published table has a machine of the shelf, a source, and a network if it needs one") {
  const std::vector<PublishedTable> tables = load_published_tables(kShipped);
  std::size_t rows = 0;
  std::size_t careful = 0;
  for (const PublishedTable& table : tables) {
    CAPTURE(table.name);
    rows += table.rows.size();
    careful += table.care.empty() ? 0 : 1;
    CHECK(!table.point.topology.empty());
    CHECK(!table.source.empty());
    CHECK((table.terms.library == "nccl" || table.terms.library == "rccl"));
  }
  CHECK(tables.size() == 77);
  CHECK(rows == 1705);
  CHECK(careful == 12);
}

}  // namespace syncsim::published_table_test
