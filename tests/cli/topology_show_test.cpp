// `topology show`: the summary, a route, and what it refuses.

#include "tests/cli/refusals.h"

namespace syncsim::testing::topology_show_test {

TEST_CASE("show says what the machine consists of, and the route") {
  const Outcome outcome = syncsim({"topology", "show", "dgx1v", "--route", "gpu0", "gpu5"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err == "");
  CHECK(outcome.out == read_text(SYNCSIM_SOURCE_DIR "/tests/golden/topology_show_dgx1v.txt"));
}

TEST_CASE("show as JSON is one object, with the same figures") {
  const Json json = json_of(syncsim({"topology", "show", "dgx1v", "--route", "gpu0", "gpu5",
                                     "--rates", "usable", "--format", "json"}));
  CHECK(json["topology"] == "dgx1v");
  CHECK(json["nodes"].dump() == R"({"gpu":8,"cpu":2,"switch":4,"nic":4})");
  CHECK(json["ranks"] == 8);
  CHECK(json["cables"] == 41);
  CHECK(json["injection"].dump() ==
        R"([{"ranks":["gpu[0-7]"],"kinds":[{"kind":"nvlink","GBps":120.0,"cables":6},)"
        R"({"kind":"pcie","GBps":12.0,"cables":1}]}])");
  CHECK(json["boxes"] == 1);
  CHECK(json["network"].dump() == R"({"nics":0,"GBps":0.0})");
  CHECK(json["bisection"].dump() ==
        R"([{"over":"nvlink","GBps":120.0,"senders":["gpu[0-3]"],"receivers":["gpu[4-7]"],)"
        R"("least_of_all_halves":true},{"over":"all links","GBps":126.0,)"
        R"("senders":["gpu[0-3]"],"receivers":["gpu[4-7]"],"least_of_all_halves":true}])");
  CHECK(json["route"]["path"].dump() == R"(["gpu0","plx0","cpu0","cpu1","plx2","gpu5"])");
  CHECK(json["route"]["bottleneck"] == "cpu0>cpu1");
  CHECK(json["route"]["GBps"] == 6.0);
  CHECK(json_of(syncsim({"topology", "show", "dgx1v", "--format", "json"}))["route"].is_null());
}

TEST_CASE("show takes edits, and says which") {
  const Outcome outcome =
      syncsim({"topology", "show", "pcie_4gpu", "--edit", "link:gpu0>switch0 bandwidth=8 GB/s",
               "--route", "gpu0", "gpu1"});
  CHECK(outcome.out.find("  edit: link:gpu0>switch0 bandwidth=8 GB/s\n") != std::string::npos);
  CHECK(outcome.out.find("bottleneck     gpu0>switch0 lets 8 GB/s through\n") != std::string::npos);
}

TEST_CASE("a wrong topology command or option is refused with the closest one") {
  check_refused(syncsim({"topology"}),
                "no topology command is given; choose one of " +
                    std::string("draw, export, import, rings, show, validate"));
  check_refused(syncsim({"topology", "shw"}),
                R"(unknown topology command "shw"; did you mean "show"?)");
  check_refused(syncsim({"topology", "show", "dgx1v", "--rout", "a", "b"}),
                R"(unknown option "--rout"; did you mean "--route"?)");
  check_refused(syncsim({"topology", "show"}),
                "topology show: MACHINE is required; see syncsim topology show --help");
  check_refused(syncsim({"topology", "show", "dgx1v", "--channel", "1"}),
                "topology show: --channel requires --route; see syncsim topology show --help");
}

TEST_CASE("show refuses machines, nodes, rates and formats that are not there") {
  check_refused(syncsim({"topology", "show", "pcie_4gp"}),
                R"(unknown topology "pcie_4gp"; did you mean "pcie_4gpu"?)");
  check_refused(syncsim({"topology", "show", "dgx1v", "--route", "gpu0", "gpu8"}),
                R"(--route: unknown node "gpu8"; did you mean "gpu0"?)");
  check_refused(syncsim({"topology", "show", "dgx1v", "--rates", "peak"}),
                R"(--rates: unknown rates "peak"; choose one of line, usable)");
  check_refused(syncsim({"topology", "show", "dgx1v", "--format", "csv"}),
                R"(--format: unknown format "csv"; choose one of json, text)");
  check_refused(syncsim({"topology", "show", "dgx1v", "--edit", "remove node:gpu9"}),
                R"(--edit: edit "remove node:gpu9": no node is called "gpu9"; )"
                R"(did you mean "gpu0"?)");
}

}  // namespace syncsim::testing::topology_show_test
