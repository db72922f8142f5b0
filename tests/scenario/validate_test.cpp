#include "sim/scenario/validate.h"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/refusal.h"

namespace syncsim::validate_test {
namespace {

const RunSettings kSettings{.shelf = SYNCSIM_SHELF};

PublishedTable table(const std::string& more, const std::string& rows) {
  const std::string text =
      R"({"machine": "a box", "collective": "all_reduce", )" + more + R"(, "rows": )" + rows + "}";
  return read_published_table(JsonFile::parse(text, "t.json").root(), "t");
}

ValidationReport validated(const std::vector<PublishedTable>& tables) {
  const std::vector<const Predictor*> chosen = {&predictors().at("nccl_formula"),
                                                &predictors().at("line")};
  return validate_tables(tables, chosen, kSettings);
}

const Errors& of(const std::vector<ErrorsBySize>& errors, std::size_t predictor, SizeClass size) {
  return errors[predictor][static_cast<std::size_t>(size)];
}

}  // namespace

TEST_CASE("the best line has the least mean relative error, and stays above zero") {
  // Exact: 10 us and 1 GB/s.
  const Line exact = best_line({{Bytes{1000}, 11}, {Bytes{10000}, 20}, {Bytes{100000}, 110}});
  CHECK(exact.alpha == doctest::Approx(10));
  CHECK(exact.beta == doctest::Approx(1e-3));
  CHECK(exact.at(Bytes{1'000'000}) == doctest::Approx(1010));
  // Falling times: level, as close as may be to both: 2 of 2 and 3 (50 %) or 3 (33 %)
  const Line level = best_line({{Bytes{8}, 3}, {Bytes{16}, 2}});
  CHECK(level.beta == 0);
  CHECK(level.alpha == 2);
  CHECK(best_line({{Bytes{8}, 3}}).at(Bytes{8}) == doctest::Approx(3));
}

TEST_CASE("errors are of time, by size: up to 64 KiB, from 64 MiB on, and between") {
  CHECK(size_class(Bytes{65'536}) == SizeClass::small);
  CHECK(size_class(Bytes{65'540}) == SizeClass::middle);
  CHECK(size_class(Bytes{67'108'860}) == SizeClass::middle);
  CHECK(size_class(Bytes{67'108'864}) == SizeClass::large);
  // Of 8 A100: LL 15.00016 us (nccl_formula_test.cpp) where 30 were measured.
  const ValidationReport report =
      validated({table(R"("topology": "dgx_a100")", R"([{"bytes": 8, "time_us": 30}])")});
  const ValidatedTable& only = report.tables.front();
  CHECK(only.family == "NVLink or xGMI, one node");
  const std::vector<ErrorsBySize> errors = errors_of(only);
  CHECK(of(errors, 0, SizeClass::small).mean() == doctest::Approx(0.5).epsilon(1e-4));
  CHECK(of(errors, 0, SizeClass::all).worst == doctest::Approx(0.5).epsilon(1e-4));
  CHECK(of(errors, 0, SizeClass::large).rows == 0);
  CHECK(of(errors, 1, SizeClass::all).mean() == doctest::Approx(0));
}

TEST_CASE("totals count rows by family, without and with those to be treated with care") {
  const std::string rows = R"([{"bytes": 8, "time_us": 30}, {"bytes": 16, "time_us": 30}])";
  const ValidationReport report =
      validated({table(R"("topology": "dgx_a100")", rows),
                 table(R"("topology": "dgx_a100", "care": "why")", rows),
                 table(R"("topology": "dgx_a100_x2", "network": "roce")", rows),
                 table(R"("topology": "dgx_a100_x2", "network": "efa")", rows),
                 table(R"("topology": "pcie_2gpu_nop2p")", rows)});
  const std::vector<ValidationTotal> totals = totals_of(report);
  REQUIRE(totals.size() == 10);
  CHECK(totals[0].family == "NVLink or xGMI, one node");
  CHECK(totals[0].tables == 1);
  CHECK(totals[1].family == "InfiniBand, RoCE, Slingshot");
  CHECK(totals[2].family == "sockets, cloud NICs");
  CHECK(totals[3].family == "PCIe, one node");
  CHECK(totals[4].family == "all");
  CHECK(of(totals[4].errors, 0, SizeClass::all).rows == 8);
  CHECK(totals[5].with_care);
  CHECK(totals[5].tables == 2);
  CHECK(of(totals[9].errors, 0, SizeClass::all).rows == 10);
}

TEST_CASE("a table that no machine is said for, or that does not fit it, is refused at its place") {
  const std::string row = R"([{"bytes": 8, "time_us": 1}])";
  CHECK(testing::refusal_of([&] { validated({table(R"("source": "s")", row)}); }) ==
        R"(t.json:/: says no topology; add such as "topology": "dgx_a100")");
  CHECK(testing::refusal_of([&] {
          validated({table(R"("topology": "dgx_a100", "ranks": "0-8")", row)});
        }) == "t.json:/ranks: rank 8 does not exist on dgx_a100; use ranks 0 to 7");
  CHECK(testing::refusal_of([&] {
          validated({table(R"("topology": "pcie_4gpu")", row)});
        }).starts_with("t.json:/topology: NCCL's formula goes by the gpus' architecture"));
}

TEST_CASE("the formula is off by what is published of it, the line by less") {
  const ValidationReport report =
      validated(load_published_tables(SYNCSIM_SOURCE_DIR "/scenarios/measured"));
  const ValidationTotal all = totals_of(report).back();
  CHECK(all.tables == 77);
  const double formula = of(all.errors, 0, SizeClass::all).mean();
  const double line = of(all.errors, 1, SizeClass::all).mean();
  CHECK(formula > 0.30);
  CHECK(formula < 0.45);
  CHECK(line > 0.15);
  CHECK(line < 0.20);
  CHECK(of(all.errors, 0, SizeClass::large).mean() < 0.30);
}

TEST_CASE("validation is written as text, as JSON and as CSV") {
  const ValidationReport report =
      validated({table(R"("topology": "dgx_a100", "care": "why")",
                       R"([{"bytes": 8, "time_us": 30}, {"bytes": 131072, "time_us": 60}])")});
  const std::string text = validation_text(report);
  CHECK(text.find("\nt *") != std::string::npos);
  CHECK(text.find("NVLink or xGMI, one node (1 table)") != std::string::npos);
  const nlohmann::json json = nlohmann::json::parse(validation_json(report));
  CHECK(json["predictors"] == nlohmann::json{"nccl_formula", "line"});
  CHECK(json["tables"][0]["care"] == "why");
  CHECK(json["tables"][0]["rows"][1]["measured_us"] == 60);
  CHECK(json["tables"][0]["errors"]["line"]["all"]["rows"] == 2);
  CHECK(json["totals"].size() == 4);
  const std::string csv = validation_csv(report);
  CHECK(csv.starts_with(
      "table,family,care,collective,bytes,measured_us,predictor,predicted_us,error\n"
      "t,\"NVLink or xGMI, one node\",why,allreduce,8,30,nccl_formula,"));
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 5);
}

}  // namespace syncsim::validate_test
