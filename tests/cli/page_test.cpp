// `run --report`: what it writes, what it leaves alone, what it refuses. The page's template is a
// short one here, so that nothing depends on npm; tests/page opens the real one in a browser.

#include <doctest/doctest.h>

#include <filesystem>

#include "tests/cli/program.h"

namespace syncsim::testing::page_test {
namespace {

namespace fs = std::filesystem;

const Arguments kRing = {"run",  "--topology", "pcie_4gpu", "--strategy",
                         "ring", "--bytes",    "160 MB"};

// The program in a place of its own, with the shelf beside it.
class Place {
 public:
  explicit Place(bool has_page) {
    fs::create_directories(folder_.path() + "/bin");
    fs::create_directories(folder_.path() + "/share/syncsim");
    fs::copy_file(SYNCSIM_BINARY, program());
    fs::create_directory_symlink(SYNCSIM_SHELF, folder_.path() + "/share/syncsim/topologies");
    if (has_page) folder_.write("share/syncsim/page/template.html", "<i>@SYNCSIM_DATA@</i>");
  }

  Outcome run(Arguments arguments) const {
    arguments.insert(arguments.begin(), program());
    return run_program(std::move(arguments), folder_.path());
  }
  bool has(const std::string& file) const { return fs::exists(folder_.path() + "/" + file); }
  std::string read(const std::string& file) const { return read_text(folder_.path() + "/" + file); }
  void write(const std::string& file, const std::string& text) const { folder_.write(file, text); }
  // The page's data.
  Json data(const std::string& file) const {
    const std::string text = read(file);
    return Json::parse(text.substr(3, text.size() - 7));
  }

 private:
  std::string program() const { return folder_.path() + "/bin/syncsim"; }

  TemporaryFolder folder_;
};

Json strategies_of(const Json& rows) {
  Json names = Json::array();
  for (const Json& row : rows) names.push_back(row["strategy"]);
  return names;
}

}  // namespace

TEST_CASE("a page holds its point as JSON says it, and is all that changes") {
  const Place place(true);
  const Outcome plain = place.run(with(kRing, {"--format", "json"}));
  const Outcome outcome = place.run(with(kRing, {"--format", "json", "--report", "x.html"}));
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err == "");
  CHECK(outcome.out == plain.out);
  const Json data = place.data("x.html");
  REQUIRE(data["points"].size() == 1);
  const Json said = data["points"][0]["report"];
  const Json expected = Json::parse(plain.out)["points"][0];
  for (const auto& [key, value] : expected.items()) CHECK_MESSAGE(said[key] == value, key);
  CHECK(data["points"][0]["timeline"]["slices"]["track"].size() == 24);
  CHECK(data["points"][0]["timeline"]["rates"].size() == 8);
}

TEST_CASE("a page says why it takes so long, though text does so only when asked to") {
  const Place place(true);
  CHECK(place.run(with(kRing, {"--report", "x.html"})).out == place.run(kRing).out);
  const Json why = place.data("x.html")["points"][0]["report"]["explain"];
  for (const char* sentence : {"binds", "bound", "change"}) CHECK(why[sentence] != "");
}

TEST_CASE("beside a single point stand the other strategies, the fastest first") {
  const Place place(true);
  REQUIRE(place.run(with(kRing, {"--report", "x.html"})).exit_code == 0);
  const Json rows = place.data("x.html")["comparison"];
  const Json names = strategies_of(rows);
  CHECK(names[0] == "ring");
  CHECK(std::count(names.begin(), names.end(), "ring") == 1);
  CHECK(std::count(names.begin(), names.end(), "distributed") == 1);
  CHECK(std::count(names.begin(), names.end(), "central_cpu") == 1);
  for (std::size_t i = 2; i < rows.size(); ++i) CHECK(rows[i - 1]["time_ps"] <= rows[i]["time_ps"]);
}

TEST_CASE("a strategy that is refused beside a point is a row that says why") {
  const Place place(true);
  REQUIRE(place
              .run({"run", "--topology", "a100_nv4_quad", "--strategy", "ring", "--bytes", "1 MB",
                    "--report", "x.html"})
              .exit_code == 0);
  const Json left_out = place.data("x.html")["left_out"];
  REQUIRE(!left_out.empty());
  CHECK(left_out[0]["strategy"] == "in_network");
  CHECK(left_out[0]["why"].get<std::string>().find("no switch of machine") != std::string::npos);
}

TEST_CASE("of a run with many ops no change is tried, and the page says so") {
  const Place place(true);
  REQUIRE(place
              .run({"run", "--topology", "dgx_a100_x4", "--strategy", "ring", "--bytes", "160 MB",
                    "--param", "chunks=2048", "--report", "x.html"})
              .exit_code == 0);
  const Json report = place.data("x.html")["points"][0]["report"];
  REQUIRE(report["ops"] > 100'000);
  CHECK(report["explain"]["change"] ==
        "No change was tried, for each takes another run: of " + report["ops"].dump() +
            " ops, where 100000 are few enough here; run --explain tries them.");
}

TEST_CASE("several points are compared with each other, each with a timeline") {
  const Place place(true);
  const Arguments both = {"run",     "--topology",   "pcie_4gpu", "--strategy", "ring,central_gpu",
                          "--bytes", "16 MB,160 MB", "--report",  "x.html"};
  REQUIRE(place.run(both).exit_code == 0);
  const Json data = place.data("x.html");
  CHECK(data["points"].size() == 4);
  CHECK(strategies_of(data["comparison"]) == Json({"ring", "ring", "central_gpu", "central_gpu"}));
}

TEST_CASE("of many ranks no others are ranked, and the page says so") {
  const Place place(true);
  REQUIRE(place
              .run({"run", "--topology", "dgx_a100_x4", "--strategy", "ring", "--bytes", "160 MB",
                    "--report", "x.html"})
              .exit_code == 0);
  const Json data = place.data("x.html");
  CHECK(data["comparison"].size() == 1);
  CHECK(data["note"] ==
        "Other strategies are ranked beside a run of up to 16 ranks; of more, name those to "
        "compare.");
}

TEST_CASE("a choice's page shows what it chose") {
  const Place place(true);
  REQUIRE(place
              .run({"run", "--topology", "pcie_4gpu", "--strategy", "auto", "--bytes", "160 MB",
                    "--report", "x.html"})
              .exit_code == 0);
  const Json point = place.data("x.html")["points"][0];
  CHECK(point["report"]["strategy_text"].get<std::string>().starts_with("auto: "));
  CHECK(point["timeline"]["slices"]["track"].size() > 0);
}

TEST_CASE("a page and a trace are written of one run") {
  const Place place(true);
  REQUIRE(place.run(with(kRing, {"--report", "x.html", "--trace", "x.json"})).exit_code == 0);
  CHECK(place.data("x.html")["points"][0]["timeline"]["rates"].size() == 8);
  CHECK(Json::parse(place.read("x.json")).contains("traceEvents"));
}

TEST_CASE("a build without a page says what is missing, before it runs anything") {
  const Place place(false);
  const Outcome outcome = place.run(with(kRing, {"--report", "x.html"}));
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out == "");
  CHECK(outcome.err ==
        "syncsim: --report: this build has no page; install npm (Debian: apt install npm) and "
        "build again\n");
  CHECK_FALSE(place.has("x.html"));
}

TEST_CASE("a page that cannot be written is told before anything runs") {
  const Place place(true);
  const Outcome outcome = place.run(with(kRing, {"--report", "nowhere/x.html"}));
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.out == "");
  CHECK(outcome.err ==
        "syncsim: --report: \"nowhere/x.html\" cannot be written: No such file or directory; check "
        "the path, its permissions and the disk\n");
}

TEST_CASE("a run that is refused leaves the page that was there") {
  const Place place(true);
  place.write("x.html", "as before");
  const Outcome outcome = place.run({"run", "--topology", "pcie_4gpu", "--strategy", "ring",
                                     "--bytes", "1 GB", "--root", "9", "--report", "x.html"});
  CHECK(outcome.exit_code == 2);
  CHECK(place.read("x.html") == "as before");
}

}  // namespace syncsim::testing::page_test
