// syncsim validate: the published tables, or the user's.

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/cli/program.h"
#include "tests/support/temporary_folder.h"

namespace syncsim::testing::validate_test {

namespace {

constexpr const char* kTable = R"({"machine": "8 A100", "collective": "all_reduce",
  "topology": "dgx_a100", "rows": [{"bytes": 8, "time_us": 30}]})";

}  // namespace

TEST_CASE("validate shows the errors of chosen predictors, of a table and of a directory") {
  const TemporaryFolder folder;
  folder.write("mine.json", kTable);
  const Outcome one =
      syncsim({"validate", "mine.json", "--predictors", "nccl_formula"}, folder.path());
  CHECK(one.exit_code == 0);
  CHECK(one.err == "");
  CHECK(one.out.find("\nmine ") != std::string::npos);
  CHECK(one.out.find("50.0") != std::string::npos);  // 15.0 us of LL where 30 were measured
  CHECK(one.out.find("line") == std::string::npos);
  const auto json =
      nlohmann::json::parse(syncsim({"validate", ".", "--format", "json"}, folder.path()).out);
  CHECK(json["predictors"] == nlohmann::json{"model", "nccl_formula", "line"});
  CHECK(json["tables"].size() == 1);
}

TEST_CASE("validate refuses what is no table, no predictor and no format") {
  const TemporaryFolder folder;
  folder.write("mine.json", kTable);
  const auto refusal = [&](const Arguments& arguments) {
    const Outcome outcome = syncsim(arguments, folder.path());
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out == "");
    return outcome.err;
  };
  CHECK(refusal({"validate", "mine.json", "--predictors", "lin"}) ==
        "syncsim: --predictors: unknown predictor \"lin\"; did you mean \"line\"?\n");
  CHECK(refusal({"validate", "mine.json", "--format", "xml"}) ==
        "syncsim: --format: unknown format \"xml\"; choose one of csv, json, text\n");
  CHECK(refusal({"validate", "yours.json"}) ==
        "syncsim: yours.json: there is no such file; check the path\n");
}

}  // namespace syncsim::testing::validate_test
