// --strategy auto, and compare over several sizes.

#include <doctest/doctest.h>

#include <sstream>

#include "tests/cli/program.h"
#include "tests/cli/refusals.h"

namespace syncsim::testing::auto_test {
namespace {

const Arguments kAuto = {"run", "--strategy", "auto", "--topology", "mi300x"};

}  // namespace

TEST_CASE("auto beside a strategy: the same table, and what it chose") {
  const Json json = json_of(syncsim({"run", "--strategy", "auto,ring", "--topology", "mi300x",
                                     "--bytes", "1 kB", "--format", "json"}));
  CHECK(json["points"][0]["strategy"] == "auto");
  CHECK(json["points"][0]["chosen"]["strategy"] == "one_shot");
  CHECK(json["points"][0]["checked"] == true);
  CHECK(json["points"][1]["chosen"].is_null());
  CHECK(json["points"][0]["time_ps"] < json["points"][1]["time_ps"]);
  const Outcome text = syncsim(with(kAuto, {"--bytes", "1 kB"}));
  CHECK(text.out.find("\nauto: one_shot ") != std::string::npos);
  CHECK(text.out.find("\n  the fastest of ") != std::string::npos);
}

TEST_CASE("auto's choice is what compare ranks first") {
  const Json ran = json_of(syncsim(with(kAuto, {"--bytes", "1 MB", "--format", "json"})));
  const Json compared =
      json_of(syncsim({"compare", "--topology", "mi300x", "--bytes", "1 MB", "--format", "json"}));
  CHECK(compared["ranking"][0]["strategy"] == ran["points"][0]["chosen"]["strategy"]);
  CHECK(compared["ranking"][0]["time_ps"] == ran["points"][0]["time_ps"]);
}

TEST_CASE("auto is listed beside the strategies as a choice") {
  const Json list = json_of(syncsim({"list", "strategies", "--format", "json"}))["strategies"];
  CHECK(list[0]["name"] == "auto");
  CHECK(list[0]["choice"] == true);
  CHECK(!list[1].contains("choice"));
  const std::string text = syncsim({"list", "strategies"}).out;
  CHECK(text.substr(0, text.find('\n')).find(" a choice: ") != std::string::npos);
}

TEST_CASE("auto refuses parameters at their option") {
  check_refused(syncsim(with(kAuto, {"--bytes", "1 kB", "--param", "chunks=8"})),
                "--param: auto takes no parameter, \"chunks\" neither; leave it out, or name a "
                "strategy");
}

TEST_CASE("compare over a range: sizes in steps of four, a winner each, crossovers between") {
  const Arguments compare = {"compare", "--topology", "mi300x", "--bytes", "1 kB..1 MB"};
  const Json json = json_of(syncsim(with(compare, {"--format", "json"})));
  std::vector<std::int64_t> sizes;
  for (const Json& size : json["sizes"]) sizes.push_back(size["bytes"].get<std::int64_t>());
  CHECK(sizes == std::vector<std::int64_t>{1'000, 4'000, 16'000, 64'000, 256'000, 1'000'000});
  CHECK(json["sizes"].front()["strategy"] == "one_shot");
  REQUIRE(json["crossovers"].size() >= 1);
  CHECK(json["crossovers"].front()["below_strategy"] == "one_shot");
  const Outcome text = syncsim(compare);
  CHECK(text.out.starts_with("mi300x: allreduce, 8 ranks, line rates\n"));
  CHECK(text.out.find("\ncrossovers, to within 5 %:\n  up to ") != std::string::npos);
}

TEST_CASE("sizes in any order, and twice, are the same sizes, and CSV has a row each") {
  const Outcome outcome = syncsim(
      {"compare", "--topology", "pcie_4gpu", "--bytes", "160 MB,16 MB,160 MB", "--format", "csv"});
  std::istringstream lines(outcome.out);
  std::string line;
  REQUIRE(std::getline(lines, line));
  CHECK(line ==
        "bytes,strategy,changed_parameters,time_ps,time_us,algbw_GBps,busbw_GBps,bound_us,"
        "bound_kind,efficiency,busiest_link,utilization");
  REQUIRE(std::getline(lines, line));
  CHECK(line.starts_with("16000000,"));
  REQUIRE(std::getline(lines, line));
  CHECK(line.starts_with("160000000,"));
  CHECK(!std::getline(lines, line));
}

TEST_CASE("ranges that are none, and unknown formats, are refused at their options") {
  const auto refused = [](const std::string& bytes, const std::string& message) {
    check_refused(syncsim({"compare", "--topology", "dgx1v", "--bytes", bytes}), message);
  };
  refused("1 MB..1 kB",
          "--bytes: \"1 MB..1 kB\" is no range: it does not end above its beginning; write the "
          "smaller one first, such as \"1 kB..1 GB\"");
  refused("0 B..1 kB",
          "--bytes: \"0 B..1 kB\" is no range: multiples of 0 stay there; begin above 0, or add "
          "steps, such as \"+1 MB\"");
  refused("1 kB...1 MB",
          "--bytes: \"1 kB...1 MB\" is no range: it has more than two dots; write such as "
          "\"1 kB..1 GB\"");
  refused("1 kB..1", "--bytes: \"1\" has no unit; write \"1 MB\"");
  check_refused(syncsim({"compare", "--topology", "dgx1v", "--bytes", "1 MB", "--format", "cvs"}),
                "--format: unknown format \"cvs\"; did you mean \"csv\"?");
}

}  // namespace syncsim::testing::auto_test
